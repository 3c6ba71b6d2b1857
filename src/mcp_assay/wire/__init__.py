"""Bytes or Python values in; decoded values and notes about everything odd in them out."""
