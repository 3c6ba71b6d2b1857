"""Processes and connections: everything that talks to what is outside."""
