"""A tool and how its calls went -> findings."""
