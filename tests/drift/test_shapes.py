"""Shapes are learned from values, fit all of them, and survive being written down."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.drift.answers import MOST_MEMBERS, from_schema, joined, shape_of, to_schema

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.lists(JSON, min_size=1, max_size=4))
def test_what_is_learned_from_values_fits_each_of_them(values: list[Any]) -> None:
    schema = to_schema(joined(map(shape_of, values)))
    assert all(jsonschema_rs.is_valid(schema, value) for value in values)


@settings(max_examples=200)
@given(st.lists(JSON, min_size=1, max_size=4))
def test_a_shape_is_the_same_after_it_was_written_and_read(values: list[Any]) -> None:
    shape = joined(map(shape_of, values))
    assert from_schema(to_schema(shape)) == shape


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([1, 2.5], {"type": "number"}),
        (["a", None], {"type": ["null", "string"]}),
        ([[]], {"type": "array"}),
        ([[], [1]], {"type": "array", "items": {"type": "integer"}}),
        (
            [{"a": 1, "b": "x"}, {"a": 2}],
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
                "required": ["a"],
            },
        ),
        (
            [{"a": 1}, "gone"],
            {
                "type": ["object", "string"],
                "properties": {"a": {"type": "integer"}},
                "required": ["a"],
            },
        ),
    ],
    ids=str,
)
def test_types_members_and_nulls_are_distinguished(values: list[Any], schema: Any) -> None:
    assert to_schema(joined(map(shape_of, values))) == schema


def test_a_field_named_like_an_input_keeps_its_list_while_all_values_are_in_it() -> None:
    enums = {"domain": ["code", "text"]}
    inside = shape_of({"items": [{"domain": "code"}, {"domain": "text"}]}, enums)
    item = to_schema(inside)["properties"]["items"]["items"]
    assert item["properties"]["domain"] == {"type": "string", "enum": ["code", "text"]}
    outside = joined([inside, shape_of({"items": [{"domain": "art"}]}, enums)])
    item = to_schema(outside)["properties"]["items"]["items"]
    assert item["properties"]["domain"] == {"type": "string"}


def test_an_object_with_very_many_members_is_a_map() -> None:
    many = {f"user-{n}": n for n in range(MOST_MEMBERS + 1)}
    assert to_schema(shape_of(many)) == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }


def test_values_without_end_are_cut_at_a_depth() -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    assert to_schema(shape_of(deep))["type"] == "array"
