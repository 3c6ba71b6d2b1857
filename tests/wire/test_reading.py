"""Bytes in, a value and notes out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import chain
from math import inf, isnan
from time import process_time
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.wire.notes import DEEP, MAX_DEPTH, MAX_MESSAGE_BYTES, MAX_NOTES_PER_KIND, UNREAD
from mcp_assay.wire.reader import Note, Reading, read
from tests.wire.texts import broken_texts, texts

ERRORS: Final = {"syntax", "encoding", "bom", "trailing", "non-finite", "too-large", "not-json"}
UNREADABLE: Final = {"syntax", "encoding", "too-large"}

JSON_VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


def notes(raw: bytes | str) -> list[tuple[str, Any, int, int, int]]:
    return [(note.kind, note.path, note.offset, note.line, note.column) for note in read(raw).notes]


def error_kinds(reading: Reading) -> set[str]:
    return ERRORS.intersection(note.kind for note in reading.notes)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
            {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        ),
        (b" [1, 2.5, -0.0, true, null]\r\n", [1, 2.5, -0.0, True, None]),
        (b"18446744073709551616", 2**64),
        (b"[-9223372036854775809]", [-(2**63) - 1]),
        (b'"12345678901234567890"', "12345678901234567890"),
        (b"[" + b"9" * 308 + b"]", [10**308 - 1]),
        ('"\\ud83d\\ude00 😀"', "😀 😀"),
        ("[1e-400, 1E+2]", [0.0, 100.0]),
    ],
)
def test_a_text_with_nothing_odd_in_it_is_read_exactly(raw: bytes | str, value: object) -> None:
    reading = read(raw)
    assert reading.notes == ()
    assert repr(reading.value) == repr(value)


@pytest.mark.parametrize(
    ("raw", "value", "note"),
    [
        (b"\xef\xbb\xbf{}", {}, ("bom", (), 0, 1, 1)),
        (b'{"a":1}\n{"b":2}', {"a": 1}, ("trailing", (), 8, 2, 1)),
        (b"[1]\x00", [1], ("trailing", (), 3, 1, 4)),
        (b'{"a":[1,Infinity]}', {"a": [1, inf]}, ("non-finite", ("a", 1), 8, 1, 9)),
        (b"-Infinity", -inf, ("non-finite", (), 0, 1, 1)),
        (b'{"a":1e400}', {"a": inf}, ("huge-number", ("a",), 5, 1, 6)),
        (b"[-1e400]", [-inf], ("huge-number", (0,), 1, 1, 2)),
        (b"[1" + b"0" * 400 + b"]", [10**400], ("huge-number", (0,), 1, 1, 2)),
        (b"[-" + b"9" * 640 + b"]", [1 - 10**640], ("huge-number", (0,), 1, 1, 2)),
        (b"[" + b"9" * 5000 + b"]", [inf], ("huge-number", (0,), 1, 1, 2)),
        (b"[-" + b"9" * 5000 + b"]", [-inf], ("huge-number", (0,), 1, 1, 2)),
        (b'["\\ud800"]', ["\ud800"], ("lone-surrogate", (0,), 1, 1, 2)),
        ('["\udc00"]', ["\udc00"], ("lone-surrogate", (0,), 1, 1, 2)),
        (
            b'{"a":{"\\udead":1}}',
            {"a": {"\udead": 1}},
            ("lone-surrogate", ("a", "\udead"), 6, 1, 7),
        ),
        (b'{"a":1,\n "a":2}', {"a": 2}, ("duplicate", ("a",), 9, 2, 2)),
        (b'[{"a":1,"\\u0061":2}]', [{"a": 2}], ("duplicate", (0, "a"), 8, 1, 9)),
        ('["é😀",\n"é", NaN]'.encode(), None, ("non-finite", (2,), 17, 2, 6)),
        ('{"é":{"😀":NaN}}'.encode(), None, ("non-finite", ("é", "😀"), 14, 1, 11)),
    ],
)
def test_what_is_odd_is_noted_with_its_place_and_the_value_is_kept(
    raw: bytes, value: object, note: tuple[str, Any, int, int, int]
) -> None:
    assert notes(raw) == [note]
    assert read(raw).readable
    if value is not None:
        assert repr(read(raw).value) == repr(value)


@pytest.mark.parametrize(
    ("raw", "kind", "place", "words"),
    [
        (b"", "syntax", (0, 1, 1), "ends where a value is expected"),
        (b"{'a':1}", "syntax", (1, 1, 2), "name in double quotes"),
        ('["é",\n é]'.encode(), "syntax", (8, 2, 2), "expected a value after the comma"),
        (b"\xef\xbb\xbf[1,]", "syntax", (6, 1, 4), "expected a value after the comma"),
        (b'{"a":\n "\xff"}', "encoding", (8, 2, 3), "0xFF is not UTF-8"),
        (b'["\xc3\xa9\xed\xa0\x80"]', "encoding", (4, 1, 4), "a surrogate is encoded"),
        (b'\xef\xbb\xbf"\xe9"', "encoding", (4, 1, 2), "0xE9 is not UTF-8"),
        ("{}".encode("utf-16"), "encoding", (0, 1, 1), "UTF-16"),
        ("{}".encode("utf-16-le"), "encoding", (0, 1, 1), "UTF-16"),
        ("{}".encode("utf-16-be"), "encoding", (0, 1, 1), "UTF-16"),
        ("{}".encode("utf-32"), "encoding", (0, 1, 1), "UTF-32"),
        ("{}".encode("utf-32-be"), "encoding", (0, 1, 1), "UTF-32"),
        (b" " * (MAX_MESSAGE_BYTES + 1), "too-large", (0, 1, 1), "16,777,217 bytes"),
        ("é" * (MAX_MESSAGE_BYTES // 2) + " ", "too-large", (0, 1, 1), "16,777,217 bytes"),
        (b"[" * 100_000, "syntax", (100_000, 1, 100_001), "the text ends"),
        (b"[" * 5_000_000, "syntax", (5_000_000, 1, 5_000_001), "the text ends"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_text_that_cannot_be_read_says_where_and_why(
    raw: bytes | str, kind: str, place: tuple[int, int, int], words: str
) -> None:
    reading = read(raw)
    fault = reading.notes[-1]
    assert not reading.readable
    assert reading.value is UNREAD
    assert (fault.kind, fault.path) == (kind, ())
    assert (fault.offset, fault.line, fault.column) == place
    assert words in fault.text


@pytest.fixture
def fewest_digits() -> Iterator[None]:
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(usual)


@pytest.mark.usefixtures("fewest_digits")
@pytest.mark.parametrize("digits", [308, 309, 640, 641, 4301])
@pytest.mark.parametrize("sign", ["", "-"])
def test_no_integer_is_too_long_under_the_tightest_setting_of_python(
    sign: str, digits: int
) -> None:
    value: Any = read(sign + "7" * digits).value
    assert isinstance(value, int) is (digits <= 640)
    assert (value < 0) is (sign == "-")


def test_not_a_number_is_read_as_one() -> None:
    reading = read(b'{"a":NaN}')
    assert isinstance(reading.value, dict)
    assert isnan(reading.value["a"])
    assert [note.text for note in reading.notes] == ["NaN is not a JSON number"]


def test_all_that_is_odd_is_noted_in_the_order_of_the_text() -> None:
    raw = b'{"b":NaN,"a":["\\ud800",1e999],"a":{"x":1,"x":2},"a":0} ,'
    assert [(note.kind, note.path) for note in read(raw).notes] == [
        ("non-finite", ("b",)),
        ("lone-surrogate", ("a", 0)),
        ("huge-number", ("a", 1)),
        ("duplicate", ("a",)),
        ("duplicate", ("a", "x")),
        ("trailing", ()),
    ]
    assert read(raw).notes[3].text == 'the member "a" occurs 3 times'


def test_a_name_that_is_repeated_in_several_objects_is_noted_for_each() -> None:
    raw = b'{"a":{"x":1,"x":2},"b":[{"x":1,"x":2,"x":3}],"a":{"x":1,"x":2}}'
    assert [(note.path, note.offset, note.text) for note in read(raw).notes] == [
        (("a", "x"), 12, 'the member "x" occurs 2 times'),
        (("b", 0, "x"), 31, 'the member "x" occurs 3 times'),
        (("a",), 45, 'the member "a" occurs 2 times'),
        (("a", "x"), 56, 'the member "x" occurs 2 times'),
    ]


def test_a_long_name_is_cut_where_a_note_repeats_it() -> None:
    (note,) = read(f'{{"{"n" * 500}":1,"{"n" * 500}":2}}').notes
    assert note.text == f'the member "{"n" * 60}…" occurs 2 times'
    assert note.path == ("n" * 500,)


def test_duplicates_are_not_noted_where_nobody_asks() -> None:
    assert read(b'{"a":1,"a":2}', duplicates=False) == Reading({"a": 2}, (), parsed=True)
    assert [note.kind for note in read(b'{"a":1,"a":NaN}', duplicates=False).notes] == [
        "non-finite"
    ]


def test_more_notes_than_are_kept_are_counted_in_one_last_note() -> None:
    kept = read(b"[" + b"NaN," * 149 + b"NaN]").notes
    assert len(kept) == MAX_NOTES_PER_KIND + 1
    assert kept[-1] == Note("non-finite", (), 401, 1, 402, "and 50 more of this kind", 50)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("levels", [MAX_DEPTH, MAX_DEPTH + 2, 100_000])
def test_what_is_nested_too_deep_is_replaced_by_a_marker(opening: str, levels: int) -> None:
    times = levels // sum(opening.count(bracket) for bracket in "[{")
    closing = opening.translate(str.maketrans("[{", "]}", '"a:'))[::-1]
    reading = read(opening * times + "1" + closing * times)
    found = [note.kind for note in reading.notes]
    inner: Any = reading.value
    depth = 0
    while isinstance(inner, dict | list):
        inner = inner["a"] if isinstance(inner, dict) else inner[0]
        depth += 1
    assert depth == MAX_DEPTH
    assert (inner, found) == ((1, []) if levels == MAX_DEPTH else (DEEP, ["too-deep"]))


def test_a_long_integer_is_exact_at_the_deepest_level() -> None:
    value: Any = read(b"[" * MAX_DEPTH + b"18446744073709551617" + b"]" * MAX_DEPTH).value
    for _ in range(MAX_DEPTH):
        (value,) = value
    assert value == 2**64 + 1


def test_what_stands_beside_a_marker_is_still_read() -> None:
    raw = b'{"deep":' + b"[" * 1100 + b"NaN" + b"]" * 1100 + b',"after":[1,NaN]}'
    reading = read(raw)
    assert [(note.kind, len(note.path)) for note in reading.notes] == [
        ("too-deep", MAX_DEPTH),
        ("non-finite", 2),
    ]
    assert reading.notes[1].path == ("after", 1)


@pytest.mark.parametrize(
    ("raw", "kinds"),
    [
        (b"[" * 1_000_000 + b"]" * 1_000_000, ["too-deep"]),
        (b'{"":' * 200_000 + b"1" + b"}" * 200_000, ["too-deep"]),
        (b'"' + b"\\n" * (MAX_MESSAGE_BYTES // 2 - 1) + b'"', []),
        (b'"' + b"\\n" * (MAX_MESSAGE_BYTES // 2 - 1), ["syntax"]),
        (b'"' + b"[" * (MAX_MESSAGE_BYTES - 1), ["syntax"]),
        (b"1" * MAX_MESSAGE_BYTES, ["huge-number"]),
        (b"1" * (MAX_MESSAGE_BYTES - 1) + b".", ["syntax"]),
        (b"[" + b'"[",' * 500_000, ["syntax"]),
        (b"[" + b"[1]," * 250_000, ["syntax"]),
        (b"[" + b"1," * 500_000 + b"1", ["syntax"]),
        (b"[" + b"1," * 200_000 + b"NaN]", ["non-finite"]),
        (b'{"a":' + b"[" * 1000 + b"]" * 5_000_000, ["syntax"]),
        (b" " * MAX_MESSAGE_BYTES, ["syntax"]),
    ],
    ids=lambda value: str(value)[:16],
)
def test_time_grows_no_faster_than_the_text(raw: bytes, kinds: list[str]) -> None:
    started = process_time()
    reading = read(raw)
    seconds = process_time() - started
    assert [note.kind for note in reading.notes] == kinds
    assert seconds < 1 + 10 * len(raw) / 1_000_000


@settings(derandomize=True, deadline=None, max_examples=500)
@given(st.binary(max_size=60) | st.text(max_size=40))
def test_arbitrary_input_never_raises(raw: bytes | str) -> None:
    reading = read(raw)
    kinds = {note.kind for note in reading.notes}
    assert reading.readable == kinds.isdisjoint(UNREADABLE)
    assert all(note.offset >= 0 and note.line > 0 and note.column > 0 for note in reading.notes)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_what_json_writes_is_read_back_without_a_note(
    value: object, escaped: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    reading = read(text)
    finite = "Infinity" not in text
    assert reading.value == json.loads(text)
    assert not error_kinds(reading) or not finite
    assert "duplicate" not in {note.kind for note in reading.notes}


def test_the_value_is_that_of_the_standard_library_wherever_it_reads_the_text() -> None:
    for text in texts(3, 4000):
        assert read(text).value == json.loads(text)


def test_what_orjson_reads_has_no_error_and_what_it_refuses_has_a_note() -> None:
    accepted = refused = 0
    for text in chain(texts(4, 3000), broken_texts(4, 12_000)):
        reading = read(text.encode())
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            refused += 1
            assert reading.notes, text
        else:
            accepted += 1
            assert not error_kinds(reading), text
            assert with_rounded_integers(reading.value) == value
    assert min(accepted, refused) > 2000


def with_rounded_integers(value: Any) -> Any:
    """The value as orjson gives it: integers beyond 64 bits become floats."""
    if isinstance(value, list):
        return [with_rounded_integers(item) for item in value]
    if isinstance(value, dict):
        return {name: with_rounded_integers(member) for name, member in value.items()}
    return float(value) if isinstance(value, int) and abs(value) >= 2**64 else value


@pytest.mark.parametrize(
    ("raw", "parsed"),
    [
        (b'{"a":1}', True),
        (b'\xef\xbb\xbf{"a":1}', True),
        (b'{"a":1} and more', True),
        (b'{"a":1234567890123456789012}', False),
        (b'{"a":NaN}', False),
        (b'{"a":1,"a":2} and more', False),
        (b'{"a":1', False),
    ],
)
def test_a_reading_reports_whether_its_value_is_what_orjson_makes(raw: bytes, parsed: bool) -> None:
    assert read(raw).parsed is parsed


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b'\xef\xbb\xbf{"a":1}',
        b'\xef\xbb\xbf{"a":1,"a":2}',
        b'{"a":1} and more',
        b'{"a":1',
        b'{"a":"\xff"}',
        b'{"a":1e400}',
        b'{"a":"\\ud800"}',
    ],
)
@pytest.mark.parametrize("duplicates", [True, False])
def test_a_text_that_is_known_to_be_odd_is_read_like_any_other(
    raw: bytes, duplicates: bool
) -> None:
    known = read(raw, duplicates=duplicates, odd=True)
    found = read(raw, duplicates=duplicates)
    assert known.notes == found.notes
    assert repr(known.value) == repr(found.value)


def test_only_the_places_of_repeated_members_depend_on_who_asks() -> None:
    raw = b'\xef\xbb\xbf{"a":1,"a":2} x'
    assert [note.kind for note in read(raw).notes] == ["bom", "duplicate", "trailing"]
    assert [note.kind for note in read(raw, duplicates=False).notes] == ["bom", "trailing"]
