"""The command line: one module per command; words in, a report and an exit code out."""
