"""Findings in; counted, folded and kept, with what became of every rule."""

from __future__ import annotations

DEFAULT_MAX_FINDINGS = 10_000
"""How many findings a report holds where nobody says otherwise."""
