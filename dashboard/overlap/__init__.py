"""What the page Overlap consists of: clashes, the map, magnets, and pulling two tools apart."""
