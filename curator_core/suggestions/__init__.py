"""What would it take? Phrases found, tried before they are offered, and the worth of each word there is."""
