"""Paths and JSON Pointers."""

from __future__ import annotations

import pytest

from mcp_assay.wire.pointer import Path, pointer, resolve


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("",), "/"),
        (("params", "items", 0), "/params/items/0"),
        (("a/b", "m~n", "~1"), "/a~1b/m~0n/~01"),
        ((" ", "é", '"'), '/ /é/"'),
    ],
)
def test_a_path_is_written_as_a_json_pointer(path: Path, expected: str) -> None:
    assert pointer(path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), {"a": [1, {"0": None}]}),
        (("a", 0), 1),
        (("a", 1, "0"), None),
        (("a", 2), "nothing"),
        (("a", -1), "nothing"),
        (("a", "0"), "nothing"),
        (("a", 0, "x"), "nothing"),
        (("b",), "nothing"),
        ((0,), "nothing"),
    ],
)
def test_a_path_leads_to_a_value_or_to_nothing(path: Path, expected: object) -> None:
    assert resolve({"a": [1, {"0": None}]}, path, "nothing") == expected
