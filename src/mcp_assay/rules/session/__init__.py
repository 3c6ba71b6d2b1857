"""The rules about whole conversations: each section's memory, watchers, words and examples."""
