"""Whatever the schema is: expectations are right, and the same seed does the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scenario.helping import is_valid, planned

NAMES = st.sampled_from(["id", "email", "count", "path", "x", "user_name", "ü"])
SMALL = st.integers(-20, 20)
SIZES = st.integers(0, 6)
PATTERNS = st.sampled_from(["^[a-z]+$", "^a|b$", "[0-9]{2,4}", "^(x|yy)*$", ""])
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.just({}),
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": SIZES,
            "maxLength": SIZES,
            "pattern": PATTERNS,
            "format": st.sampled_from(["date", "email", "odd"]),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number", ["integer", "null"]])},
        optional={
            "minimum": SMALL | st.floats(-9, 9),
            "maximum": SMALL | st.floats(-9, 9),
            "exclusiveMinimum": SMALL,
            "exclusiveMaximum": SMALL,
            "multipleOf": st.sampled_from([1, 3, 0.5, 0.1]),
        },
    ),
    st.builds(
        lambda one: {"enum": one}, st.lists(SMALL | st.text(max_size=3), min_size=1, max_size=4)
    ),
    st.builds(lambda one: {"const": one}, SMALL | st.none() | st.text(max_size=3)),
    st.builds(lambda one: {"type": one}, st.sampled_from(["boolean", "null", "array", "object"])),
    st.just({"$ref": "#/$defs/shared"}),
)


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    arrays = st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "items": inner,
            "minItems": SIZES,
            "maxItems": SIZES,
            "uniqueItems": st.booleans(),
            "contains": inner,
            "prefixItems": several,
        },
    )
    mixed = st.sampled_from(["anyOf", "oneOf", "allOf"])
    return st.one_of(
        objects(inner),
        arrays,
        st.builds(lambda word, schemas: {word: schemas}, mixed, several),
        st.builds(lambda one: {"not": one}, inner),
        st.builds(lambda a, b, c: {"if": a, "then": b, "else": c}, inner, inner, inner),
    )


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=4)},
        optional={
            "required": st.lists(NAMES, unique=True, max_size=3),
            "additionalProperties": inner,
            "minProperties": SIZES,
            "maxProperties": SIZES,
            "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2), max_size=2),
        },
    )


SCHEMAS = st.recursive(LEAVES, larger, max_leaves=8)


def rooted(root: dict[str, Any], shared: Any) -> dict[str, Any]:
    return {**root, "$defs": {"shared": shared}}


TOOLS = st.builds(rooted, objects(SCHEMAS), SCHEMAS)


@settings(max_examples=150)
@given(TOOLS, st.integers(0, 3))
def test_expectations_are_right_whatever_the_schema_is(schema: dict[str, Any], seed: int) -> None:
    found = planned(schema, budget=20, seed=seed)
    assert len(found.scenarios) <= 20
    decided = [one for one in found.scenarios if one.valid is not None]
    assert [one for one in decided if one.valid != is_valid(schema, one.arguments)] == []
    assert all(one.valid is not True for one in decided if one.category == "error_case")


@settings(max_examples=60)
@given(TOOLS, st.integers(0, 3))
def test_the_same_seed_makes_the_same_plan(schema: dict[str, Any], seed: int) -> None:
    assert planned(schema, budget=20, seed=seed) == planned(schema, budget=20, seed=seed)


@settings(max_examples=100)
@given(st.dictionaries(NAMES, st.one_of(LEAVES), min_size=1, max_size=4))
def test_a_happy_path_is_found_or_what_is_missing_is_said(properties: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": properties, "required": sorted(properties)}
    found = planned({**schema, "$defs": {"shared": {"type": "string"}}}, budget=5)
    assert found.gaps or found.scenarios[0].valid is True
