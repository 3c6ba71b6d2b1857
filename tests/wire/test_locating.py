"""Where in a text a value begins."""

from __future__ import annotations

import pytest

from mcp_assay.wire.locations import locate, locate_all
from mcp_assay.wire.notes import TextPosition
from mcp_assay.wire.pointer import Path
from tests.wire.naive import NaiveReader
from tests.wire.texts import texts

DOCUMENT = """{
  "jsonrpc": "2.0",
  "é": {"a": [10, {"b": null}], "a": [1, 2]},
  "params": {
    "name": "search",
    "items": [
      true,
      {}
    ]
  }
}
""".encode()


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), TextPosition(0, 1, 1)),
        (("jsonrpc",), TextPosition(15, 2, 14)),
        (("é", "a"), TextPosition(60, 3, 38)),
        (("é", "a", 1), TextPosition(64, 3, 42)),
        (("params", "items", 0), TextPosition(126, 7, 7)),
        (("params", "items", 1), TextPosition(138, 8, 7)),
        (("é", "a", 1, "b"), None),
        (("params", "items", 2), None),
        (("params", "items", "0"), None),
        (("params", "items", -1), None),
        (("params", 0), None),
        (("absent",), None),
    ],
)
def test_a_value_is_found_by_its_path(path: Path, place: TextPosition | None) -> None:
    assert locate(DOCUMENT, path) == place


def test_of_repeated_members_the_last_one_counts_with_all_that_is_in_it() -> None:
    raw = b'{"a":{"b":1,"c":2},"a":{"b":3}}'
    assert locate_all(raw, [("a",), ("a", "b"), ("a", "c")]) == {
        ("a",): TextPosition(23, 1, 24),
        ("a", "b"): TextPosition(28, 1, 29),
    }


def test_a_byte_order_mark_counts_as_bytes_but_not_as_a_column() -> None:
    assert locate(b"\xef\xbb\xbf[7]", (0,)) == TextPosition(4, 1, 2)


@pytest.mark.parametrize("raw", [b"", b"[1", b"\xff[1]", b"[1,]"])
def test_nothing_is_found_in_a_text_that_cannot_be_read(raw: bytes) -> None:
    assert locate(raw, ()) is None


def test_a_value_is_found_at_any_depth() -> None:
    depth = 20_000
    raw = b"[0," * depth + b"7" + b"]" * depth
    assert locate(raw, (1,) * depth) == TextPosition(3 * depth, 1, 3 * depth + 1)


def test_places_are_those_of_a_plain_reader() -> None:
    for text in texts(6, 2000):
        root = NaiveReader(text).read()
        paths = [*root.paths(), ("a",), ("b", 0), (1, "a")]
        found = {path: place.offset for path, place in locate_all(text.encode(), paths).items()}
        nodes = {path: root.at(path) for path in paths}
        assert found == {
            path: len(text[: node.position].encode()) for path, node in nodes.items() if node
        }
