"""Comparison of a run with its repetition -> whether the one confirms the other."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from mcp_assay.drift.comparison import Comparison, ToolMove

Likeness: TypeAlias = Literal["same", "differs", "not_repeated"]
"""All is as it was; something is not; some of it was not looked at this time."""
MOVED: Final[frozenset[ToolMove]] = frozenset({"worse", "better", "new", "gone", "called_now"})


def likeness(comparison: Comparison) -> Likeness:
    """Whether a run found what the run found that it repeats."""
    found, moves = comparison.findings, {tool.change for tool in comparison.tools}
    if found.new or found.fixed or found.changed or moves & MOVED or not comparison.is_same_surface:
        return "differs"
    return "not_repeated" if found.not_looked_at or moves else "same"
