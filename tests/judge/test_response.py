"""What one response says about its tool, row by row of the contract."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from mcp_assay.responses import ResponseValidator, ValidationContext, ValidationResult

TEXT = {"type": "text", "text": "done"}
USER = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["id"],
}
TOOL = {"name": "get_user", "inputSchema": {"type": "object"}}
PROMISING = {**TOOL, "outputSchema": USER}


def judged(response: Any, tool: Any = TOOL) -> ValidationResult:
    context = ValidationContext(tool=tool, input={"userId": "user-123"}, response=response)
    return ResponseValidator.validate_response(context)


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def error(words: str) -> dict[str, Any]:
    return {"isError": True, **text(words)}


@pytest.mark.parametrize(
    ("response", "valid", "classification", "confidence"),
    [
        (error("TypeError: Cannot read properties of undefined"), False, "error", 0),
        (error("connect ECONNREFUSED 127.0.0.1:5432"), False, "connectivity_only", 30),
        (error("User not found"), True, "fully_working", 100),
        (error("Something went wrong"), True, "error", 50),
        ({"error": {"code": -32602, "message": "Unknown tool: x"}}, True, "fully_working", 100),
        ({}, False, "broken", 0),
        (None, False, "broken", 0),
        ({"content": None}, False, "broken", 0),
        ({"content": "done"}, False, "broken", 0),
        ({"content": []}, False, "broken", 0),
        ({"content": "done", "structuredContent": {}}, False, "broken", 0),
        ({"structuredContent": {"id": "a"}}, True, "partially_working", 70),
        ({"content": [], "structuredContent": {"id": "a"}}, True, "fully_working", 100),
        ({"content": [TEXT, {"type": "text"}]}, True, "partially_working", 70),
        ({"content": [TEXT, 7]}, True, "partially_working", 70),
        ({"content": [TEXT]}, True, "fully_working", 100),
        ({"content": [TEXT], "isError": False}, True, "fully_working", 100),
    ],
)
def test_each_row_of_the_table(
    response: Any, valid: bool, classification: str, confidence: float
) -> None:
    result = judged(response)
    assert (result.is_valid, result.classification) == (valid, classification)
    assert result.confidence == confidence


@pytest.mark.parametrize(
    ("response", "issue"),
    [
        ({}, "Response has no content"),
        ({"content": []}, "Response content is empty or not an array"),
        ({"content": {}}, "Response content is empty or not an array"),
        (error("Oops"), "Error could not be classified"),
        ({"structuredContent": {}}, "Response has structuredContent but no content"),
        (
            {"content": [TEXT, {"type": "image", "data": "aGk="}]},
            "Malformed content block: /content/1/mimeType is missing",
        ),
        (
            {"content": [{"text": 7, "type": "text"}]},
            "Malformed content block: /content/0/text is an integer, not a string",
        ),
        ({"content": [None]}, "Malformed content block: /content/0 is null, not an object"),
    ],
)
def test_the_issue_says_what_is_wrong(response: Any, issue: str) -> None:
    assert judged(response).issues == [issue]


def test_the_evidence_of_a_success_is_in_the_words_of_the_document() -> None:
    response = {
        "content": [
            TEXT,
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
        ],
        "structuredContent": {"id": "a"},
        "_meta": {},
    }
    assert judged(response, PROMISING).evidence == [
        "Tool responded successfully with content",
        "Response includes 1 text block(s)",
        "Response includes 1 image(s)",
        "Response includes 1 resource(s)",
        "Response includes structuredContent",
        "Response includes _meta field",
        "Output schema validation passed",
    ]


def test_the_evidence_of_a_refusal_begins_in_the_words_of_the_document() -> None:
    evidence = judged(error("User not found" + "!" * 200)).evidence
    assert evidence[0] == "Tool responded with error (tool is functional)"
    assert evidence[1] == "Error message: User not found" + "!" * 86


@pytest.mark.parametrize(
    ("response", "valid"),
    [
        ({"content": [TEXT], "structuredContent": {"id": "a"}}, True),
        ({"content": [TEXT], "structuredContent": {"id": 7}}, False),
        ({"content": [TEXT], "structuredContent": None}, False),
        (text('{"id": "a"}'), True),
        (text('{"id": "a", "age": "old"}'), False),
        (text("no JSON here"), False),
        ({"content": [{"type": "text", "text": "7"}, *text('{"id": "a"}')["content"]]}, True),
        ({"content": [7, *text('{"id": "a"}')["content"]]}, True),
    ],
)
def test_the_schema_of_the_tool_itself_decides(response: Any, valid: bool) -> None:
    result = judged(response, PROMISING)
    assert result.response_metadata is not None
    output = result.response_metadata.output_schema_validation
    assert output is not None
    assert output.is_valid is valid
    assert ("Output schema validation passed" in result.evidence) is valid


def test_an_answer_without_json_says_so_in_the_words_of_the_reference() -> None:
    result = judged(text("hello"), PROMISING)
    assert result.issues == ["Tool has output schema but response contains no valid JSON"]
    assert "Tool has output schema but response does not conform" in result.evidence


def test_a_schema_that_cannot_be_checked_is_neither_met_nor_broken() -> None:
    wild = {**TOOL, "outputSchema": {"type": "object", "$ref": "https://example.com/schema"}}
    result = judged({"content": [TEXT], "structuredContent": {}}, wild)
    assert result.response_metadata is not None
    output = result.response_metadata.output_schema_validation
    assert output is not None
    assert output.is_valid is None
    assert result.classification == "fully_working"
    assert result.issues[0].startswith("Output schema could not be checked: ")


def test_a_tool_without_schema_has_no_validation_of_it() -> None:
    result = msgspec.to_builtins(judged({"content": [TEXT]}))
    assert "outputSchemaValidation" not in result["responseMetadata"]


def test_one_bad_block_hides_no_other() -> None:
    blocks = [None, TEXT, {"type": "audio", "data": 1}, {"type": "hologram"}, TEXT]
    context = ValidationContext(TOOL, {}, {"content": blocks, "_meta": None})
    found = ResponseValidator.extract_response_metadata(context)
    assert found.content_types == ["text", "audio", "hologram"]
    assert (found.text_block_count, found.audio_count, found.malformed_count) == (2, 1, 3)
    assert (found.has_meta, found.has_structured_content) == (True, False)


def test_the_metadata_example_of_the_document() -> None:
    response = {
        "isError": False,
        "content": [
            {"type": "text", "text": "Results..."},
            {"type": "image", "data": "base64..."},
            {"type": "resource", "uri": "resource://..."},
        ],
        "structuredContent": {"results": []},
    }
    schema = {"type": "object", "properties": {"results": {"type": "array"}}}
    tool = {**TOOL, "outputSchema": schema}
    context = ValidationContext(tool, {"query": "search term"}, response)
    found = msgspec.to_builtins(ResponseValidator.extract_response_metadata(context))
    assert found == {
        "contentTypes": ["text", "image", "resource"],
        "textBlockCount": 1,
        "imageCount": 1,
        "audioCount": 0,
        "resourceCount": 1,
        "malformedCount": 2,
        "hasStructuredContent": True,
        "hasMeta": False,
        "outputSchemaValidation": {"hasOutputSchema": True, "isValid": True},
    }


def test_the_basic_example_of_the_document() -> None:
    result = judged(text('{"id": "user-123", "name": "Alice", "email": "alice@example.com"}'))
    assert (result.classification, result.confidence) == ("fully_working", 100)
    assert result.evidence[0] == "Tool responded successfully with content"


def weighed(*pairs: tuple[Any, float]) -> float:
    results = [
        ValidationResult(
            is_valid=True,
            is_error=False,
            confidence=confidence,
            issues=[],
            evidence=[],
            classification=classification,
        )
        for classification, confidence in pairs
    ]
    return ResponseValidator.calculate_overall_confidence(results)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((), 0),
        ((("fully_working", 100), ("partially_working", 70), ("fully_working", 100)), 83),
        ((("connectivity_only", 30), ("error", 50)), 9.5),
        ((("broken", 100),), 0),
    ],
)
def test_overall_confidence_is_the_formula_of_the_document(
    results: tuple[tuple[str, float], ...], expected: float
) -> None:
    assert weighed(*results) == pytest.approx(expected)


def test_json_has_the_names_of_the_document() -> None:
    result = msgspec.to_builtins(judged({"content": [TEXT]}))
    assert set(result) == {
        "isValid",
        "isError",
        "confidence",
        "issues",
        "evidence",
        "classification",
        "responseMetadata",
    }


class Definition(dict[str, Any]):
    """A tool's definition as some library holds it."""


def test_a_definition_of_another_class_is_held_to_its_schema_too() -> None:
    result = judged({"content": [TEXT], "structuredContent": {"id": 7}}, Definition(PROMISING))
    assert result.classification == "partially_working"


@pytest.mark.parametrize(("flag", "error"), [("true", True), ("false", False), (0, False)])
def test_a_flag_that_is_a_text_is_taken_as_it_is_meant(flag: Any, error: bool) -> None:
    assert judged({"isError": flag, "content": [TEXT]}).is_error is error


def test_text_and_structured_content_are_both_read() -> None:
    response = {"isError": True, **text('{"error": "x"}'), "structuredContent": {"e": "not found"}}
    assert judged(response).classification == "fully_working"
