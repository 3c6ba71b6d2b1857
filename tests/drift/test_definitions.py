"""Changes of definitions are graded by what they do to those who call, read and choose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.client.schema_worker import SchemaWorker
from mcp_assay.drift.comparison import by_gravity
from mcp_assay.drift.definitions import definition_changes

TOOL: dict[str, Any] = {
    "name": "find",
    "description": "Find notes.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 100},
            "kind": {"enum": ["a", "b"]},
            "filter": {"type": "object", "properties": {"tag": {"type": ["string", "null"]}}},
        },
        "required": ["text"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {"count": {"type": "integer"}},
        "required": ["count"],
    },
    "annotations": {"readOnlyHint": True},
}


@pytest.fixture(scope="module")
def worker() -> Iterator[SchemaWorker]:
    with SchemaWorker() as made:
        yield made


def altered(*path: str, value: Any) -> dict[str, Any]:
    """The tool with one member that is another one; None takes it out."""

    def put(node: Any, names: tuple[str, ...]) -> Any:
        first, *rest = names
        inner = put(node.get(first, {}), tuple(rest)) if rest else value
        whole = {**node, first: inner}
        return {key: it for key, it in whole.items() if it is not None}

    return put(TOOL, path)  # type: ignore[no-any-return]


def graded(new: Any, worker: SchemaWorker | None) -> dict[str, str]:
    changes = definition_changes({"tools": [TOOL]}, {"tools": [new] if new else []}, worker)
    return {change.place.removeprefix("/tools/find"): change.grade for change in changes}


INPUT = ("inputSchema", "properties")
CASES = [
    (None, {"": "breaking"}),
    (
        altered("inputSchema", "required", value=["text", "kind"]),
        {"/inputSchema/required": "breaking"},
    ),
    (altered("inputSchema", "required", value=[]), {"/inputSchema/required": "cosmetic"}),
    (
        altered(*INPUT, "kind", "enum", value=["a"]),
        {"/inputSchema/properties/kind/enum": "breaking"},
    ),
    (
        altered(*INPUT, "kind", "enum", value=["a", "b", "c"]),
        {"/inputSchema/properties/kind/enum": "cosmetic"},
    ),
    (
        altered(*INPUT, "kind", "enum", value={"a": 1}),
        {"/inputSchema/properties/kind/enum": "risky"},
    ),
    (
        altered(*INPUT, "text", "maxLength", value=10),
        {"/inputSchema/properties/text/maxLength": "breaking"},
    ),
    (
        altered(*INPUT, "text", "maxLength", value=1000),
        {"/inputSchema/properties/text/maxLength": "cosmetic"},
    ),
    (
        altered(*INPUT, "filter", "properties", "tag", "type", value="string"),
        {"/inputSchema/properties/filter/properties/tag/type": "breaking"},
    ),
    (altered(*INPUT, "kind", value=None), {"/inputSchema/properties/kind": "risky"}),
    (
        altered(*INPUT, "text", "pattern", value="^x"),
        {"/inputSchema/properties/text/pattern": "breaking"},
    ),
    (
        altered(*INPUT, "limit", value={"type": "integer"}),
        {"/inputSchema/properties/limit": "cosmetic"},
    ),
    (altered("outputSchema", value=None), {"/outputSchema": "breaking"}),
    (altered("outputSchema", "required", value=[]), {"/outputSchema/required": "breaking"}),
    (
        altered("outputSchema", "properties", "count", "minimum", value=0),
        {"/outputSchema/properties/count/minimum": "cosmetic"},
    ),
    (altered("description", value="Other words."), {"/description": "risky"}),
    (altered("annotations", "readOnlyHint", value=False), {"/annotations/readOnlyHint": "risky"}),
    (altered("title", value="Find"), {"/title": "cosmetic"}),
    (TOOL, {}),
]


@pytest.mark.parametrize(("new", "expected"), CASES)
def test_each_change_of_a_tool_has_its_grade(
    new: Any, expected: dict[str, str], worker: SchemaWorker
) -> None:
    assert graded(new, worker) == expected


def test_what_nobody_can_decide_is_risky_and_says_so() -> None:
    pattern = altered(*INPUT, "text", "pattern", value="^x")
    (change,) = definition_changes({"tools": [TOOL]}, {"tools": [pattern]})
    assert change.grade == "risky"
    assert "could not be decided" in change.message


def test_a_new_tool_breaks_nothing() -> None:
    (change,) = definition_changes({}, {"tools": [TOOL]})
    assert (change.grade, change.message) == ("cosmetic", "The tool 'find' is new.")


def test_arguments_of_prompts_are_graded() -> None:
    old = {"name": "p", "arguments": [{"name": "a"}, {"name": "b", "required": True}]}
    new = {"name": "p", "arguments": [{"name": "a", "required": True}, {"name": "c"}]}
    changes = by_gravity(definition_changes({"prompts": [old]}, {"prompts": [new]}))
    assert [(change.grade, change.place) for change in changes] == [
        ("breaking", "/prompts/p/arguments/a"),
        ("risky", "/prompts/p/arguments/b"),
        ("cosmetic", "/prompts/p/arguments/c"),
    ]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from([*("type", "enum", "required", "properties", "items", "not", "if")])
            | st.sampled_from([*("minimum", "default", "anyOf", "additionalProperties", "$ref")]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(ODD, ODD)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_whatever_stands_in_two_schemas_they_are_compared(old: Any, new: Any) -> None:
    before, now = ({"name": "x", "inputSchema": it, "arguments": it} for it in (old, new))
    changes = definition_changes({"tools": [before]}, {"tools": [now]})
    assert all(change.place.startswith("/tools/x/") for change in changes)
    assert not changes or old != new


def test_hostile_definitions_change_nothing_else() -> None:
    odd = [None, 5, {"name": 5}, {"name": "x", "inputSchema": True}, {"name": "x"}]
    changes = definition_changes({"tools": odd}, {"tools": odd[::-1]})
    assert {change.place for change in changes} <= {"/tools/x/inputSchema"}
