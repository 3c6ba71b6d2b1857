"""How often Python looks for garbage while messages stream through."""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (50_000, 20, 50)
"""Parsed messages are trees, which free themselves: looking for cycles in them is time lost."""


def collect_seldom() -> None:
    """Let this process look for garbage less often; for processes that do nothing but judge."""
    gc.set_threshold(*THRESHOLDS)
