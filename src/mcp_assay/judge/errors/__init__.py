"""Error responses in; what kind of error they are, with every piece of evidence, out."""
