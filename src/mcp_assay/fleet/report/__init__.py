"""What a run of a fleet found out, in one report, and the forms in which it is written."""
