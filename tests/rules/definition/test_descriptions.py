"""What definitions leave unsaid is told once, and only where nothing else says it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules.definition.linter import lint
from mcp_assay.rules.definition.rule import tool
from mcp_assay.rules.definition.surface import Surface


def found(rule: str, *tools: dict[str, Any]) -> list[Finding]:
    return [one for one in lint(Surface(tools=list(tools))) if one.rule == rule]


def taking(**properties: Any) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": properties})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "enum": ["a", "b"]},
        {"const": 1},
        {"$ref": "#/$defs/city"},
        {"type": "string", "description": "A city"},
        {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]},
        {"anyOf": [{"$ref": "#/$defs/city"}, {"type": "null"}]},
        {"type": "array", "items": {"enum": ["a", "b"]}},
        True,
    ],
)
def test_an_argument_that_is_told_otherwise_needs_no_description(schema: Any) -> None:
    assert not found("LINT-105", taking(city=schema))


def test_all_arguments_of_a_tool_without_a_description_are_one_finding() -> None:
    (one,) = found("LINT-105", taking(a={"type": "string"}, b={"type": "string", "title": "B"}))
    assert one.message.endswith('has 2 arguments without a description: "a", "b".')


def test_no_hint_at_all_is_one_finding_with_the_lines_to_paste() -> None:
    named = [tool(name, annotations=None) for name in ("get_note", "delete_note")]
    (one,) = found("LINT-106", *named)
    assert one.message == "None of 2 tools has annotations such as readOnlyHint."
    assert one.fix == (
        'Add, after a look at each: "get_note": "annotations": {"readOnlyHint": true}; '
        '"delete_note": "annotations": {"readOnlyHint": false, "destructiveHint": true}.'
    )


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        ("search_notes", '{"readOnlyHint": true}'),
        ("git_status", '{"readOnlyHint": true}'),
        ("ingest", '{"readOnlyHint": false}'),
        ("create_note", '{"readOnlyHint": false, "destructiveHint": false}'),
        ("create_or_replace_note", '{"readOnlyHint": false, "destructiveHint": true}'),
    ],
)
def test_hints_are_proposed_that_fit_the_words_of_a_tool(name: str, hints: str) -> None:
    described = "Shows the status" if name == "git_status" else "Takes notes"
    (one,) = found("LINT-106", tool(name, annotations=None, description=described))
    assert one.fix == f'Add, after a look at each: "{name}": "annotations": {hints}.'


def test_one_hint_shows_that_the_author_knows_of_them() -> None:
    assert not found(
        "LINT-106", tool(annotations=None), tool("b", annotations={"openWorldHint": 1})
    )


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "has no type"),
        ({"title": "It", "default": None}, "has no type"),
        ({"type": "object"}, "is an object without properties"),
        ({"type": "array"}, "is an array without items"),
        ({"type": "object", "additionalProperties": True}, "is an object without properties"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, None),
        ({"type": "object", "description": "The filter"}, None),
        ({"type": "array", "items": {}}, None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        ({"type": ["object", "null"]}, None),
        ({"minimum": 1}, None),
    ],
)
def test_an_argument_that_takes_everything_is_told(schema: Any, words: str | None) -> None:
    told = [one.message for one in found("LINT-107", taking(it=schema))]
    expected = f'The argument "it" of the tool "get_weather" {words}.'
    assert told == ([expected] if words else [])


@pytest.mark.parametrize(
    ("name", "description", "is_empty"),
    [
        ("get_user", "Get user", True),
        ("getUsers", "Gets the users.", True),
        ("echo", "This tool executes echo", True),
        ("get_user", "Get a user by id", False),
        ("add", "Add numbers", False),
        ("x", "Größe berechnen", False),
        ("get_weather", "获取天气", False),
        ("get_weather", "날씨", False),
        ("get_weather", "الطقس", False),
        ("获取天气", "获取天气", True),
        ("x", "", False),
    ],
)
def test_a_description_must_add_something_to_the_name(
    name: str, description: str, is_empty: bool
) -> None:
    assert bool(found("LINT-109", tool(name, description=description))) is is_empty


def test_tools_with_other_arguments_are_told_apart_by_them() -> None:
    one = taking(id={"type": "integer", "description": "Which"})
    other = {**tool("find_note"), "description": one["description"]}
    assert not found("LINT-108", one, other)
    named = [{**one, "name": name} for name in ("get_note", "find_notes", "delete_note")]
    (alike,) = found("LINT-108", *named)
    assert alike.message.startswith('The tools "get_note" and "find_notes" have the same')
