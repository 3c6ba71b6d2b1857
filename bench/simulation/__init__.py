"""Fleets and archives on many machines: measured times, and the decisions of our own code."""
