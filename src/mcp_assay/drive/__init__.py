"""Talking to servers: connecting, asking, calling, and hearing all that is said."""
