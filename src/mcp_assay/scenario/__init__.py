"""What to try on a tool: arguments made from its schema, harmless and the same for one seed."""
