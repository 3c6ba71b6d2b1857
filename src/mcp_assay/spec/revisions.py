"""The five released revisions of MCP, oldest first."""

from __future__ import annotations

from typing import Final

R2024_11_05: Final = "2024-11-05"
R2025_03_26: Final = "2025-03-26"
R2025_06_18: Final = "2025-06-18"
R2025_11_25: Final = "2025-11-25"
R2026_07_28: Final = "2026-07-28"

REVISIONS: Final = (R2024_11_05, R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28)
"""Every revision, oldest first; a revision's name sorts as its date does."""

AUTO: Final = "auto"
"""Stands for the revision that is found out."""

DEFAULT_REVISION: Final = R2025_11_25
"""What is assumed where neither the caller nor the traffic says."""


def between(since: str, until: str) -> tuple[str, ...]:
    """The revisions from `since` to `until`, both included."""
    return REVISIONS[REVISIONS.index(since) : REVISIONS.index(until) + 1]


def require_revision(revision: str) -> str:
    """Give `revision` back, or raise ValueError naming the allowed ones."""
    if revision not in REVISIONS:
        raise ValueError(f"unknown revision {revision!r}; allowed: {', '.join(REVISIONS)}")
    return revision
