"""What a lenient reader takes for a value of another type, and what nobody could."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.behaviour.arguments import ABSENT, is_conversion, value_at


@pytest.mark.parametrize(
    ("value", "types"),
    [
        ("5", ("integer",)),
        (" -5.5e3 ", ("number",)),
        (True, ("integer",)),
        (5, ("string",)),
        (False, ("string",)),
        (1, ("boolean",)),
        ("Yes", ("boolean",)),
        ("tea", ("array",)),
        ({"a": 1}, ("array",)),
        ('{"a": 1}', ("object",)),
        (None, ("integer",)),
        ("5", ("null", "integer")),
    ],
)
def test_what_says_the_same_in_another_type_is_a_conversion(value: Any, types: Any) -> None:
    assert is_conversion(value, types)


@pytest.mark.parametrize(
    ("value", "types"),
    [
        ("tea", ("integer",)),
        ("\u0665", ("integer",)),
        ("5" * 300, ("integer",)),
        ({"a": 1}, ("string",)),
        (["a"], ("string", "integer")),
        ("maybe", ("boolean",)),
        (2, ("boolean",)),
        ("tea", ("object",)),
        ([1], ("object",)),
    ],
)
def test_what_nobody_could_read_so_is_none(value: Any, types: Any) -> None:
    assert not is_conversion(value, types)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("/a/b", 1), ("/list/1", "y"), ("/x~1y", 2), ("/a/0", 3), ("/list/9", ABSENT), ("/z", ABSENT)],
)
def test_the_value_of_a_place_is_found_by_its_pointer(pointer: str, value: Any) -> None:
    arguments = {"a": {"b": 1, "0": 3}, "list": ["x", "y"], "x/y": 2}
    assert value_at(arguments, pointer) is value
