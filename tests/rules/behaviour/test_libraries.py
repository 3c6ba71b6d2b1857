"""What servers are built with is told by signs; what an author's own code says is the author's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.finding import NOWHERE, Finding
from mcp_assay.rules.behaviour.libraries import (
    LIBRARIES,
    NO_CURE,
    built_with,
    signs_of_answer,
    signs_of_tools,
    with_library,
)
from mcp_assay.rules.index import INDEX


def text(said: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}], "isError": True}


def finding(rule: str, came: object) -> Finding:
    dialogue = [{"sent": "{}", "came": json.dumps(came)}]
    return Finding(
        rule=rule, name="x", severity="warning", subject="server", message="m", pointer="",
        where=NOWHERE, revision="2025-11-25", statement="", url="", reason=None,
        details={"dialogue": dialogue}, evidence=None, fix="Return error -32602.", cause=rule,
        fingerprint=rule,
    )  # fmt: skip


UNKNOWN_METHOD = {"code": -32602, "message": "Invalid request parameters", "data": ""}
NO_METHOD = {"code": -32601, "message": "Method not found", "data": "mcp-assay/no-such-method"}
ZOD = {"code": -32603, "message": '[\n  {\n    "expected": "string"\n  }\n]'}
TITLED = {"name": "add", "inputSchema": {"type": "object", "title": "addArguments"}}


@pytest.mark.parametrize(
    ("signs", "name", "version"),
    [
        ([*signs_of_tools([TITLED]), *signs_of_answer(None, NO_METHOD)], "Python SDK", "2.x"),
        ([*signs_of_answer(None, UNKNOWN_METHOD), "broken JSONRPC-033"], "Python SDK", "1.x"),
        ([*signs_of_tools([{"name": "a", "_meta": {"fastmcp": {}}}])], "FastMCP", ""),
        ([*signs_of_answer(text("MCP error -32602: Tool x not found"), None)], "TypeScript SDK",
         "1.x"),
        ([*signs_of_answer(None, ZOD)], "TypeScript SDK", "1.x"),
    ],
)  # fmt: skip
def test_a_library_is_known_by_what_authors_do_not_write(
    signs: list[str], name: str, version: str
) -> None:
    built = built_with(signs)
    assert built is not None
    assert (built.library.name, built.version) == (name, version)


@pytest.mark.parametrize(
    "answer",
    [
        (None, {"code": -32601, "message": "Method not found"}),
        (None, {"code": -32602, "message": "no such tool"}),
        (text("No note has this id."), None),
        ({"content": [{"type": "text", "text": "Unknown tool: x"}]}, None),
        (None, None),
    ],
)
def test_what_any_server_may_say_shows_no_library(answer: tuple[Any, Any]) -> None:
    assert built_with(signs_of_answer(*answer)) is None


def test_only_the_answers_of_the_library_are_its_own() -> None:
    built = built_with(signs_of_tools([TITLED]))
    of_sdk = with_library(finding("CALL-006", {"result": text("Unknown tool: x")}), built)
    of_author = finding("CALL-006", {"result": text("Error: Missing arguments")})
    assert of_sdk.details is not None
    assert of_sdk.details["decided_by"]["cure"] == NO_CURE
    assert with_library(of_author, built) == of_author


def test_a_version_that_cures_is_named() -> None:
    built = built_with([*signs_of_answer(None, UNKNOWN_METHOD), "broken JSONRPC-033"])
    told = finding("JSONRPC-033", {"error": UNKNOWN_METHOD})
    assert with_library(told, built).fix == (
        "Decided by the Python SDK 1.x: mcp 2 or later cures it."
    )


def test_every_rule_of_the_table_exists() -> None:
    assert {one.rule for library in LIBRARIES for one in library.decides} <= INDEX.keys()


@pytest.mark.parametrize(
    "tools", [[None, 1, {}], [{"_meta": 1, "inputSchema": []}], [{"_meta": {}}]]
)
def test_no_definition_is_too_odd(tools: list[Any]) -> None:
    assert built_with(signs_of_tools(tools)) is None


@pytest.mark.parametrize(
    ("message", "is_decided"),
    [
        ("The result is an empty list, of which its content has no text block.", True),
        ("The result has structuredContent but its content has no text block.", False),
    ],
)
@pytest.mark.parametrize("meta", [{"fastmcp": {}}, {}])
def test_only_an_empty_list_has_no_text_by_the_library(
    message: str, is_decided: bool, meta: dict[str, Any]
) -> None:
    built = built_with(signs_of_tools([{**TITLED, "_meta": meta}]))
    found = with_library(replace(finding("CALL-004", {}), message=message), built)
    assert ("decided_by" in (found.details or {})) == is_decided


@pytest.mark.parametrize(
    ("tool", "said"),
    [({**TITLED, "_meta": {"fastmcp": {}}}, "by FastMCP: "), (TITLED, "by the Python SDK: ")],
)
def test_a_library_is_named_as_people_name_it(tool: dict[str, Any], said: str) -> None:
    found = with_library(finding("PAGE-002", {}), built_with(signs_of_tools([tool])))
    assert said in (found.fix or "")
