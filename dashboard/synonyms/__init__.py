"""What the page Synonyms consists of."""
