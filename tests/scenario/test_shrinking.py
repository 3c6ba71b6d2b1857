"""A failing call becomes as small as it can be while it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.scenario.limits import MAX_SHRINKS
from mcp_assay.scenario.shrinker import Shrinker
from mcp_assay.scenario.variations import SPECIAL
from tests.scenario.helping import closed, is_valid

ANYTHING = {"type": "object"}
SEARCH = closed(
    {
        "query": {"type": "string", "minLength": 2},
        "page": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "deep": {"type": "object"},
    },
    ["query"],
)
WHOLE: dict[str, Any] = {
    "query": "Hello, world",
    "page": 700,
    "tags": ["one", "two", "three"],
    "deep": {"a": {"b": 5}, "c": True},
}


def shrunk(
    arguments: dict[str, Any], fails: Callable[[dict[str, Any]], bool], schema: Any = ANYTHING
) -> dict[str, Any]:
    shrinker = Shrinker(arguments, schema)
    while (proposed := shrinker.propose()) is not None:
        shrinker.learn(fails(proposed))
    assert shrinker.tries <= MAX_SHRINKS
    return shrinker.smallest


@pytest.mark.parametrize(
    ("fails", "smallest"),
    [
        (lambda one: True, {"query": "aa"}),
        (lambda one: one.get("page", 0) > 5, {"query": "aa", "page": 10}),
        (lambda one: "two" in one.get("tags", ()), {"query": "aa", "tags": ["two"]}),
        (lambda one: "a" in one.get("deep", {}), {"query": "aa", "deep": {"a": {}}}),
        (lambda one: "," in one["query"], {"query": "a,"}),
        (lambda one: False, WHOLE),
    ],
)
def test_what_does_not_matter_goes(
    fails: Callable[[dict[str, Any]], bool], smallest: dict[str, Any]
) -> None:
    assert shrunk(WHOLE, fails, SEARCH) == smallest


def test_what_is_required_stays() -> None:
    assert "query" in shrunk(WHOLE, lambda one: True, SEARCH)


def test_what_was_valid_stays_valid_and_what_was_not_stays_so() -> None:
    shrinker = Shrinker({**WHOLE, "page": "not a number"}, SEARCH)
    while (proposed := shrinker.propose()) is not None:
        assert not is_valid(SEARCH, proposed)
        shrinker.learn(True)
    assert not is_valid(SEARCH, shrinker.smallest)


@pytest.mark.parametrize("schema", [None, 5, {"required": 5}, {"required": [1]}, {"type": 7}])
def test_odd_schemas_do_no_harm(schema: Any) -> None:
    assert len(shrunk(WHOLE, lambda one: True, schema)) <= len(WHOLE)


def test_a_large_call_is_shrunk_in_few_tries() -> None:
    large = {"items": [{"id": number, "text": "word " * 20} for number in range(200)]}
    smallest = shrunk(
        large, lambda one: any(item.get("id") == 150 for item in one.get("items", ()))
    )
    assert len(smallest["items"]) < 20


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.floats(-9, 9) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), st.randoms(use_true_random=False))
def test_shrinking_ends_and_only_goes_down(arguments: dict[str, Any], random: Any) -> None:
    answers = [random.random() < 0.5 for _ in range(MAX_SHRINKS)]
    results = []
    for _ in range(2):
        shrinker = Shrinker(arguments, True)
        reported = iter(answers)
        while shrinker.propose() is not None:
            shrinker.learn(next(reported))
        results.append(shrinker.smallest)
    assert results[0] == results[1]
    assert len(str(results[0])) <= len(str(arguments))


@pytest.mark.parametrize("sign", ["'", '"', "[", "(", "\\", "%", ";", "{", "<", "\n"])
def test_a_text_shrinks_to_the_character_that_matters(sign: str) -> None:
    text = next(one for _, one in SPECIAL if sign in one)
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    assert shrunk({"query": text}, lambda sent: sign in sent["query"], schema) == {"query": sign}
