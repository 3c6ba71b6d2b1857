"""Changes of answers are graded by what they do to those who read them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.drift.answers import answer_changes, joined, shape_of

ENUMS = {"kind": ["a", "b"]}


def changes(old: list[Any], new: list[Any]) -> list[tuple[str, str, str]]:
    shapes = [joined(shape_of(value, ENUMS) for value in values) for values in (old, new)]
    found = answer_changes(shapes[0], shapes[1], "/tools/x/success")
    return [(change.grade, change.place, change.message) for change in found]


@pytest.mark.parametrize(
    ("old", "new", "grade", "place"),
    [
        ([{"a": 1}], [{"b": 1}], "breaking", "/a"),
        ([{"a": 1}, {"a": 2}], [{"a": 1}, {}], "risky", "/a"),
        ([{"a": 1}], [{"a": "1"}], "breaking", "/a"),
        ([{"a": 1}], [{"a": 1}, {"a": "1"}], "risky", "/a"),
        ([{"a": 1}], [{"a": None}], "risky", "/a"),
        ([{"a": 1}], [{"a": 1, "b": 1}], "cosmetic", "/b"),
        ([{"a": [{"b": 1}]}], [{"a": [{"b": "x"}]}], "breaking", "/a/*/b"),
        ([{"kind": "a"}], [{"kind": "c"}], "risky", "/kind"),
        ([{"a": 1}], ["gone"], "breaking", ""),
    ],
)
def test_each_change_has_its_grade_and_place(
    old: list[Any], new: list[Any], grade: str, place: str
) -> None:
    graded = [(found, where) for found, where, _ in changes(old, new)]
    assert (grade, f"/tools/x/success{place}") in graded


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([{"a": 1}], [{"a": 2}]),
        ([{"a": 1.5}], [{"a": 2}]),
        ([{"a": 1}, {}], [{}]),
        ([{"a": [1]}], [{"a": []}]),
        ([{"a": 1}, {"a": None}], [{"a": 1}]),
        ([{"kind": "a"}], [{"kind": "b"}]),
    ],
)
def test_what_only_other_calls_show_is_no_change(old: list[Any], new: list[Any]) -> None:
    assert changes(old, new) == []


def test_a_change_reads_as_a_sentence() -> None:
    ((_, _, message),) = changes([{"a": {"b": 1}}], [{"a": {"b": "x"}}])
    assert message == "The member 'a.b' of the answer changed from integer to string."
