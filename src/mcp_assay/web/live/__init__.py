"""Runs as they happen: started from the pages, followed and stopped there."""
