"""The error classifier: what a response says, weighed for and against each kind of error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_assay.judge.errors.bare import bare_factors
from mcp_assay.judge.errors.causes import TRACE, causes
from mcp_assay.judge.errors.context import context_factors
from mcp_assay.judge.errors.evidence import evidence
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.lexicon import Lexicon, folded
from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.statuses import http_statuses, rpc_and_http
from mcp_assay.judge.errors.stderr import last_words, message_of
from mcp_assay.judge.errors.texts import statement
from mcp_assay.judge.errors.weighing import verdict
from mcp_assay.model.verdict import ErrorVerdict, Factor, ValidationContext


class Classifier:
    """Tells refusals, failures of the tool, failures of its surroundings and the rest apart."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._lexicon: Final = Lexicon(patterns)

    def explain(self, context: ValidationContext) -> ErrorVerdict:
        """The kind of an error response, how sure that is, and every factor."""
        said = statement(context.response)
        on_trial = context.scenario_category == "error_case"
        given = Given(context.input, context.tool, on_trial=on_trial)
        fold = folded(said.text)
        factors = self._spoken(said.text, fold, given)
        if said.codes:
            factors += rpc_and_http(said.codes)
        factors += context_factors(context, said, given, fold)
        found = verdict(factors)
        return self._overheard(found, fold, context, given) if context.stderr else found

    def _spoken(self, text: str, fold: str, given: Given) -> list[Factor]:
        found = evidence(text, fold, self._lexicon, given)
        shaped = list(bare_factors(text, fold, found, given))
        return [*http_statuses(fold), *found, *shaped]

    def _overheard(
        self, found: ErrorVerdict, fold: str, context: ValidationContext, given: Given
    ) -> ErrorVerdict:
        """The verdict with what stands on standard error, where that belongs to the response."""
        words = last_words(context.stderr)
        if not words or (found.kind != "unclear" and not _has_message(words, fold)):
            return found
        return verdict([*found.factors, *evidence(words, folded(words), self._lexicon, given)])


def _has_message(words: str, fold: str) -> bool:
    """Whether a trace ends in a message that a folded response repeats."""
    told = folded(message_of(causes(words)[0])) if TRACE in words else ""
    return told != "" and told in fold
