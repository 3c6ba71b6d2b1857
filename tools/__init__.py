"""What keeps the generated parts of the project true to the code."""
