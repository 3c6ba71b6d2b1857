"""What changed between two states of a server, and for whom that breaks something."""
