"""What the page Compare consists of, and receipts."""
