"""Words for people and words from outside: named, split, made safe, stripped of secrets."""
