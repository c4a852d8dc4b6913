"""A registry's folder on the disk: read with every complaint, written so that only what was edited changes."""
