"""What the page Home consists of, and the ways to a registry."""
