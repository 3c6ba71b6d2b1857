"""Calls and their answers in; verdicts on responses, errors and tools out."""
