"""Arguments that somebody typed -> the scenario that they are: what they try, by the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.model.scenario import Scenario
from mcp_assay.schema.checking import Problem, Schemas
from mcp_assay.wire.pointer import pointer

TYPED: Final = "typed"
TRIED: Final[Mapping[str, str]] = {
    "Type": "wrong type",
    "Enum": "outside the listed values",
    "Constant": "outside the listed values",
    "Required": "required, but missing",
    "AdditionalProperties": "unknown argument",
    "UnevaluatedProperties": "unknown argument",
    "Pattern": "against the pattern",
    "Minimum": "limit: minimum",
    "Maximum": "limit: maximum",
    "ExclusiveMinimum": "limit: exclusiveMinimum",
    "ExclusiveMaximum": "limit: exclusiveMaximum",
    "MultipleOf": "limit: multipleOf",
    "MinLength": "limit: minLength",
    "MaxLength": "limit: maxLength",
    "MinItems": "limit: minItems",
    "MaxItems": "limit: maxItems",
    "UniqueItems": "limit: uniqueItems",
    "MinProperties": "limit: minProperties",
    "MaxProperties": "limit: maxProperties",
}
"""What arguments try that do not fit their schema, by what is wrong with them; the names begin as
those of the scenarios that are made."""


def typed(tool: Mapping[str, Any], arguments: dict[str, Any], schemas: Schemas) -> Scenario:
    """The scenario of these arguments: valid, or wrong in the way that comes first."""
    verdict = schemas.prepare(tool.get("inputSchema", {})).check(arguments)
    valid = None if verdict.outcome == "undecided" else verdict.outcome == "valid"
    problem = verdict.problems[0] if verdict.problems else Problem((), "")
    return Scenario(
        tool=str(tool.get("name", "")),
        name=TRIED.get(problem.kind, TYPED),
        category="happy_path" if valid else "error_case",
        arguments=arguments,
        valid=valid,
        pointer=pointer(problem.path),
    )
