"""From factors to a kind: what is loudest wins, and too little is unclear."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import CERTAIN, FAINT, FAIR
from mcp_assay.model.verdict import ErrorKind, ErrorVerdict, Factor

ENOUGH: Final = FAIR
"""Less than this decides nothing."""
PRECEDENCE: Final[tuple[ErrorKind, ...]] = ("environment", "failure", "business", "unclear")
"""Of kinds that are equally loud the first is taken: no crash may pass for a refusal."""
UNCLEAR: Final[ErrorKind] = "unclear"
FADING: Final = 0.25
"""Each further factor for the same kind counts so much of the one before."""


def verdict(factors: list[Factor]) -> ErrorVerdict:
    """The kind that the factors speak for, and how sure that is."""
    weights: dict[ErrorKind, list[float]] = {}
    for factor in factors:
        weights.setdefault(factor.speaks_for, []).append(factor.weight)
    scores = {kind: _loudness(weights[kind]) for kind in PRECEDENCE if kind in weights}
    kind = max(scores, key=scores.__getitem__, default=UNCLEAR)
    loudest = scores.get(kind, 0.0)
    if loudest < ENOUGH:
        kind, loudest = UNCLEAR, ENOUGH
    others = sum(score for other, score in scores.items() if other != kind and score >= FAINT)
    return ErrorVerdict(kind, _sureness(loudest, others), factors)


def _loudness(weights: list[float]) -> float:
    """The loudest factor counts whole, the others ever less: many whispers are no shout."""
    loudness, share = 0.0, 1.0
    for weight in sorted(weights, reverse=True):
        loudness += weight * (share if weight > 0 else 1.0)
        share *= FADING
    return loudness


def _sureness(loudest: float, others: float) -> float:
    """From 0 to 100: the share of all that was said, less where even that is not loud."""
    share = loudest / (loudest + others)
    return round(100.0 * share * min(1.0, 0.5 + loudest / (2 * CERTAIN)), 1)
