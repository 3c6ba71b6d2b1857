"""JSON Schemas that come from a server, made safe: sorted before use, never followed outside."""
