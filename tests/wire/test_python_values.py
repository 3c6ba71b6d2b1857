"""Python values in, JSON values and notes out."""

from __future__ import annotations

import enum
import gc
import sys
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from math import inf, isnan, nan
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.wire import python_values
from mcp_assay.wire.notes import (
    DEEP,
    MAX_DEPTH,
    MAX_MESSAGE_BYTES,
    MAX_NOTES_PER_KIND,
    NOT_JSON,
    UNREAD,
)
from mcp_assay.wire.python_values import examine
from mcp_assay.wire.reader import Reading


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Words(str):
    __slots__ = ()


class Distance(float):
    pass


@dataclass
class Point:
    x: int


def refuse(*_: object) -> NoReturn:
    raise AssertionError("code of the caller has run")


Pair = namedtuple("Pair", "left right")  # noqa: PYI024

HOSTILE = dict.fromkeys(
    (
        *("__iter__", "__len__", "__eq__", "__hash__", "__getitem__", "__contains__", "__bool__"),
        *("__repr__", "__str__", "__format__", "__index__", "__float__", "__int__"),
        *("keys", "items", "values", "get", "encode", "isascii"),
    ),
    refuse,
)


def hostile(base: type, *arguments: object) -> Any:
    """An instance of a subclass whose every method fails the test."""
    return type("Hostile", (base,), dict(HOSTILE))(*arguments)


def kinds(reading: Reading) -> list[tuple[str, Any]]:
    return [(note.kind, note.path) for note in reading.notes]


@pytest.mark.parametrize(
    "value",
    [None, True, 0, 2**64, 1.5, "é", [], {}, {"a": [1, {"b": None}], "c": "x"}],
    ids=str,
)
def test_a_json_value_is_given_back_itself(value: object) -> None:
    reading = examine(value)
    assert reading.value is value
    assert reading.notes == ()


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ((1, (2,)), [1, [2]]),
        (Pair(1, "b"), [1, "b"]),
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        ({"a": Colour.RED, "b": Level.LOW}, {"a": "red", "b": 1}),
        ({Colour.RED: 1, Words("w"): 2}, {"red": 1, "w": 2}),
        ([Distance(2.5), Words("x")], [2.5, "x"]),
    ],
    ids=str,
)
def test_what_stands_for_a_json_value_becomes_that_value(value: object, cleaned: object) -> None:
    reading = examine(value)
    assert reading == Reading(cleaned, ())
    assert repr(reading.value) == repr(cleaned)


@pytest.mark.parametrize(
    "stranger",
    [{1}, b"x", bytearray(), object(), Decimal(1), 1j, Point(1), range(2), iter([]), len, NOT_JSON],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_json_value_becomes_a_marker(stranger: object) -> None:
    reading = examine({"a": [0, stranger]})
    assert reading.value == {"a": [0, NOT_JSON]}
    assert kinds(reading) == [("not-json", ("a", 1))]
    assert reading.notes[0].text == f"JSON has no form for {type(stranger).__name__}"


@pytest.mark.parametrize("name", [1, None, True, 2.5, b"a", (1, 2), frozenset()], ids=str)
def test_a_member_whose_name_is_no_string_is_left_out(name: object) -> None:
    reading = examine({"a": {name: 1, "b": 2}})
    assert reading.value == {"a": {"b": 2}}
    assert kinds(reading) == [("not-json", ("a",))]
    assert "JSON names are strings" in reading.notes[0].text


@pytest.mark.parametrize(
    ("value", "kind", "path"),
    [
        (nan, "non-finite", ()),
        ([1, -inf], "non-finite", (1,)),
        ({"a": 10**400}, "huge-number", ("a",)),
        ({"a": ["\ud800"]}, "lone-surrogate", ("a", 0)),
        ({"a": {"\udc00": 1}}, "lone-surrogate", ("a", "\udc00")),
    ],
)
def test_what_is_odd_is_noted_and_kept(value: object, kind: str, path: Any) -> None:
    reading = examine(value)
    assert kinds(reading) == [(kind, path)]
    assert reading.value is value
    assert [(note.offset, note.line, note.column) for note in reading.notes] == [(0, 0, 0)]


def test_an_absurdly_long_integer_becomes_infinite() -> None:
    reading = examine([10**5000, -(10**5000)])
    assert reading.value == [inf, -inf]
    assert kinds(reading) == [("huge-number", (0,)), ("huge-number", (1,))]


def test_a_value_that_contains_itself_is_cut_where_it_begins_again() -> None:
    ring: list[Any] = [1]
    ring.append({"again": ring})
    reading = examine(ring)
    assert reading.value == [1, {"again": NOT_JSON}]
    assert kinds(reading) == [("not-json", (1, "again"))]
    assert reading.notes[0].text == "the value contains itself"


def test_a_part_that_occurs_twice_is_no_cycle() -> None:
    part = {"a": [1]}
    assert examine([part, part]) == Reading([part, part], ())


@pytest.mark.parametrize(("levels", "deep"), [(MAX_DEPTH, False), (MAX_DEPTH + 1, True)])
def test_what_is_nested_too_deep_is_replaced_by_a_marker(levels: int, deep: bool) -> None:
    value: Any = []
    for _ in range(levels - 1):
        value = {"a": value}
    reading = examine(value)
    inner: Any = reading.value
    for _ in range(MAX_DEPTH - 1):
        inner = inner["a"]
    assert inner == ({"a": DEEP} if deep else [])
    assert kinds(reading) == ([("too-deep", ("a",) * MAX_DEPTH)] if deep else [])


def test_a_hundred_thousand_levels_do_no_harm() -> None:
    value: Any = ()
    for _ in range(100_000):
        value = (value,)
    assert [note.kind for note in examine(value).notes] == ["too-deep"]


def test_shared_parts_cannot_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_values, "MAX_MESSAGE_BYTES", 100_000)
    value: Any = ["x"]
    for _ in range(200):
        value = [value, value]
    reading = examine(value)
    assert reading.value is UNREAD
    assert kinds(reading) == [("too-large", ())]


