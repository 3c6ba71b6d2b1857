"""Numbers -> SVG: pure functions, and nothing but their own elements in what they return."""
