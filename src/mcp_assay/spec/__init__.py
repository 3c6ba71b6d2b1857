"""What MCP says, as data, for all five revisions."""
