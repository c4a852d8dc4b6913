"""What the page Engine & index consists of."""
