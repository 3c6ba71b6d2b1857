"""Paths and JSON Pointers."""

from __future__ import annotations

import pytest

from mcp_assay.wire.pointer import Path, find, follow, pointer, resolve, tokens


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


VALUE = {"a": [1, {"0": None, "²": "x"}], "²": [7], "m~/n": {}, "": 3}


@pytest.mark.parametrize(
    ("text", "found", "path"),
    [
        ("", VALUE, ()),
        ("/", 3, ("",)),
        ("/a/0", 1, ("a", 0)),
        ("/a/1/0", None, ("a", 1, "0")),
        ("/a/1/²", "x", ("a", 1, "²")),
        ("/²/0", 7, ("²", 0)),
        ("/²/²", "nothing", ("²",)),
        ("/a/٣", "nothing", ("a",)),
        ("/a/-1", "nothing", ("a",)),
        ("/a/99999999999999999999", "nothing", ("a",)),
        ("/m~0~1n", {}, ("m~/n",)),
        ("/b/c", "nothing", ()),
        ("/a/0/x", "nothing", ("a", 0)),
    ],
)
def test_a_pointer_is_followed_into_a_value(text: str, found: object, path: Path) -> None:
    assert find(VALUE, tokens(text), "nothing") == found
    assert follow(VALUE, tokens(text)) == path
