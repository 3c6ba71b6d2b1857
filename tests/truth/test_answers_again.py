"""Answers, refusals and statuses in further forms, each beside what only looks like it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess.tool_calls import unchecked_results
from mcp_assay.judge.status import judge_tool
from mcp_assay.model.verdict import JudgedCall
from mcp_assay.scenario.named_values import allowed_in
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import LONGEST_SPOT, spot
from tests.truth.test_conditional_schemas import ABC, TEXT, needs, planned, taking, when
from tests.truth.test_tool_statuses import CRASHED, GOOD, REFUSED, call
from tests.truth.test_unsuccessful_answers import EMPTY, UNFLAGGED, judged, said


def rpc(code: int, message: str = "Internal error", **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


WRONG = call(REFUSED, valid=False)
TRACE = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'"
INTERNAL: dict[str, tuple[list[JudgedCall], str]] = {
    "bare": ([call(rpc(-32603)), WRONG], "broken"),
    "where wrong arguments get an error": (
        [call(rpc(-32603)), call(rpc(-32602, "Invalid params"), valid=False)],
        "broken",
    ),
    "in other words": ([call(rpc(-32603, "Internal Server Error")), WRONG], "broken"),
    "in another language": ([call(rpc(-32603, "Interner Fehler")), WRONG], "broken"),
    "without words": ([call(rpc(-32603, "")), WRONG], "broken"),
    "without a message": ([call({"error": {"code": -32603}}), WRONG], "broken"),
    "with a trace": ([call(rpc(-32603, data=TRACE)), WRONG], "broken"),
    "with words that say nothing": ([call(rpc(-32603, "Something went wrong")), WRONG], "broken"),
    "always": ([*[call(rpc(-32603))] * 5, WRONG], "broken"),
    "at times": ([call(rpc(-32603)), call(GOOD), WRONG], "partially_working"),
    "with a cause elsewhere": (
        [call(rpc(-32603, "connect ECONNREFUSED 10.0.0.1:5432")), WRONG],
        "connectivity_only",
    ),
    "with such a cause in its data": (
        [call(rpc(-32603, data={"cause": "getaddrinfo ENOTFOUND db"})), WRONG],
        "connectivity_only",
    ),
    "that is a refusal": ([call(rpc(-32603, "Unknown place 'Oslo'")), WRONG], "unproven"),
    "that is a refusal in its data": (
        [call(rpc(-32603, data={"message": "place must be a city"})), WRONG],
        "unproven",
    ),
    "for any arguments": ([call(rpc(-32603)), call(rpc(-32603), valid=False)], "unproven"),
    "for the only arguments": ([call(rpc(-32603))], "unproven"),
    "where wrong arguments are taken": (
        [call(rpc(-32603)), call(GOOD, valid=False)],
        "unproven",
    ),
    "where wrong arguments crash": (
        [call(rpc(-32603)), call(CRASHED, valid=False)],
        "unproven",
    ),
    "for wrong arguments alone": (
        [call(REFUSED), call(rpc(-32603), valid=False)],
        "unproven",
    ),
    "for odd arguments alone": ([call(rpc(-32603), sensible=False), WRONG], "unproven"),
    "of another code": ([call(rpc(-32602, "Invalid params")), WRONG], "unproven"),
}


@pytest.mark.parametrize("name", INTERNAL)
def test_an_internal_error_is_a_crash_where_refusals_look_otherwise(name: str) -> None:
    calls, status = INTERNAL[name]
    assert judge_tool(calls).status == status


BLOCKS: list[tuple[Any, bool]] = [
    ({"type": "image", "data": "data:image/png;base64,aGk=", "mimeType": "image/png"}, False),
    ({"type": "image", "data": "a-_k", "mimeType": "image/png"}, False),
    ({"type": "audio", "data": "aGk="}, False),
    ({"type": "resource", "resource": {"uri": "notes/1", "text": "x"}}, False),
    ({"type": "resource", "resource": "x"}, False),
    ({"type": "text", "text": None}, False),
    ({"Type": "text", "text": "x"}, False),
    ({"type": "image_url", "image_url": {"url": "https://x.example"}}, False),
    ({"type": "text", "text": "x", "annotations": {"audience": ["model"]}}, False),
    (None, False),
    ({"type": "text", "text": "x", "extra": 1}, True),
    ({"type": "image", "data": "", "mimeType": "image/png"}, True),
    ({"type": "resource", "resource": {"uri": "notes://1", "text": ""}}, True),
    ({"type": "resource_link", "uri": "https://x.example/a", "name": ""}, True),
    ({"type": "audio", "data": "aGk=", "mimeType": "audio/x-odd"}, True),
    ({"type": "text", "text": "x", "annotations": {}}, True),
]


@pytest.mark.parametrize(("block", "is_good"), BLOCKS)
def test_a_block_is_as_good_as_the_protocol_says(block: Any, is_good: bool) -> None:
    found = judged([{"type": "text", "text": "3 pages"}, block])
    expected = ("fully_working", 100) if is_good else ("partially_working", 70)
    assert (found.classification, found.confidence) == expected


NOTHING = [
    "\u200b",
    "\u00a0\ufeff",
    "''",
    '""',
    "[object Promise]",
    "[object Object],[object Object]",
    "<generator object f at 0x7f8b1c0d2e50>",
    "<__main__.Report object at 0x7f8b1c0d2e50>",
    "System.Object[]",
    "[Ljava.lang.String;@1b6d3586",
    "#<Report:0x000078a1>",
    "&{0xc000010000}",
]
SOMETHING = [
    "0",
    "no",
    "n/a",
    "ok",
    "-",
    "The value is null.",
    "null island",
    "undefined: 3 symbols",
    "[object Object] is what JavaScript prints",
    "'' and \"\" are empty",
    "0xc000010000",
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_nobody_can_read_carries_no_information(text: str) -> None:
    assert judged(text).issues == [EMPTY]


@pytest.mark.parametrize("text", SOMETHING)
def test_what_somebody_can_read_does(text: str) -> None:
    assert judged(text).issues == []


FLAGGED: list[tuple[str, bool]] = [
    (said({"ok": True, "result": [1]}), True),
    (said({"success": True, "message": "Created"}), True),
    (said({"code": 0, "msg": "success"}), True),
    (said({"statusCode": 200, "body": "x"}), True),
    (said({"success": True, "failed": 0}), True),
    ("\u2705 Note created", True),
    ("Operation completed successfully", True),
    (said({"status": "ok", "failed": ["a"]}), False),
    (said({"success": True, "errors_count": 2}), False),
    (said({"statusCode": 404, "body": "x"}), False),
    (said({"success": "false"}), False),
    (said({"ok": True, "error": {"message": "x"}}), False),
    ("\u2705 2 notes, but 1 failed", False),
    ("OK, but the title is missing", False),
    ("Done with errors", False),
    ("not successful", False),
]


@pytest.mark.parametrize(("text", "is_success"), FLAGGED)
def test_a_success_with_the_flag_is_told_whatever_its_form(text: str, is_success: bool) -> None:
    assert (judged(text, isError=True).sign_kind == "flagged_success") is is_success


UNFLAGGED_TEXTS: list[tuple[str, bool]] = [
    ("Error!", True),
    ("ERROR 404", True),
    ("Error (-32000)", True),
    ("Failed to convert a.txt", True),
    ("Unable to open a.txt", True),
    ("\u26a0\ufe0f Failed: a.txt not readable", True),
    (said({"error": True, "message": "x"}), True),
    ("No errors found.", False),
    ("0 errors", False),
    ("error", False),
    ("Converted with 2 warnings", False),
    (said({"error": False, "pages": 3}), False),
    (said({"error": "", "pages": 3}), False),
    (said({"errors": [], "pages": 3}), False),
]


@pytest.mark.parametrize(("text", "is_error"), UNFLAGGED_TEXTS)
def test_an_error_without_the_flag_is_told_whatever_its_form(text: str, is_error: bool) -> None:
    assert (UNFLAGGED in judged(text).issues) is is_error


LISTED: dict[str, dict[str, Any]] = {
    "a condition denied": taking(
        ABC, **{"if": {"not": {"properties": {"mode": {"const": "a"}}}}, "then": needs("size")}
    ),
    "one of two conditions": taking(
        ABC,
        **{
            "if": {"anyOf": [{"properties": {"mode": {"const": one}}} for one in "ab"]},
            "then": needs("size"),
            "else": needs("title"),
        },
    ),
    "a condition in a condition": taking(
        ABC, **when({"const": "a"}, needs("size"), when({"const": "b"}, needs("title")))
    ),
    "a condition by reference": taking(
        ABC,
        **{"$defs": {"x": when({"const": "c"}, needs("size"))}, "allOf": [{"$ref": "#/$defs/x"}]},
    ),
    "branches with one value and with several": taking(
        TEXT,
        oneOf=[
            {"properties": {"mode": {"const": "a"}}, **needs("size")},
            {"properties": {"mode": {"enum": ["b", "c"]}}, **needs("title")},
        ],
    ),
    "constants of the argument itself": taking(
        {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}, {"const": "c"}]},
        **when({"const": "b"}, needs("size")),
    ),
    "a list and a constant": taking(
        {"anyOf": [{"enum": ["a", "b"]}, {"const": "c"}]}, **when({"const": "b"}, needs("size"))
    ),
    "what is needed beside it": taking(ABC, dependentRequired={"mode": ["size"]}),
}


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_value_is_tried_whatever_the_condition(name: str) -> None:
    made = planned(LISTED[name])
    assert {*made.listed["/mode"]} == {"a", "b", "c"}
    assert {one.arguments.get("mode") for one in made.scenarios if one.valid} >= {"a", "b", "c"}


ALLOWED: list[tuple[str, tuple[str, ...]]] = [
    ("sort must be one of: name, date, size", ("name", "date", "size")),
    ("Valid values are 'name', 'date' and 'size'.", ("name", "date", "size")),
    ("unknown sort 'x' (choose from 'name', 'date')", ("name", "date")),
    ("'x' is not one of ['name', 'date']", ("name", "date")),
    ("Invalid enum value. Expected 'name' | 'date', received 'x'", ("name", "date")),
    ("allowed: name|date|size", ("name", "date", "size")),
    ("sort has to be either name or date", ("name", "date")),
    ("Unknown sort. Options: name, date", ("name", "date")),
    ("sort must not be empty", ()),
    ("Unknown tool x. Available tools: a, b, c", ()),
    ("must be a string", ()),
    ("days must be between 1 and 7", ()),
    ("There are options, many of them", ()),
    ("It is not allowed: ask ada", ()),
    ("Invalid sort", ()),
]


@pytest.mark.parametrize(("refusal", "values"), ALLOWED)
def test_values_that_a_refusal_names_are_read(refusal: str, values: tuple[str, ...]) -> None:
    assert allowed_in(refusal) == values


SCHEMAS: list[tuple[Any, bool]] = [
    ({"type": "nonsense"}, True),
    ({"type": "object", "properties": []}, True),
    ({"type": "object", "$ref": "https://h.example/s.json"}, True),
    ({"type": ["object", "thing"]}, True),
    ({"type": "object", "minProperties": -1}, True),
    ({"type": "object", "properties": {"n": {"enum": 7}}}, True),
    ({"type": "object", "properties": {}}, False),
    ({"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {}}}, False),
    ({"type": "object", "additionalProperties": False}, False),
    ({"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}, False),
    ({"type": "object", "x-note": 1}, False),
    ({"type": "object", "properties": {"n": {"format": "odd"}}}, False),
]


@pytest.mark.parametrize(("schema", "is_unchecked"), SCHEMAS)
def test_a_schema_that_checks_nothing_is_said_to(schema: Any, is_unchecked: bool) -> None:
    found = list(unchecked_results({"name": "find", "outputSchema": schema}))
    assert bool(found) is is_unchecked


PLACES: list[tuple[tuple[str | int, ...], str]] = [
    (("params", "_meta", "com.example/" + "k" * 60), "k" * 60),
    (("result", "tools", 1234, "inputSchema", "properties", "a b"), "/properties/a b"),
    (("result", *["items"] * 90, "type"), "/items/type"),
    (("params", "arguments", "x" * 300), "x"),
    (("error", "data", "a/b~c"), "/a~1b~0c"),
    (("id",), "/id"),
]


@pytest.mark.parametrize(("path", "end"), PLACES)
def test_the_last_word_of_a_place_is_kept(path: tuple[str | int, ...], end: str) -> None:
    text = spot(path)
    assert text.endswith(end)
    assert text.startswith(f"/{path[0]}")
    assert len(text) <= LONGEST_SPOT + 20


@pytest.mark.parametrize(
    "path",
    [
        (),
        ("id",),
        ("params", "name"),
        ("result", "content", 0, "text"),
        ("params", "_meta", "io.modelcontextprotocol/clientCapabilities"),
        ("result", "tools", 12, "inputSchema", "properties", "city", "type"),
    ],
)
def test_a_short_place_is_not_cut(path: tuple[str | int, ...]) -> None:
    assert "…" not in spot(path)


SECRETS: list[tuple[str, bool]] = [
    ("redis://:p4ssw0rd99@cache:6379/0", True),
    ("jdbc:postgresql://db/x?user=a&password=Zx9-kk21q", True),
    ("Server=db;User Id=sa;Password=Zx9kk21q!;", True),
    (f"sk-ant-api03-{'aB3d' * 20}", True),
    ("https://b.s3.amazonaws.com/k?X-Amz-Signature=" + "0123456789abcdef" * 4, True),
    ("https://acct.blob.core.windows.net/c?sv=2022&sig=AbC%2Fd3F%2BgHiJkLmNoPqRsTu%3D", True),
    ("commit 0123456789abcdef0123456789abcdef01234567", False),
    ("uuid 123e4567-e89b-12d3-a456-426614174000", False),
    ("token bucket algorithm", False),
    ("api_key: (not set)", False),
    ("cursor=eyJwYWdlIjoyfQ==", False),
    ("https://x.example/a?signature_version=2", False),
]


@pytest.mark.parametrize(("text", "is_secret"), SECRETS)
def test_further_secrets_are_known_by_their_form(text: str, is_secret: bool) -> None:
    assert holds_secret(text) is is_secret
