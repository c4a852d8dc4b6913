"""Embedding models: found on this machine, read once, and kept so that the next start is quick."""
