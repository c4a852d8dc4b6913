"""Test queries and logged questions: read, written, held out, grouped, and what they cover."""
