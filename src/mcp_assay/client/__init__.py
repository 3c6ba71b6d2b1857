"""One server: links to it, its process and guardian, the session with it, its lists."""
