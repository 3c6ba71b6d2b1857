"""The HTML report: the page, its style and script, and what Python writes into it."""
