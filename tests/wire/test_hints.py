"""What is often written in place of JSON, and what is said about it."""

from __future__ import annotations

import pytest

from mcp_assay.wire.reader import read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'a'", "expected a value; JSON strings stand in double quotes"),
        ("/* a */ 1", "expected a value; JSON has no comments"),
        ("# a", "expected a value; JSON has no comments"),
        ("True", "expected a value; JSON writes true"),
        ("False", "expected a value; JSON writes false"),
        ("None", "expected a value; JSON writes null"),
        ("undefined", "expected a value; JSON writes null"),
        ("+1", "expected a value; JSON numbers have no plus sign"),
        (".5", "expected a value; JSON numbers begin with a digit"),
        ("yes", "expected a value"),
        ('{"a":True}', "expected a value after the colon; JSON writes true"),
        ("[1,'a']", "expected a value after the comma; JSON strings stand in double quotes"),
        ("[1 'a']", 'expected a comma or "]"'),
        ("{'a':1}", 'expected a name in double quotes or "}"'),
        ('{"a":1,# b', "expected a name in double quotes after the comma"),
        ("-", "the text ends inside a number"),
        ("-a", "expected a digit"),
        ("1.", "the text ends inside a number"),
        ("1.a", "expected a digit"),
        ("1e", "the text ends inside a number"),
        ("1e+a", "expected a digit"),
        ("01", "a number cannot begin with 0 and another digit"),
        ("-012", "a number cannot begin with 0 and another digit"),
        ("1.5e3.2", "expected the end of the number"),
        ("t", "the text ends inside the word true"),
        ("fals", "the text ends inside the word false"),
        ("nul ", "expected the word null"),
        ("trve", "expected the word true"),
        ('"a\x00"', "the control character U+0000 must be escaped in a string"),
        ('"a\x1f"', "the control character U+001F must be escaped in a string"),
        ('"\\x"', 'expected one of " \\ / b f n r t u after the backslash'),
        ('"\\u12"', "expected four hexadecimal digits after \\u"),
        ('"\\', "the text ends inside a string"),
    ],
)
def test_a_fault_of_syntax_is_reported_with_a_hint(text: str, words: str) -> None:
    (note,) = read(text).notes
    assert (note.kind, note.text) == ("syntax", words)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"\xff\xfe{\x00}\x00", "the text is UTF-16, not UTF-8"),
        (b"\xfe\xff\x00{\x00}", "the text is UTF-16, not UTF-8"),
        (b"\xff\xfe\x00\x00{\x00\x00\x00", "the text is UTF-32, not UTF-8"),
        (b"\x00\x00\xfe\xff\x00\x00\x00{", "the text is UTF-32, not UTF-8"),
        (b"{\x00}\x00", "the text is UTF-16, not UTF-8"),
        (b"\x00{\x00}", "the text is UTF-16, not UTF-8"),
        (b"{\x00\x00\x00}\x00\x00\x00", "the text is UTF-32, not UTF-8"),
        (b"\x00\x00\x00{\x00\x00\x00}", "the text is UTF-32, not UTF-8"),
        (b'"\xed\xa0\x80"', "a surrogate is encoded here, which UTF-8 does not allow"),
        (b'"\xed\xbf\xbf"', "a surrogate is encoded here, which UTF-8 does not allow"),
        (b'"\xed\x41"', "the byte 0xED is not UTF-8 here (invalid continuation byte)"),
        (b'"\xff"', "the byte 0xFF is not UTF-8 here (invalid start byte)"),
        (b'"\xc3', "the byte 0xC3 is not UTF-8 here (unexpected end of data)"),
    ],
)
def test_another_encoding_is_named(raw: bytes, words: str) -> None:
    (note,) = read(raw).notes
    assert (note.kind, note.text) == ("encoding", words)


@pytest.mark.parametrize("raw", [b"\x00\x00\x00\x00", b"{\x00\x00}", b"[1\x00\x00", b"\x00{}\x00"])
def test_zero_bytes_alone_are_no_other_encoding(raw: bytes) -> None:
    assert [note.kind for note in read(raw).notes] == ["syntax"]
