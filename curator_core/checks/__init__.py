"""What is allowed in a registry but likely not meant, found without a question being asked."""
