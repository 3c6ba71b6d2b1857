"""The rules about one message: one module per section of the specification."""
