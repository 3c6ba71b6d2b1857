"""What the documents, the reference's mistakes and the frameworks ask of the classifier."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.responses import ResponseValidator, ValidationContext


def context(
    text: str, tool: str = "delete_user", sent: dict[str, Any] | None = None
) -> ValidationContext:
    response = {"isError": True, "content": [{"type": "text", "text": text}]}
    return ValidationContext({"name": tool}, sent or {}, response)


@pytest.mark.parametrize(
    ("text", "tool", "sent", "business"),
    [
        ("User not found", "delete_user", {"userId": "test-id"}, True),
        (
            "TypeError: Cannot read property 'id' of undefined",
            "delete_user",
            {"userId": "valid-id"},
            False,
        ),
        (
            "Insufficient credits to perform this request",
            "delete_user",
            {"userId": "valid-id"},
            True,
        ),
        (
            "File not found: /nonexistent/file.mp3",
            "load_audio",
            {"path": "/nonexistent/file.mp3"},
            True,
        ),
    ],
)
def test_the_four_scenarios_of_the_document(
    text: str, tool: str, sent: dict[str, Any], business: bool
) -> None:
    assert ResponseValidator.is_business_logic_error(context(text, tool, sent)) is business


@pytest.mark.parametrize(
    ("tool", "text", "kind"),
    [
        ("widget_render", "Segmentation fault", "failure"),
        ("payload_validator", "TypeError: x.map is not a function", "failure"),
        ("compute_hash", "Segmentation fault", "failure"),
        ("stopwatch", "took 4040 ms", "unclear"),
        ("stopwatch", "Request took 4040 ms on port 4040", "unclear"),
        ("transfer_funds", "Insufficient funds in account", "business"),
        ("widget", "Job not found", "business"),
        ("widget", "Resource not found for ID: 12345", "business"),
        ("query_db", "Connection timeout: failed to connect to database", "environment"),
        ("widget", "Credit card declined", "business"),
        ("parse", "Maximum call stack size exceeded", "failure"),
    ],
)
def test_the_known_mistakes_of_the_reference_come_out_right(
    tool: str, text: str, kind: str
) -> None:
    assert ResponseValidator.explain_error(context(text, tool)).kind == kind


BAD_ARGUMENTS = """\
Error executing tool add: 1 validation error for addArguments
a
  Input should be a valid integer, unable to parse string as an integer \
[type=int_parsing, input_value='q', input_type=str]"""
NO_UPSTREAM = """\
TypeError: fetch failed
    at node:internal/deps/undici/undici:13502:13
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:3000"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Error executing tool weekly_digest", "unclear"),
        (BAD_ARGUMENTS, "business"),
        ("Unknown tool: nope", "business"),
        ("Input validation error: 'two' is not of type 'integer'", "business"),
        ("MCP error -32602: Invalid arguments for tool echo", "business"),
        ("MCP error -32603: Internal error", "unclear"),
        ("MCP error -32603: Internal error: user 7 not found", "business"),
        ("MCP error -32602: Output validation error: 'unit' is a required property", "failure"),
        ("Output validation error: outputSchema defined but no structured output", "failure"),
        ("Error calling tool 'x': 'charmap' codec can't encode character '\\u2713'", "failure"),
        ("Error calling tool 'x': User 7 does not exist", "business"),
        ("TypeError: fetch failed", "environment"),
        (NO_UPSTREAM, "environment"),
    ],
)
def test_what_frameworks_do_is_known(text: str, kind: str) -> None:
    assert ResponseValidator.explain_error(context(text, "render")).kind == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Request failed with status code 404", "business"),
        ("HTTP 503", "environment"),
        ("Server returned 502", "environment"),
        ("HTTP/1.1 429", "business"),
        ("Processed 404 rows in 500 ms", "unclear"),
        ("version 4.04.1 build 503", "unclear"),
    ],
)
def test_a_status_counts_only_where_a_status_stands(text: str, kind: str) -> None:
    assert ResponseValidator.explain_error(context(text, "render")).kind == kind


@pytest.mark.parametrize(
    ("code", "kind"),
    [(-32602, "business"), (-32601, "business"), (-32603, "unclear"), (-32000, "unclear")],
)
def test_a_json_rpc_code_is_compared_as_a_number(code: int, kind: str) -> None:
    response = {"error": {"code": code, "message": "hm"}}
    found = ResponseValidator.explain_error(ValidationContext({"name": "x"}, {}, response))
    assert found.kind == kind


def test_a_message_in_several_blocks_is_read_whole() -> None:
    blocks = ["Collecting ... done", "Computing ... failed", "Index 31 out of bounds for length 31"]
    content = [{"type": "text", "text": text} for text in blocks]
    response = {"isError": True, "content": [None, {"type": "image"}, *content]}
    found = ResponseValidator.explain_error(ValidationContext({"name": "x"}, {}, response))
    assert found.kind == "failure"


def test_an_error_in_json_is_read_without_what_only_echoes() -> None:
    text = '{"error": {"type": "not_found", "message": "gone"}, "query": "TypeError: segfault"}'
    assert ResponseValidator.explain_error(context(text, "render")).kind == "business"
