"""Answers without isError that are no success, and answers that only look like it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.responses import ResponseValidator, ValidationContext, ValidationResult

CONVERT = {"name": "convert_file", "description": "Converts a file into a PDF."}
UNFLAGGED = "Error reported without isError"
EMPTY = "Response carries no information"
UNMADE = "Not implemented"
STEP = "Asks for another step"


def judged(
    content: Any,
    *,
    sent: dict[str, Any] | None = None,
    tool: dict[str, Any] | None = None,
    **more: Any,
) -> ValidationResult:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    response = {"content": blocks, **more}
    context = ValidationContext(tool or CONVERT, sent or {"path": "a.txt"}, response)
    return ResponseValidator.validate_response(context)


def said(value: Any) -> str:
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "classification", "valid", "confidence"),
    [
        ("File not found: a.txt", "partially_working", True, 70),
        ("Error: unsupported format", "partially_working", True, 70),
        ("❌ Error: a.txt is not a document", "partially_working", True, 70),
        ("**Error**: permission denied", "partially_working", True, 70),
        ("Fehler: a.txt wurde nicht gefunden", "partially_working", True, 70),
        ("错误\uff1a文件 a.txt 不存在", "partially_working", True, 70),
        ("Permission denied: a.txt", "partially_working", True, 70),
        ("path must be a string", "partially_working", True, 70),
        ("The argument 'path' is required", "partially_working", True, 70),
        ("Forbidden: no access to a.txt", "partially_working", True, 70),
        (said({"success": False, "message": "a.txt is locked"}), "partially_working", True, 70),
        (said({"status": "error", "message": "no such file"}), "partially_working", True, 70),
        (said({"statusCode": 404, "message": "Not Found"}), "partially_working", True, 70),
        (said({"result": {"error": "no such file"}}), "partially_working", True, 70),
        (said({"errors": [{"message": "no file"}], "data": None}), "partially_working", True, 70),
        (said({"type": "error", "message": "Something went wrong"}), "partially_working", True, 70),
        ("connect ECONNREFUSED 127.0.0.1:5432", "connectivity_only", False, 30),
        ("Error: getaddrinfo ENOTFOUND api.example.com", "connectivity_only", False, 30),
        (said({"ok": False, "error": "upstream timed out"}), "connectivity_only", False, 30),
        ("TypeError: Cannot read properties of undefined (reading 'x')", "error", False, 0),
        (said({"error": "KeyError: 'pages'"}), "error", False, 0),
    ],
)  # fmt: skip
def test_an_error_without_the_flag_counts_by_its_kind(
    text: str, classification: str, valid: bool, confidence: float
) -> None:
    found = judged(text)
    assert (found.classification, found.is_valid) == (classification, valid)
    assert found.confidence == confidence
    assert UNFLAGGED in found.issues
    assert found.sign is not None
    assert found.sign.text


@pytest.mark.parametrize(
    ("text", "sent", "tool"),
    [
        ("Converted a.txt into a.pdf, 3 pages.", {}, CONVERT),
        ("No results found for 'tea'", {"query": "tea"}, {"name": "search_notes"}),
        ("User 7 does not exist", {"id": 7}, {"name": "check_user_exists"}),
        ("Error: disk full\nError: disk full", {}, {"name": "tail_logs"}),
        ("Error rate: 3 %", {}, {"name": "get_metrics"}),
        ("Error: mine", {"text": "Error: mine"}, {"name": "echo"}),
        ("Errors are values in Go; handle each of them.", {}, {"name": "get_page"}),
        (said({"status": "failed", "job": 7, "message": "no"}), {"job": 7}, {"name": "get_job"}),
        (said({"valid": False, "errors": ["no title"]}), {}, {"name": "validate_page"}),
        (said({"name": "CRS-1", "success": False, "details": "Engine out at 33 s",
               "rocket": "F9", "year": 2012, "site": "LC-40"}), {}, {"name": "get_launch"}),
        (said({"error": 0.05, "mean": 3.1}), {}, {"name": "measure"}),
        (said({"success": True, "error": None, "id": 3}), {}, CONVERT),
        (said([{"line": 3, "error": "unused import"}]), {}, {"name": "review"}),
        (said({"items": [{"status": "error"}, {"status": "ok"}]}), {}, {"name": "list_orders"}),
        ("TypeError: x is not a function", {"id": 3}, {"name": "get_message"}),
        ("Timeouts: connect 3 s, read 10 s", {}, {"name": "get_limits"}),
        ("HTTP 404 means that a page is not there.", {}, {"name": "explain_status"}),
        ("La commande a été créée sans erreur.", {}, {"name": "create_order"}),
        ("Helmets must be worn at all times.", {"city": "Oslo"}, {"name": "get_tip"}),
        ("Registration is required.", {"city": "Oslo"}, {"name": "get_tip"}),
        ("Forbidden on Sundays.", {"city": "Oslo"}, {"name": "get_tip"}),
    ],
)  # fmt: skip
def test_what_only_speaks_of_errors_is_a_success(
    text: str, sent: dict[str, Any], tool: dict[str, Any]
) -> None:
    found = judged(text, sent=sent or {"x": "y"}, tool=tool)
    assert (found.classification, found.issues) == ("fully_working", [])


@pytest.mark.parametrize(
    "content",
    ["", "   ", "\n\t\n", "[object Object]", "undefined", "null", "None", "NaN", "<nil>",
     "<coroutine object fetch at 0x7f3a12bc>", "com.acme.Report@1b6d3586", "Promise { <pending> }",
     [{"type": "text", "text": " "}, {"type": "text", "text": "undefined"}]],
)  # fmt: skip
def test_nothing_and_accidents_carry_no_information(content: Any) -> None:
    found = judged(content)
    assert (found.classification, found.confidence, found.is_valid) == (
        "partially_working",
        70,
        True,
    )
    assert found.issues == [EMPTY]


@pytest.mark.parametrize(
    ("content", "more", "sent"),
    [
        ("null", {}, {"text": "null"}),
        ("0", {}, {}),
        ("false", {}, {}),
        ("None of the 3 files changed.", {}, {}),
        ("undefined behaviour is described in chapter 4", {}, {}),
        (" ", {"structuredContent": {"pages": 3}}, {}),
        ([{"type": "image", "data": "aGk=", "mimeType": "image/png"}], {}, {}),
        ([{"type": "text", "text": " "},
          {"type": "resource_link", "uri": "file:///a", "name": "a"}], {}, {}),
    ],
)  # fmt: skip
def test_little_is_not_nothing(content: Any, more: dict[str, Any], sent: dict[str, Any]) -> None:
    assert judged(content, sent=sent, **more).classification == "fully_working"


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("Not implemented", UNMADE),
        ("\x54ODO: implement", UNMADE),
        ("This tool is not implemented yet.", UNMADE),
        ("convert_file has not been implemented", UNMADE),
        ("Coming soon!", UNMADE),
        ("This feature is not supported yet", UNMADE),
        ("The export command is under development.", UNMADE),
        (said({"message": "Not yet implemented"}), UNMADE),
        ("Placeholder response for convert_file", UNMADE),
        ("Are you sure? Call convert_file again with confirm=true.", STEP),
        ("Confirmation required: pass confirm=true", STEP),
        ("Please log in first.", STEP),
        ("You must call open_project before you convert anything.", STEP),
        (said({"requires_confirmation": True, "plan": "overwrite a.pdf"}), STEP),
        (said({"status": "auth_required", "url": "https://example.com/login"}), STEP),
    ],
)
def test_what_is_not_done_yet_is_partial(text: str, issue: str) -> None:
    found = judged(text)
    assert (found.classification, found.confidence) == ("partially_working", 70)
    assert found.issues == [issue]


@pytest.mark.parametrize(
    "text",
    [
        "\x54ODO: buy milk",
        "Implemented in 2019 by the tools team.",
        "The bridge is under construction until May; 3 lanes are open. Detour 4 km, then left.",
        "The museum is under construction",
        "The tunnel is not ready yet.",
        "Confirmed: table for two at 19:00.",
        "Order 7 is confirmed. Nothing else is needed.",
        "To log in, users need a password of 12 characters.",
        said({"confirmed": True, "id": 3}),
    ],
)
def test_what_is_done_is_done(text: str) -> None:
    assert judged(text).classification == "fully_working"


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "%%%", "mimeType": "image/png"},
        {"type": "image", "data": "aGk", "mimeType": "image/png"},
        {"type": "audio", "data": 7, "mimeType": "audio/wav"},
        {"type": "hologram", "text": "x"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "x", "blob": "aGk="}},
        {"type": "resource", "resource": {"uri": "file:///a"}},
        {"type": "resource_link", "uri": "file:///a"},
        {"type": "text", "text": "x", "annotations": {"priority": 7}},
        "text",
    ],
)
def test_a_block_with_an_error_of_the_protocol_is_malformed(block: Any) -> None:
    found = judged([{"type": "text", "text": "3 pages"}, block])
    assert (found.classification, found.confidence) == ("partially_working", 70)
    assert found.issues[0].startswith("Malformed content block: /content/1")
    assert found.response_metadata is not None
    assert found.response_metadata.malformed_count == 1


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a", "blob": "aGk="}},
        {"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "odd"},
        {"type": "text", "text": "", "_meta": {"example.com/x": 1}},
        {"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 0.5}},
    ],
)
def test_a_good_block_is_not(block: Any) -> None:
    assert judged([{"type": "text", "text": "3 pages"}, block]).classification == "fully_working"


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        (said({"success": True, "id": 7}), True),
        (said({"status": "ok", "data": {"id": 7}}), True),
        (said({"data": {"success": True}}), True),
        ("Successfully created note 7", True),
        ("Done.", True),
        ("Note 7 was saved successfully.", True),
        (said({"success": False, "error": "no"}), False),
        (said({"success": True, "error": "quota exceeded"}), False),
        (said({"status": "ok", "errors": ["no title"]}), False),
        ("Not done: the door is open", False),
        ("User 7 not found", False),
        ("Unsuccessful login", False),
        ("Login did not complete successfully.", False),
        ("Successfully connected, but the query failed", False),
        ("Success: false", False),
        ("Success rate is too low", False),
    ],
)
def test_a_success_with_the_flag_is_told(text: str, flagged: bool) -> None:
    found = judged(text, isError=True)
    assert (found.sign_kind == "flagged_success") is flagged
    assert ("Success reported with isError" in found.issues) is flagged
