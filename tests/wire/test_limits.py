"""The limits of reading, to the last byte, level and digit."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Final

import pytest

from mcp_assay.wire.python_values import examine
from mcp_assay.wire.reader import Note, Reading, read
from mcp_assay.wire.sse import EventStream

LARGEST: Final = 16_777_216


def nested_text(levels: int) -> Reading:
    return read("[" * levels + "]" * levels)


def nested_value(levels: int) -> Reading:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return examine(value)


@pytest.mark.parametrize("nested", [nested_text, nested_value])
def test_1024_levels_are_read(nested: Callable[[int], Reading]) -> None:
    assert nested(1024).notes == ()
    (note,) = nested(1025).notes
    assert (note.kind, note.text) == ("too-deep", "nested more than 1,024 levels deep")
    assert note.path == (0,) * 1024


def test_a_text_of_16_mib_is_read() -> None:
    text = b'"' + b"x" * (LARGEST - 2) + b'"'
    assert read(text).notes == ()
    (note,) = read(text + b" ").notes
    assert note.kind == "too-large"
    assert note.text == "16,777,217 bytes are more than the 16,777,216 that are read"


@pytest.mark.parametrize(
    ("wrap", "around"),
    [
        (lambda text: text, 2),
        (lambda text: [text], 2 + 3),
        (lambda text: (text,), 2 + 3),
        (lambda text: {"k": text}, 2 + 3 + 3),
        (lambda text: {text: 7}, 2 + 3 + 1),
        (lambda text: [text, 7, 1.5, None, True], 2 + 2 + 5 + 4),
        (lambda text: [text, [], {}], 2 + 2 + 3 + 2 + 2),
        (lambda text: [text, object()], 2 + 2 + 2 + 1),
    ],
    ids=["text", "list", "tuple", "member", "name", "leaves", "empty", "stranger"],
)
def test_a_value_that_needs_16_mib_as_json_is_read(wrap: Callable[[str], Any], around: int) -> None:
    text = "x" * (LARGEST - around)
    assert examine(wrap(text)).readable
    reading = examine(wrap(text + "x"))
    assert not reading.readable
    words = "the value needs more than 16,777,216 bytes as JSON"
    assert reading.notes == (Note("too-large", (), 0, 0, 0, words),)


def test_an_event_of_16_mib_is_read() -> None:
    text = b"data: " + b"x" * (LARGEST - 8) + b"\n\n"
    (block,) = EventStream().feed(text)
    assert block.event is not None
    (block,) = EventStream().feed(b":\n" + text)
    assert block.event is None
    assert (len(block.raw), block.size) == (LARGEST, LARGEST + 2)


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_of_640_digits_are_exact(sign: int) -> None:
    longest = 10**640 - 1
    for number, value in ((longest, sign * longest), (longest + 1, sign * inf)):
        digits = "9" * 640 if number == longest else "1" + "0" * 640
        text = f"{'-' if sign < 0 else ''}{digits}"
        assert read(text).value == value
        assert examine(sign * number).value == value


def test_a_number_is_huge_beyond_the_range_of_a_double() -> None:
    largest = int(1.7976931348623157e308)
    assert read(str(largest)).notes == ()
    assert examine(largest).notes == ()
    assert [note.kind for note in read(str(largest + 1)).notes] == ["huge-number"]
    assert [note.kind for note in examine(largest + 1).notes] == ["huge-number"]


def test_a_hundred_notes_of_each_kind_are_kept() -> None:
    assert [note.count for note in read("[" + "NaN," * 99 + "NaN]").notes] == [1] * 100
    assert [note.count for note in read("[" + "NaN," * 100 + "NaN]").notes] == [1] * 101
    noted = read("[" + "NaN," * 101 + '"\\ud800",NaN]').notes
    assert [(note.kind, note.count) for note in noted[100:]] == [
        ("non-finite", 2),
        ("lone-surrogate", 1),
    ]
    assert noted[100].text == "and 2 more of this kind"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("n" * 60, f'"{"n" * 60}"'), ("n" * 61, f'"{"n" * 60}…"'), ('a"\n', '"a\\"\\n"')],
)
def test_sixty_characters_of_a_name_are_repeated(name: str, shown: str) -> None:
    class Other(str):
        __slots__ = ()
        __hash__ = object.__hash__

        def __eq__(self, other: object) -> bool:
            return self is other

    (note,) = examine({Other(name): 1, Other(name): 2}).notes
    assert note.text == f"the member {shown} occurs more than once"


def test_sixty_characters_of_the_name_of_a_type_are_repeated() -> None:
    (note,) = examine(type("T" * 61, (), {})()).notes
    assert note.text == f"JSON has no form for {'T' * 60}"
    (note,) = examine({type("T" * 61, (), {})(): 1}).notes
    assert note.text == f"a member name of type {'T' * 60}, and JSON names are strings"


@pytest.mark.parametrize(("digits", "retry"), [(15, 10**15 - 1), (16, None)])
def test_fifteen_digits_of_a_retry_are_heeded(digits: int, retry: int | None) -> None:
    (block,) = EventStream().feed(b"retry: " + b"9" * digits + b"\n\n")
    assert block.event is not None
    assert block.event.retry == retry
