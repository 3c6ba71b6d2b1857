"""The error classifier: what a response says, weighed for and against each kind of error.

What is loudest wins, and too little is unclear.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_assay.judge.errors.evidence import evidence
from mcp_assay.judge.errors.factors import (
    bare_factors,
    context_factors,
    http_statuses,
    rpc_and_http,
)
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.lexicon import Lexicon, folded
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, Pattern
from mcp_assay.judge.errors.shapes import shape_factors
from mcp_assay.judge.errors.stderr import last_words, message_of
from mcp_assay.judge.errors.texts import statement
from mcp_assay.judge.errors.traces import TRACE, causes
from mcp_assay.model.verdict import ErrorKind, ErrorVerdict, Factor, ValidationContext

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


class Classifier:
    """Distinguishes refusals, failures of the tool, failures of its dependencies and the rest."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._lexicon: Final = Lexicon(patterns)

    def explain(self, context: ValidationContext) -> ErrorVerdict:
        """The kind of an error response, how sure that is, and every factor."""
        said = statement(context.response)
        is_error_case = context.scenario_category == "error_case"
        given = Given(context.input, context.tool, is_error_case=is_error_case)
        fold = folded(said.text)
        factors = self._spoken(said.text, fold, given)
        if said.codes:
            factors += rpc_and_http(said.codes)
        factors += context_factors(context, said, given, fold)
        found = verdict(factors)
        return self._with_stderr(found, fold, context, given) if context.stderr else found

    def _spoken(self, text: str, fold: str, given: Given) -> list[Factor]:
        found = evidence(text, fold, self._lexicon, given)
        shaped = [*bare_factors(text, fold, found, given), *shape_factors(text, fold, found, given)]
        return [*http_statuses(fold), *found, *shaped]

    def _with_stderr(
        self, found: ErrorVerdict, fold: str, context: ValidationContext, given: Given
    ) -> ErrorVerdict:
        """The verdict with the output on stderr, where that belongs to the response."""
        words = last_words(context.stderr)
        if not words or (found.kind != "unclear" and not _has_message(words, fold)):
            return found
        return verdict([*found.factors, *evidence(words, folded(words), self._lexicon, given)])


def _has_message(words: str, fold: str) -> bool:
    """Whether a trace ends in a message that a folded response repeats."""
    message = folded(message_of(causes(words)[0])) if TRACE in words else ""
    return message != "" and message in fold
