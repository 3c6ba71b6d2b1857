"""What a tool answers, judged: working, rejecting properly, badly connected, broken, or unclear.

`ResponseValidator` judges with the patterns that mcp-assay knows. A `Judge` is the same with
patterns of your own added, and with a worker for output schemas that may take too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mcp_assay.client.project_config import WrongConfiguration, find_configuration
from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.user_patterns import WrongPattern, own_patterns
from mcp_assay.judge.errors.world_patterns import world_patterns
from mcp_assay.judge.judge import ResponseJudge
from mcp_assay.judge.status import judge_call, judge_tool, overall_confidence
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
from mcp_assay.schema.checker import Worker

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


class Judge(ResponseJudge):
    """Judges responses; error patterns of your own are louder than those that mcp-assay knows."""

    @classmethod
    def configured(
        cls, folder: str = ".", worker: Worker | None = None, *, in_world: bool = False
    ) -> Judge:
        """A judge with the patterns of the nearest configuration; raises WrongConfiguration.

        Of a server in a disposable world, what the world refuses is not the server's fault.
        """
        found = find_configuration(folder)
        try:
            own = own_patterns(found.table.get("errors", {}))
            return cls([*own, *(world_patterns() if in_world else ())], worker)
        except WrongPattern as refusal:
            raise WrongConfiguration(f"{found.path}: {refusal}.") from None


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
