"""Benchmarks that print ratios: how long mcp-assay takes, measured against parsing alone."""
