"""Tools from other systems and for them: recognised, previewed before anything changes, and written out."""
