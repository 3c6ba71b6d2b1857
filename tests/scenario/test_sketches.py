"""Objects that descriptions sketch, and what is made of them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.named_values import literals_in


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            '[{"name":..., "qty":..., "rate":10 or 8}] as a list',
            [{"name": "example", "qty": 1, "rate": 10}],
        ),
        (
            'a list: [{"title": …, "done": false, ...}, ...]',
            [{"title": "An example", "done": False}],
        ),
        ("{'point': {'x': ..., 'y': 2.5}}", {"point": {"x": 1, "y": 2.5}}),
        ('{"a": [1, 2]}', {"a": [1, 2]}),
    ],
)
def test_gaps_are_filled_by_the_names_of_members(text: str, value: Any) -> None:
    (found,) = literals_in(text)
    assert found == value


@pytest.mark.parametrize("text", ["[1, 2, ...]", "{id, name}", "a {...} b", '[{"a": ...', "[" * 99])
def test_what_sketches_no_members_is_nothing(text: str) -> None:
    assert literals_in(text) == []
