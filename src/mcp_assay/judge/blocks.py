"""The content of a response, block by block, and whether it fits the outputSchema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from msgspec import Struct

from mcp_assay.model.verdict import OutputSchemaValidation, ResponseMetadata
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.walk import ShapeContext, Walk, walker
from mcp_assay.schema.checker import Prepared, Schemas
from mcp_assay.schema.messages import SchemaVerdict
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.shapes.common import CONTENT_BLOCK
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


def _validation(verdict: SchemaVerdict) -> OutputSchemaValidation:
    decided = None if verdict.outcome == "undecided" else verdict.outcome == "valid"
    return OutputSchemaValidation(
        has_output_schema=True, is_valid=decided, error=verdict.reason or _problem_words(verdict)
    )


def _problem_words(verdict: SchemaVerdict) -> str | None:
    if verdict.outcome != "invalid":
        return None
    problems = [
        f"{pointer(problem.path) or 'the output'} {problem.text}"
        for problem in verdict.problems[:MOST_PROBLEMS]
    ]
    return "; ".join(problems) or FAILED


PART_RULE: Final = "SCHEMA-002"
"""The rule of results, where a shape names no rule of its own."""
MOST_TYPES: Final = 20
LONGEST_TYPE: Final = 100


class ContentBlock(Struct, frozen=True):
    """One block of content, whatever it is."""

    index: int
    type: str | None
    problem: str | None
    """The first error that the rules of the protocol have for it, in words; None without any."""


def blocks(content: object, revision: str = DEFAULT_REVISION) -> list[ContentBlock]:
    """The blocks of a content; none where it is no array."""
    if not isinstance(content, list):
        return []
    walk = walker(CONTENT_BLOCK, None, ShapeContext(revision, PART_RULE))
    return [
        ContentBlock(index, _type(item), _problem(item, index, walk, revision))
        for index, item in enumerate(content)
    ]


def texts(content: object) -> Iterator[str]:
    """The texts of all text blocks, and of embedded resources."""
    for item in content if isinstance(content, list) else ():
        if not isinstance(item, dict):
            continue
        resource = item.get("resource") if item.get("type") == "resource" else None
        holder = resource if isinstance(resource, dict) else item
        text = holder.get("text")
        if isinstance(text, str):
            yield text


def metadata(
    response: object, found: list[ContentBlock], output: OutputSchemaValidation | None
) -> ResponseMetadata:
    """What a response consists of, as numbers."""
    types = [block.type for block in found if block.type is not None]
    members = response if isinstance(response, dict) else {}
    return ResponseMetadata(
        content_types=[kind[:LONGEST_TYPE] for kind in dict.fromkeys(types)][:MOST_TYPES],
        text_block_count=types.count("text"),
        image_count=types.count("image"),
        audio_count=types.count("audio"),
        resource_count=types.count("resource") + types.count("resource_link"),
        malformed_count=len([block for block in found if block.problem is not None]),
        has_structured_content="structuredContent" in members,
        has_meta="_meta" in members,
        output_schema_validation=output,
    )


def _type(item: object) -> str | None:
    kind = item.get("type") if isinstance(item, dict) else None
    return kind if isinstance(kind, str) else None


def _problem(item: object, index: int, walk: Walk, revision: str) -> str | None:
    if _is_plain_text(item):
        return None
    faults = Faults(revision)
    walk(item, ("content", index), faults)
    errors = (fault for fault in faults if _is_error(fault))
    first = next(errors, None)
    return first.text.removesuffix(".") if first else None


def _is_plain_text(item: object) -> bool:
    """Whether it is the block that most are: a text and nothing else."""
    return (
        isinstance(item, dict)
        and len(item) == len(("type", "text"))
        and item.get("type") == "text"
        and isinstance(item.get("text"), str)
    )


def _is_error(fault: Found) -> bool:
    return CATALOGUE[fault.rule].severity_of(fault.grade) == "error"
