"""Whether arguments fit is decided alike for short ones, not measured, and for long ones."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from mcp_assay.scenario.arguments import SHORT_TEXT, Craft, key_of
from mcp_assay.scenario.known_values import Values
from mcp_assay.schema.checker import Schemas
from tests.scenario.helping import field


def outcome(schema: Any, value: Any) -> str:
    tool = {"name": "try", "inputSchema": field(schema)}
    return Craft(tool, 0, Values(), Schemas()).outcome({"x": value})


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 2**70),
        ({"type": "integer"}, 1.0),
        ({"type": "integer"}, 1.5),
        ({"type": "integer"}, True),
        ({"maximum": 9}, 10**290),
        ({"type": "string", "maxLength": 3}, "äöü"),
        ({"type": "string", "pattern": "^a+$"}, "aab"),
        ({"type": "array", "maxItems": 1}, [[], []]),
        ({"type": "object", "required": ["y"]}, {}),
        ({"enum": [None, 0]}, False),
    ],
)
def test_short_arguments_are_judged_as_when_they_are_measured(schema: Any, value: Any) -> None:
    assert len(key_of({"x": value})) <= SHORT_TEXT
    measured = Schemas().prepare(field(schema)).check({"x": value}).outcome
    assert outcome(schema, value) == measured != "undecided"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "null"}, float("nan")),
        ({"type": "null"}, float("inf")),
        ({"type": "string"}, date(2026, 1, 15)),
    ],
)
def test_what_is_no_json_is_not_taken_for_its_text(schema: Any, value: Any) -> None:
    assert outcome(schema, value) != "valid"
