"""What the page Test queries consists of."""
