"""What the page Tools consists of."""
