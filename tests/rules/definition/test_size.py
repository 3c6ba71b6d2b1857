"""How large a surface is, and by what it is known again."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from mcp_assay.rules.definition.rule import resource, tool
from mcp_assay.rules.definition.size import MOST_COUNTED, cuts, measure
from mcp_assay.rules.definition.surface import Surface


def text(definition: Any) -> bytes:
    return json.dumps(definition, sort_keys=True, separators=(",", ":")).encode()


def test_a_tool_is_measured_as_compact_json() -> None:
    [size] = measure(Surface(tools=[tool("a")])).tools
    written = text(tool("a"))
    assert size.name == "a"
    assert size.bytes == len(written)
    assert 4 * size.tokens_estimated - size.bytes in range(4)
    assert size.sha256 == hashlib.sha256(written).hexdigest()


def test_all_lists_count_and_only_tools_are_reported_one_by_one() -> None:
    size = measure(Surface(tools=[tool()], resources=[resource()], prompts=[{"name": "sum"}]))
    assert size.bytes == sum(len(text(one)) for one in (tool(), resource(), {"name": "sum"}))
    assert (len(size.tools), size.resources, size.templates, size.prompts) == (1, 1, 0, 1)


def test_the_hash_changes_with_a_definition_but_not_with_the_order() -> None:
    one, other = tool("a"), tool("b")
    turned = dict(reversed(one.items()))
    whole = measure(Surface(tools=[one, other]))
    assert measure(Surface(tools=[other, turned])).sha256 == whole.sha256
    changed = measure(Surface(tools=[one, tool("b", description="Else")]))
    assert changed.sha256 != whole.sha256
    assert changed.tools[0] == whole.tools[0]


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value", [None, 7, "\ud800", {"a": 10**400}, {"a": float("inf")}, nested(600)]
)
def test_whatever_is_listed_is_measured(value: Any) -> None:
    [size] = measure(Surface(tools=[value])).tools
    assert size.name is None
    assert size.bytes > 0
    assert size.sha256


def test_what_is_nested_too_deep_has_no_hash() -> None:
    [size] = measure(Surface(tools=[nested(100_000)])).tools
    assert (size.bytes, size.sha256) == (0, None)


def test_definitions_are_kept_as_they_came() -> None:
    surface = Surface(tools=[tool("a")], resources=[resource()], prompts=[{"name": "sum"}])
    kept = measure(surface).definitions
    assert (kept.tools, kept.resources) == ([tool("a")], [resource()])
    assert (kept.templates, kept.prompts, kept.left_out) == ([], [{"name": "sum"}], 0)


@pytest.mark.parametrize(
    "odd", [nested(600), {"a": 10**400}, "\ud800", {"name": "x" * (MOST_COUNTED + 1)}]
)
def test_a_definition_that_a_report_cannot_hold_is_left_out_and_counted(odd: Any) -> None:
    surface = Surface(tools=[odd, tool("a")])
    size = measure(surface)
    kept = size.definitions
    assert (kept.tools, kept.left_out) == ([tool("a")], 1)
    (limit,) = cuts(surface, size)
    is_long = isinstance(odd, dict) and "name" in odd
    assert (limit.name, limit.count) == ("definition-bytes" if is_long else "odd-definitions", 1)


def test_limits_are_distinguished_and_only_where_they_cut() -> None:
    long = {"name": "x" * (MOST_COUNTED // 2)}
    surface = Surface(tools=[long, "\ud800"], prompts=[long, tool("a"), long])
    cut = {limit.name: limit.count for limit in cuts(surface, measure(surface))}
    assert cut == {"definition-bytes": 2, "odd-definitions": 1}
    whole = Surface(tools=[tool("a")])
    assert cuts(whole, measure(whole)) == []
