"""Without a server's help, the schema of a tool says all that it can say about a call."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.capability import SchemaOnlyValidator, ToolCheck

OPEN = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "pattern": "^/"},
        "mode": {"enum": ["r", "w"]},
        "tags": {"type": "array", "items": {"type": "object", "required": ["name"]}},
    },
    "required": ["path"],
}
CLOSED = {**OPEN, "additionalProperties": False}


def check(arguments: Any, schema: Any = OPEN) -> ToolCheck:
    return SchemaOnlyValidator({"name": "t", "inputSchema": schema}).validate(arguments)


def test_a_good_call_is_valid_and_says_who_found_so() -> None:
    assert check({"path": "/x", "mode": "r"}) == ToolCheck(valid=True, method="schema-only")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "path"),
        ({"path": 5}, "path"),
        ({"path": "x"}, "path"),
        ({"path": "/x", "mode": "rw"}, "mode"),
        ({"path": "/x", "tags": [{"name": "a"}, {}]}, "tags.1"),
    ],
)
def test_each_fault_is_an_error_that_names_its_place(arguments: Any, word: str) -> None:
    (error,) = check(arguments).errors
    assert word in error


def test_an_unknown_parameter_is_a_warning_where_the_schema_allows_it() -> None:
    found = check({"path": "/x", "mood": "r"})
    assert found.valid
    assert found.warnings == ["The tool has no parameter 'mood'."]
    assert found.suggestions == ["Did you mean 'mode' instead of 'mood'?"]


def test_an_unknown_parameter_is_an_error_where_the_schema_forbids_it() -> None:
    found = check({"path": "/x", "mood": "r"}, CLOSED)
    assert not found.valid
    assert found.suggestions == ["Did you mean 'mode' instead of 'mood'?"]


@pytest.mark.parametrize("arguments", [None, [], "x", 5])
def test_arguments_that_are_no_object_are_refused(arguments: Any) -> None:
    assert not check(arguments).valid


def test_a_schema_that_cannot_be_used_leaves_a_warning_and_no_verdict_against_the_call() -> None:
    found = check({"path": "/x"}, {"$ref": "https://schemas.invalid/x.json"})
    assert found.valid
    assert found.warnings


def test_a_tool_without_a_schema_accepts_any_object() -> None:
    assert SchemaOnlyValidator({"name": "t"}).validate({"a": 1}).valid
