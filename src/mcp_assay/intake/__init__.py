"""Files and pipes in; the texts of messages, with their places and sessions, out."""
