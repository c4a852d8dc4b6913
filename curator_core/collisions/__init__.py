"""Tools that take each other's questions: found, explained, and pulled apart."""
