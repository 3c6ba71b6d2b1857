"""Two lists of tools: what differs, and whether calls go by it."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from mcp_assay.drift.definitions import relisted
from mcp_assay.rules.behaviour.changed_tools import Relisted

TOOL: dict[str, Any] = {
    "name": "find",
    "description": "It is 11:30.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "sort": {"enum": ["name", "date"], "description": "How.", "default": "name"}
        },
        "required": ["sort", "by"],
    },
    "annotations": {"readOnlyHint": True, "title": "Find"},
}


def schema(**sort: Any) -> dict[str, Any]:
    own = TOOL["inputSchema"]
    return {**own, "properties": {"sort": {**own["properties"]["sort"], **sort}}}


@pytest.mark.parametrize(
    "change",
    [
        {"description": "It is 11:31."},
        {"title": "Find it"},
        {"_meta": {"version": 2}},
        {"annotations": {"readOnlyHint": True, "title": "Find it"}},
        {"inputSchema": schema(description="Now.")},
        {"inputSchema": schema(default="date", examples=["date"])},
    ],
)
def test_words_for_people_are_nothing_that_calls_go_by(change: dict[str, Any]) -> None:
    assert relisted({"find": TOOL}, {"find": {**TOOL, **change}}) == Relisted(reworded=["find"])


@pytest.mark.parametrize(
    "change",
    [
        {"annotations": {"readOnlyHint": False, "title": "Find"}},
        {"annotations": None},
        {"inputSchema": None},
        {"outputSchema": {"type": "object"}},
        {"inputSchema": schema(enum=["name"])},
        {"inputSchema": schema(enum=["name", "date"], description="Now.", maxLength=4)},
    ],
)
def test_schemas_and_hints_are_what_calls_go_by(change: dict[str, Any]) -> None:
    seen = relisted({"find": TOOL}, {"find": {**TOOL, **change}})
    assert seen == Relisted(other={"find": list(change)})


def test_tools_come_and_go() -> None:
    assert relisted({"find": TOOL}, {"open": TOOL}) == Relisted(gone=["find"], new=["open"])


def test_another_order_is_no_change() -> None:
    turned = schema(enum=["date", "name"])
    turned["required"] = ["by", "sort"]
    other = dict(reversed({**TOOL, "inputSchema": turned}.items()))
    seen = relisted({"find": TOOL, "open": TOOL}, {"open": TOOL, "find": other})
    assert not seen.is_changed


def test_very_long_enums_are_compared_in_linear_time() -> None:
    long = [{"number": number} for number in range(30_000)]
    begun = process_time()
    seen = relisted(
        {"find": {"inputSchema": {"enum": long}}}, {"find": {"inputSchema": {"enum": long[::-1]}}}
    )
    assert not seen.is_changed
    assert process_time() - begun < 2.0  # each with each takes half a minute
