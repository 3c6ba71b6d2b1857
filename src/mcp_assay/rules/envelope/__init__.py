"""The profile of the response envelope: its rules, and who judges responses by them."""
