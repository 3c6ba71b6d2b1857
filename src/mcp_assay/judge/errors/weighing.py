"""From factors to a kind: what is loudest wins, and too little is unclear."""

from __future__ import annotations

from operator import attrgetter
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

_weight: Final = attrgetter("weight")


def verdict(factors: list[Factor]) -> ErrorVerdict:
    """The kind that the factors speak for, and how sure that is."""
    scores = _loudness(factors)
    kind = max(PRECEDENCE, key=scores.__getitem__)
    if scores[kind] < ENOUGH:
        kind = UNCLEAR
    others = sum(score for other, score in scores.items() if other != kind and score >= FAIR)
    return ErrorVerdict(kind, _sureness(max(scores[kind], ENOUGH), others), factors)


def _loudness(factors: list[Factor]) -> dict[ErrorKind, float]:
    """How loudly the factors speak for each kind."""
    scores: dict[ErrorKind, float] = dict.fromkeys(PRECEDENCE, 0.0)
    backed: set[ErrorKind] = set()
    for factor in sorted(factors, key=_weight, reverse=True):
        kind = factor.speaks_for
        if not scores[kind]:
            scores[kind] = factor.weight
        elif kind not in backed:
            backed.add(kind)
            scores[kind] += FADING * factor.weight
    return scores


def _sureness(loudest: float, others: float) -> float:
    """From 0 to 100: the share of all that was said, less where even that is not loud."""
    share = loudest / (loudest + others)
    return round(100.0 * share * min(1.0, 0.5 + loudest / (2 * CERTAIN)), 1)