@pytest.mark.parametrize(
    "value", ["x" * MAX_MESSAGE_BYTES, [0] * MAX_MESSAGE_BYTES], ids=["text", "items"]
)
def test_a_value_that_no_message_could_hold_is_not_read(value: object) -> None:
    assert not examine(value).readable


def test_more_notes_than_are_kept_are_counted_in_one_last_note() -> None:
    reading = examine([nan] * 150)
    assert len(reading.notes) == MAX_NOTES_PER_KIND + 1
    assert reading.notes[-1].count == 50


def test_no_code_of_a_hostile_class_runs() -> None:
    value = hostile(
        dict,
        {
            "text": hostile(str, "plain"),
            "number": hostile(int, 7),
            "fraction": hostile(float, 0.5),
            "items": hostile(list, [hostile(tuple, (1, 2))]),
            "other": hostile(object),
        },
    )
    reading = examine(value)
    assert reading.value == {
        "text": "plain",
        "number": 7,
        "fraction": 0.5,
        "items": [[1, 2]],
        "other": NOT_JSON,
    }
    assert kinds(reading) == [("not-json", ("other",))]


def test_a_class_cannot_pass_for_another_or_lie_about_its_name() -> None:
    class Liar(type):
        __name__ = property(refuse)
        __hash__ = refuse
        __eq__ = refuse
        __subclasscheck__ = refuse
        __instancecheck__ = refuse

    class Fake(metaclass=Liar):
        __class__ = property(lambda _: dict)

    reading = examine([Fake()])
    assert reading.value == [NOT_JSON]
    assert reading.notes[0].text == "JSON has no form for Fake"


def test_names_that_differ_only_by_their_own_word_are_one_member() -> None:
    class Unequal(str):
        __slots__ = ()
        __hash__ = object.__hash__

        def __eq__(self, other: object) -> bool:
            return self is other

    reading = examine({Unequal("id"): 1, Unequal("id"): 2})
    assert reading.value == {"id": 2}
    assert kinds(reading) == [("duplicate", ("id",))]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="collection waits for the next bytecode")
def test_a_value_that_changes_while_it_is_read_becomes_a_marker() -> None:
    # More members than Python keeps tuples in store for, so that it has to look for garbage.
    changing: dict[str, Any] = {str(number): number for number in range(10_000)}
    threshold = gc.get_threshold()
    gc.callbacks.append(lambda *_: changing.update({str(len(changing)): 0}))
    gc.set_threshold(10)
    try:
        reading = examine([changing])
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.pop()
    assert reading.value == [NOT_JSON]
    assert kinds(reading) == [("not-json", (0,))]
    assert reading.notes[0].text == "the value changed while it was read"


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters())
    | st.binary(max_size=3)
    | st.decimals()
    | st.sampled_from([Colour.RED, Level.LOW, Point(1)]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=4)
        | st.frozensets(st.integers(), max_size=2)
    ),
    max_leaves=15,
)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(ANYTHING)
def test_arbitrary_values_become_plain_json_types(value: object) -> None:
    reading = examine(value)
    waiting = [reading.value]
    while waiting:
        part = waiting.pop()
        assert type(part) in (dict, list, str, int, float, bool, type(None), type(NOT_JSON))
        if isinstance(part, dict):
            assert all(type(name) is str for name in part)
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    assert examine(reading.value).value is reading.value or has_marker(reading)


def has_marker(reading: Reading) -> bool:
    return any(note.kind == "not-json" for note in reading.notes)


def test_not_a_number_stays_one() -> None:
    value = examine((nan,)).value
    assert isinstance(value, list)
    assert isnan(value[0])
