"""Whether a response fits the outputSchema that its tool declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from mcp_assay.judge.blocks import texts
from mcp_assay.model.verdict import OutputSchemaValidation
from mcp_assay.schema.checking import Prepared, Schemas
from mcp_assay.schema.verdict import Verdict
from mcp_assay.wire.pointer import pointer

NO_JSON: Final = "Tool has output schema but response contains no valid JSON"
FAILED: Final = "Output schema validation failed"
MOST_PROBLEMS: Final = 3
MOST_TEXTS: Final = 20
"""So many texts that are JSON are checked; the first that fits is enough."""


def check_output(tool: object, response: object, schemas: Schemas) -> OutputSchemaValidation | None:
    """Check structuredContent, or else JSON in the texts; None where the tool has no schema."""
    schema = tool.get("outputSchema") if type(tool) is dict else None
    if schema is None or not isinstance(response, dict):
        return None
    prepared = schemas.prepare(schema)
    if "structuredContent" in response:
        return _validation(prepared.check(response["structuredContent"]))
    return _check_texts(prepared, response.get("content"))


def _check_texts(prepared: Prepared, content: object) -> OutputSchemaValidation:
    """The best that can be said of the texts: one that fits, else the first that is JSON."""
    first: OutputSchemaValidation | None = None
    for value in _values(content):
        found = _validation(prepared.check(value))
        if found.is_valid:
            return found
        first = first or found
    return first or OutputSchemaValidation(has_output_schema=True, is_valid=False, error=NO_JSON)


def _values(content: object) -> Iterator[Any]:
    for text, _ in zip(texts(content), range(MOST_TEXTS), strict=False):
        try:
            yield orjson.loads(text)
        except orjson.JSONDecodeError:
            continue


def _validation(verdict: Verdict) -> OutputSchemaValidation:
    decided = None if verdict.outcome == "undecided" else verdict.outcome == "valid"
    return OutputSchemaValidation(
        has_output_schema=True, is_valid=decided, error=verdict.reason or _told(verdict)
    )


def _told(verdict: Verdict) -> str | None:
    if verdict.outcome != "invalid":
        return None
    told = [
        f"{pointer(problem.path) or 'the output'} {problem.text}"
        for problem in verdict.problems[:MOST_PROBLEMS]
    ]
    return "; ".join(told) or FAILED
