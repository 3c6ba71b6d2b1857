"""What runs the rules: the registry, the session checker, both checks, and findings of faults."""
