"""The judge of tool responses: verdicts, error kinds and metadata, with patterns of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import orjson
from msgspec.structs import replace

from mcp_assay.judge.blocks import blocks, check_output, metadata
from mcp_assay.judge.errors.classifier import Classifier
from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.wording import known_patterns
from mcp_assay.judge.response import is_error, judge_response
from mcp_assay.judge.status import overall_confidence
from mcp_assay.model.verdict import (
    ErrorVerdict,
    ResponseMetadata,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.schema.checker import Schemas, Worker
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.python_values import examine

_PLAIN: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class ResponseJudge:
    """Judges responses; error patterns of your own are louder than those that mcp-assay knows."""

    def __init__(self, patterns: Iterable[Pattern] = (), worker: Worker | None = None) -> None:
        own = list(patterns)
        self._classifier: Final = Classifier([*known_patterns(), *own]) if own else _classifier()
        self._schemas: Final = Schemas(worker)

    def validate_response(self, context: ValidationContext) -> ValidationResult:
        """Whether a response shows a working tool, and why."""
        return self.judge_parsed(_plain(context))

    def judge_parsed(
        self, context: ValidationContext, revision: str = DEFAULT_REVISION
    ) -> ValidationResult:
        """The same for a context that was read from JSON texts: there is nothing odd in it."""
        return judge_response(context, self._schemas, self._classifier, revision)

    def explain_error(self, context: ValidationContext) -> ErrorVerdict:
        """What kind of error a response is, with every factor that was weighed."""
        return self._classifier.explain(_plain(context))

    def is_business_logic_error(self, context: ValidationContext) -> bool:
        """Whether an error response is a refusal by a tool that works."""
        return self.explain_error(context).kind == "business"

    def extract_response_metadata(self, context: ValidationContext) -> ResponseMetadata:
        """What a response consists of."""
        plain = _plain(context)
        response = plain.response
        found = blocks(response.get("content") if isinstance(response, dict) else None)
        output = None
        if not is_error(response):
            output = check_output(plain.tool, response, self._schemas)
        return metadata(response, found, output)

    def calculate_overall_confidence(self, results: Sequence[ValidationResult]) -> float:
        """How sure it is, over several verdicts, that a tool works: from 0 to 100."""
        return overall_confidence(results)


@cache
def _classifier() -> Classifier:
    """The one that all judges share who have no patterns of their own."""
    return Classifier(known_patterns())


def _plain(context: ValidationContext) -> ValidationContext:
    """The context in plain JSON values, so that no code of the caller's classes ever runs."""
    if type(context.tool) is not dict or type(context.stderr) is not str:
        stderr = context.stderr if type(context.stderr) is str else ""
        context = replace(context, tool=examine(context.tool).value, stderr=stderr)
    try:
        orjson.dumps((context.input, context.response), option=_PLAIN)
    except TypeError:
        given, response = (examine(value).value for value in (context.input, context.response))
        return replace(context, input=given, response=response)
    return context
