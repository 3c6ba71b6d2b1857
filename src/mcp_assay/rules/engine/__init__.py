"""What runs the rules: the registry, the session checker, both lanes, and findings of faults."""
