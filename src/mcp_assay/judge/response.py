"""The verdict on one response: working, partly working, badly connected, broken, or an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from mcp_assay.judge.blocks import FAILED, ContentBlock, blocks, check_output, metadata
from mcp_assay.judge.errors.classifier import Classifier
from mcp_assay.judge.errors.texts import error_text, rpc_error
from mcp_assay.judge.signs import ERROR_FLAGS, SignReader
from mcp_assay.model.verdict import (
    Classification,
    ErrorKind,
    ErrorVerdict,
    ResponseMetadata,
    ResponseSign,
    SignKind,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.schema.checker import Schemas
from mcp_assay.spec.revisions import DEFAULT_REVISION

Explain: TypeAlias = Callable[[ValidationContext], ErrorVerdict]

WORKING: Final = 100.0
PARTIAL: Final = 70.0
CONNECTED: Final = 30.0
MOST_FOR_A_CRASH: Final = 40.0
UNCLEAR: Final = 50.0

LONGEST_MESSAGE: Final = 100
MOST_FACTORS_SHOWN: Final = 5
MOST_BLOCKS_SHOWN: Final = 20
UNFLAGGED: Final = "Error reported without isError"
FLAGGED: Final = "Success reported with isError"
SIGN_ISSUES: Final[Mapping[SignKind, str]] = {
    "not_implemented": "Not implemented",
    "another_step": "Asks for another step",
    "no_information": "Response carries no information",
}
"""What is wrong with a success that is none, or not yet."""
CONFORMS: Final = "Output schema validation passed"
CONTRADICTS: Final = "Tool has output schema but response does not conform"


class _Ruling(NamedTuple):
    """What an error of one kind says about its tool."""

    is_valid: bool
    classification: Classification
    evidence: str
    issue: str | None


RULINGS: Final[Mapping[ErrorKind, _Ruling]] = {
    "business": _Ruling(
        True, "fully_working", "Tool responded with error (tool is functional)", None
    ),
    "failure": _Ruling(False, "error", "Tool responded with error", "Tool crashed"),
    "environment": _Ruling(
        False, "connectivity_only", "Tool responded with error", "A dependency was unavailable"
    ),
    "unclear": _Ruling(True, "error", "Tool responded with error", "Error could not be classified"),
}


def is_error(response: object) -> bool:
    """Whether a response says that it is an error, or is an error instead of a result."""
    if not isinstance(response, dict):
        return False
    flag = response.get("isError")
    return flag in ERROR_FLAGS or rpc_error(response) is not None


def judge_response(
    context: ValidationContext,
    schemas: Schemas,
    classifier: Classifier,
    revision: str = DEFAULT_REVISION,
) -> ValidationResult:
    """Judge a response by what it says and by what its tool promised."""
    response, explain = context.response, classifier.explain
    found = blocks(response.get("content") if isinstance(response, dict) else None, revision)
    if is_error(response):
        return _error(context, metadata(response, found, None), classifier)
    output = check_output(context.tool, response, schemas)
    parts = metadata(response, found, output)
    if gap := _missing(response):
        return _broken(gap, parts)
    explained = cache(lambda: explain(context))
    is_promised = output is not None and output.is_valid is True
    sign = _reader(context, classifier).of_success(
        lambda: explained().kind, is_promised=is_promised
    )
    answer = _answer(response, found, parts, sign)
    if sign is None or sign.kind != "unflagged_error":
        return answer
    return _unflagged(context, answer, explained())


def _reader(context: ValidationContext, classifier: Classifier) -> SignReader:
    return SignReader(context.response, context.input, context.tool, classifier.hits)


def _error(
    context: ValidationContext, parts: ResponseMetadata, classifier: Classifier
) -> ValidationResult:
    verdict = classifier.explain(context)
    ruling = RULINGS[verdict.kind]
    sign = _reader(context, classifier).of_error()
    issues = [ruling.issue, FLAGGED if sign else None]
    return ValidationResult(
        is_valid=ruling.is_valid,
        is_error=True,
        confidence=_confidence(verdict),
        issues=[issue for issue in issues if issue],
        evidence=_error_evidence(context, verdict, ruling),
        classification=ruling.classification,
        response_metadata=parts,
        error_verdict=verdict,
        sign=sign,
    )


def _unflagged(
    context: ValidationContext, answer: ValidationResult, verdict: ErrorVerdict
) -> ValidationResult:
    """The verdict on a result that reports an error and does not say so by isError."""
    ruling = RULINGS[verdict.kind]
    is_tool_working = verdict.kind in ("business", "unclear")
    return replace(
        answer,
        is_valid=ruling.is_valid,
        confidence=PARTIAL if is_tool_working else _confidence(verdict),
        issues=[UNFLAGGED, *([] if is_tool_working else [ruling.issue or ""]), *answer.issues],
        evidence=_error_evidence(context, verdict, ruling),
        classification="partially_working" if is_tool_working else ruling.classification,
        error_verdict=verdict,
    )


def _error_evidence(
    context: ValidationContext, verdict: ErrorVerdict, ruling: _Ruling
) -> list[str]:
    message = error_text(context.response) or "Unknown error"
    loudest = sorted(verdict.factors, key=lambda factor: -abs(factor.weight))
    return [
        ruling.evidence,
        f"Error message: {message[:LONGEST_MESSAGE]}",
        *(
            f"{factor.name}: {factor.text} ({factor.speaks_for} {factor.weight:+g})"
            for factor in loudest[:MOST_FACTORS_SHOWN]
        ),
    ]


def _confidence(verdict: ErrorVerdict) -> float:
    """How sure it is that a tool works which answers with such an error."""
    if verdict.kind == "failure":
        return round(min(MOST_FOR_A_CRASH, 100.0 - verdict.confidence), 1)
    settled = {"business": WORKING, "environment": CONNECTED, "unclear": UNCLEAR}
    return settled[verdict.kind]


def _missing(response: object) -> str | None:
    """What a response lacks that no working tool leaves out."""
    members = response if isinstance(response, dict) else {}
    content, structured = members.get("content"), "structuredContent" in members
    if content is None:
        return None if structured else "Response has no content"
    if isinstance(content, list) and (content or structured):
        return None
    return "Response content is empty or not an array"


def _broken(gap: str, parts: ResponseMetadata) -> ValidationResult:
    return ValidationResult(
        is_valid=False,
        is_error=False,
        confidence=0.0,
        issues=[gap],
        evidence=[],
        classification="broken",
        response_metadata=parts,
    )


def _answer(
    response: object,
    found: list[ContentBlock],
    parts: ResponseMetadata,
    sign: ResponseSign | None,
) -> ValidationResult:
    faults, remarks = _faults(response, found, parts)
    if sign is not None and sign.kind in SIGN_ISSUES:
        faults.insert(0, SIGN_ISSUES[sign.kind])
    return ValidationResult(
        is_valid=True,
        is_error=False,
        confidence=PARTIAL if faults else WORKING,
        issues=faults + remarks,
        evidence=_evidence(parts),
        classification="partially_working" if faults else "fully_working",
        response_metadata=parts,
        sign=sign,
    )


def _faults(
    response: object, found: list[ContentBlock], parts: ResponseMetadata
) -> tuple[list[str], list[str]]:
    """What is wrong with an answer, and what could not be found out about it."""
    bad = [block for block in found if block.problem is not None][:MOST_BLOCKS_SHOWN]
    faults = [f"Malformed content block: {block.problem}" for block in bad]
    if isinstance(response, dict) and response.get("content") is None:
        faults.insert(0, "Response has structuredContent but no content")
    output = parts.output_schema_validation
    if output is None or output.is_valid:
        return faults, []
    if output.is_valid is None:
        return faults, [f"Output schema could not be checked: {output.error}"]
    return [*faults, output.error or FAILED], []


def _evidence(parts: ResponseMetadata) -> list[str]:
    output = parts.output_schema_validation
    said = ["Tool responded successfully with content"]
    for number, what in (
        (parts.text_block_count, "text block(s)"),
        (parts.image_count, "image(s)"),
        (parts.audio_count, "audio block(s)"),
        (parts.resource_count, "resource(s)"),
    ):
        if number:
            said.append(f"Response includes {number} {what}")
    if parts.has_structured_content:
        said.append("Response includes structuredContent")
    if parts.has_meta:
        said.append("Response includes _meta field")
    if output is not None and output.is_valid is not None:
        said.append(CONFORMS if output.is_valid else CONTRADICTS)
    return said
