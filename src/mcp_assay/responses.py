"""What a tool answers, judged: working, rejecting properly, badly connected, broken, or unclear.

`ResponseValidator` judges with the patterns that mcp-assay knows. A `Judge` is the same with
patterns of your own added, and with a worker for output schemas that may take too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import orjson
from msgspec.structs import replace

from mcp_assay.configuration import WrongConfiguration, find_configuration
from mcp_assay.judge.blocks import blocks, metadata
from mcp_assay.judge.confidence import overall_confidence
from mcp_assay.judge.errors.classifier import Classifier
from mcp_assay.judge.errors.own import WrongPattern, own_patterns
from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.tables import PATTERNS
from mcp_assay.judge.output import check_output
from mcp_assay.judge.response import is_error, judge_response
from mcp_assay.judge.status import judge_call, judge_tool
from mcp_assay.model.verdict import (
    ErrorVerdict,
    Factor,
    JudgedCall,
    OutputSchemaValidation,
    ResponseMetadata,
    ScenarioVerdict,
    ToolVerdict,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.schema.checking import Schemas, Worker
from mcp_assay.wire.examining import examine

__all__ = [
    "ErrorVerdict",
    "Factor",
    "Judge",
    "JudgedCall",
    "OutputSchemaValidation",
    "Pattern",
    "ResponseMetadata",
    "ResponseValidator",
    "ScenarioVerdict",
    "ToolVerdict",
    "ValidationContext",
    "ValidationResult",
    "judge_call",
    "judge_tool",
]

_PLAIN: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class Judge:
    """Judges responses; error patterns of your own are louder than those that mcp-assay knows."""

    def __init__(self, patterns: Iterable[Pattern] = (), worker: Worker | None = None) -> None:
        own = list(patterns)
        self._classifier: Final = Classifier([*PATTERNS, *own]) if own else _classifier()
        self._schemas: Final = Schemas(worker)

    @classmethod
    def configured(cls, folder: str = ".", worker: Worker | None = None) -> Judge:
        """A judge with the patterns of the nearest configuration; raises WrongConfiguration."""
        found = find_configuration(folder)
        try:
            return cls(own_patterns(found.table.get("errors", {})), worker)
        except WrongPattern as refusal:
            raise WrongConfiguration(f"{found.path}: {refusal}.") from None

    def validate_response(self, context: ValidationContext) -> ValidationResult:
        """Whether a response shows a working tool, and why."""
        return self.judge_parsed(_plain(context))

    def judge_parsed(self, context: ValidationContext) -> ValidationResult:
        """The same for a context that was read from JSON texts: there is nothing odd in it."""
        return judge_response(context, self._schemas, self._classifier.explain)

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
    return Classifier(PATTERNS)


class ResponseValidator:
    """Judges responses with the patterns that mcp-assay knows; it needs no instance."""

    @staticmethod
    def validate_response(context: ValidationContext) -> ValidationResult:
        """Whether a response shows a working tool, and why."""
        return _judge().validate_response(context)

    @staticmethod
    def explain_error(context: ValidationContext) -> ErrorVerdict:
        """What kind of error a response is, with every factor that was weighed."""
        return _judge().explain_error(context)

    @staticmethod
    def is_business_logic_error(context: ValidationContext) -> bool:
        """Whether an error response is a refusal by a tool that works."""
        return _judge().is_business_logic_error(context)

    @staticmethod
    def extract_response_metadata(context: ValidationContext) -> ResponseMetadata:
        """What a response consists of."""
        return _judge().extract_response_metadata(context)

    @staticmethod
    def calculate_overall_confidence(results: Sequence[ValidationResult]) -> float:
        """How sure it is, over several verdicts, that a tool works: from 0 to 100."""
        return overall_confidence(results)


@cache
def _judge() -> Judge:
    return Judge()


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
