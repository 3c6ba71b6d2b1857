"""The nouns that cross a border between folders."""
