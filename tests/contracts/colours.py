"""A list that settings name."""

COLOURS = ["red", "blue"]
