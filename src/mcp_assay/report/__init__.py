"""Findings in; a report, and its text and JSON, out. Pure."""
