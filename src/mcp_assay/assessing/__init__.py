"""The stages of an assessment: list, permit, probe, read, call; and the report on all of it."""
