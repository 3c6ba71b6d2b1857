"""How long tests wait for what must come: on a busy machine that takes long, and is no fault."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 120.0
"""Seconds after which something that should have come is given up."""
