"""Mutation testing: small faults put into the code, and whether a test notices each of them."""
