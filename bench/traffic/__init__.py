"""Made-up MCP traffic that looks like the real thing: sessions, writing styles and faults."""
