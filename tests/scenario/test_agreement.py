"""Arguments whose members must suit one another do so, where the schema lets them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.agreement import agreeing
from tests.scenario.helping import closed, planned

INTEGER = {"type": "integer"}


@pytest.mark.parametrize(
    ("made", "agreed"),
    [
        ({"min": 5, "max": 3}, {"min": 3, "max": 5}),
        ({"minValue": 5, "max_value": 3}, {"minValue": 3, "max_value": 5}),
        ({"stepNumber": 5, "totalSteps": 2}, {"stepNumber": 2, "totalSteps": 5}),
        ({"a": {"start": 9, "end": 1}}, {"a": {"start": 1, "end": 9}}),
        ({"min": 3, "maxLength": 1}, {"min": 3, "maxLength": 1}),
        ({"min": 3, "max": "1"}, {"min": 3, "max": "1"}),
        (
            {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "x", "target": "y"}]},
            {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]},
        ),
        (
            {"items": [{"name": "a"}], "links": [{"from_item": "x", "to_item": "y", "n": 1}]},
            {"items": [{"name": "a"}], "links": [{"from_item": "a", "to_item": "a", "n": 1}]},
        ),
        ({"edges": [{"from": "x", "to": "y"}]}, {"edges": [{"from": "x", "to": "y"}]}),
        ({"range": "A1:B1", "values": [["1"]]}, {"range": "A1:A1", "values": [["1"]]}),
        (
            {"range": "Data!Z2", "values": [[1, 2], [3, 4]]},
            {"range": "Data!Z2:AA3", "values": [[1, 2], [3, 4]]},
        ),
        ({"range": "A1:B1", "values": ["1"]}, {"range": "A1:B1", "values": ["1"]}),
        ({"range": "last week", "values": [["1"]]}, {"range": "last week", "values": [["1"]]}),
    ],
)
def test_members_suit_one_another(made: dict[str, Any], agreed: dict[str, Any]) -> None:
    assert agreeing(made) == agreed


def test_a_plan_begins_with_arguments_that_agree() -> None:
    happy = planned(closed({"min": INTEGER, "max": INTEGER})).scenarios[0]
    assert happy.arguments["min"] < happy.arguments["max"]


def test_what_the_schema_forbids_is_left_as_it_was() -> None:
    schema = closed({"min": {"const": 9}, "max": {"const": 4}})
    assert planned(schema).scenarios[0].arguments == {"min": 9, "max": 4}


def test_a_deep_value_is_left_alone() -> None:
    value: Any = {"min": 2, "max": 1}
    for _ in range(100):
        value = [value]
    assert agreeing(value) == value
