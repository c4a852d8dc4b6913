"""What the page Import & export consists of."""
