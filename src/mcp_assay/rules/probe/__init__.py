"""The rules that only show when a server is asked; a probe is a conversation, written down."""
