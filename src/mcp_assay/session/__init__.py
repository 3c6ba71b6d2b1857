"""What the messages of a conversation have to do with each other."""
