"""A disposable world around one server: made, watched and thrown away."""
