"""The error classifier: what a response says, weighed for and against each kind of error.

What is loudest wins, and too little is unclear.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_assay.judge.errors.evidence import evidence
from mcp_assay.judge.errors.factors import (
    QUOTES,
    bare_factors,
    context_factors,
    http_statuses,
    rpc_and_http,
)
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.lexicon import Hit, Lexicon, folded
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
SURE: Final = 70.0
ENDED: Final = frozenset(["connection closed", "connection was closed", "connection lost"])
"""What clients say of a server that is no longer there: how it ended is on its standard error."""
FADING: Final = 0.25
"""So much of the second loudest factor for the same kind counts: many whispers are no shout."""


def verdict(factors: list[Factor]) -> ErrorVerdict:
    """The kind that the factors speak for, and how sure that is."""
    scores = _loudness(factors)
    kind, loudest, others = UNCLEAR, 0.0, 0.0
    for candidate, score in scores.items():
        if score > loudest or (score == loudest and _goes_before(candidate, kind)):
            kind, loudest = candidate, score
        if score >= FAIR:
            others += score
    if loudest < ENOUGH:
        kind, loudest = UNCLEAR, ENOUGH
    else:
        others -= loudest
    return ErrorVerdict(kind, _sureness(loudest, others), factors)


def _goes_before(candidate: ErrorKind, kind: ErrorKind) -> bool:
    return PRECEDENCE.index(candidate) < PRECEDENCE.index(kind)


def _loudness(factors: list[Factor]) -> dict[ErrorKind, float]:
    """How loudly the factors speak for each kind: the loudest, and some of the second."""
    first: dict[ErrorKind, float] = {}
    second: dict[ErrorKind, float] = {}
    for factor in factors:
        kind, weight = factor.speaks_for, factor.weight
        loudest = first.get(kind)
        if loudest is None:
            first[kind] = weight
        elif weight > loudest:
            first[kind], second[kind] = weight, loudest
        elif weight > second.get(kind, 0.0):
            second[kind] = weight
    for kind, weight in second.items():
        first[kind] += FADING * weight
    return first


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
            factors += rpc_and_http(said.codes, factors)
        factors += context_factors(context, said, given, fold)
        found = verdict(factors)
        return self._with_stderr(found, fold, context, given) if context.stderr else found

    def hits(self, text: str) -> list[Hit]:
        """The wordings of errors that are in a text, whatever it is."""
        return self._lexicon.hits(text, folded(text))

    def _spoken(self, text: str, fold: str, given: Given) -> list[Factor]:
        found = evidence(text, fold, self._lexicon, given)
        factors = http_statuses(fold) + found
        if text.rstrip().endswith(QUOTES):
            factors += bare_factors(text, found, given)
        factors += shape_factors(text, fold, found, given)
        return factors

    def _with_stderr(
        self, found: ErrorVerdict, fold: str, context: ValidationContext, given: Given
    ) -> ErrorVerdict:
        """The verdict with the output on stderr, where that belongs to the response."""
        words = last_words(context.stderr)
        if words and _is_only_an_end(found):
            said = verdict(evidence(words, folded(words), self._lexicon, given))
            return said if said.kind == "failure" and said.confidence > SURE else found
        if not words or (found.kind != "unclear" and not _has_message(words, fold)):
            return found
        return verdict([*found.factors, *evidence(words, folded(words), self._lexicon, given)])


def _is_only_an_end(found: ErrorVerdict) -> bool:
    """Whether all that a response says is that the connection to the server ended."""
    loud = [factor for factor in found.factors if factor.weight >= FAIR]
    return bool(loud) and all(folded(factor.text) in ENDED for factor in loud)


def _has_message(words: str, fold: str) -> bool:
    """Whether a trace ends in a message that a folded response repeats."""
    message = folded(message_of(causes(words)[0])) if TRACE in words else ""
    return message != "" and message in fold
