"""From factors to a kind: what is loudest wins, and too little is unclear."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import CERTAIN, FAIR
from mcp_assay.model.verdict import ErrorKind, ErrorVerdict, Factor

ENOUGH: Final = FAIR
"""Less than this decides nothing."""
PRECEDENCE: Final[tuple[ErrorKind, ...]] = ("environment", "failure", "business", "unclear")
"""Of kinds that are equally loud the first is taken: no crash may pass for a refusal."""
UNCLEAR: Final[ErrorKind] = "unclear"
FADING: Final = 0.25
"""So much of the second loudest factor for the same kind counts: many whispers are no shout."""


def verdict(factors: list[Factor]) -> ErrorVerdict:
    """The kind that the factors speak for, and how sure that is."""
    scores = _loudness(factors)
    loudest = max(scores.values(), default=0.0)
    kind = UNCLEAR
    if loudest >= ENOUGH:
        kind = next(kind for kind in PRECEDENCE if scores.get(kind) == loudest)
    others = 0.0
    if len(scores) > 1:
        others = sum(one for other, one in scores.items() if other != kind and one >= FAIR)
    return ErrorVerdict(kind, _sureness(max(loudest, ENOUGH), others), factors)


def _loudness(factors: list[Factor]) -> dict[ErrorKind, float]:
    """How loudly the factors speak for each kind."""
    first: dict[ErrorKind, float] = {}
    second: dict[ErrorKind, float] = {}
    for factor in factors:
        kind, weight = factor.speaks_for, factor.weight
        loudest = first.get(kind, 0.0)
        if weight > loudest:
            first[kind], weight = weight, loudest
        if weight > second.get(kind, 0.0):
            second[kind] = weight
    return {kind: loudest + FADING * second.get(kind, 0.0) for kind, loudest in first.items()}


def _sureness(loudest: float, others: float) -> float:
    """From 0 to 100: the share of all that was said, less where even that is not loud."""
    share = loudest / (loudest + others)
    return round(100.0 * share * min(1.0, 0.5 + loudest / (2 * CERTAIN)), 1)
