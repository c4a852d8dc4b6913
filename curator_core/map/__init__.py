"""The map of the tools: where each stands, in which cluster, the same after every restart."""
