"""What the page Playground consists of: one question, its tools, and what it is compared with."""
