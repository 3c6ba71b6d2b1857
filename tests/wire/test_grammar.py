"""Where a text stops being JSON, to the character."""

from __future__ import annotations

import pytest

from mcp_assay.wire.grammar import GrammarError, end_of_value
from tests.wire.naive import NaiveReader, NotJsonError
from tests.wire.texts import broken_texts


def fault(text: str) -> tuple[int, str]:
    with pytest.raises(GrammarError) as caught:
        end_of_value(text)
    assert str(caught.value) == caught.value.text
    return caught.value.position, caught.value.text


def verdict(text: str) -> tuple[str, int]:
    try:
        return "ends", end_of_value(text)
    except GrammarError as error:
        return "breaks", error.position


def naive_verdict(text: str) -> tuple[str, int]:
    reader = NaiveReader(text)
    try:
        reader.read()
    except NotJsonError as error:
        return "breaks", error.position
    return "ends", reader.at


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 0, "the text ends where a value is expected"),
        (" \n", 2, "the text ends where a value is expected"),
        ("[1,]", 3, "expected a value after the comma"),
        ('{"a":1,}', 7, "expected a name in double quotes after the comma"),
        ('{"a" 1}', 5, "expected a colon after the name"),
        ('{"a":}', 5, "expected a value after the colon"),
        ('{"a":1 "b":2}', 7, 'expected a comma or "}"'),
        ("[1 2]", 3, 'expected a comma or "]"'),
        ("[}", 1, 'expected a value or "]"'),
        ('{"a":[1}', 7, 'expected a comma or "]"'),
        ("{1:2}", 1, 'expected a name in double quotes or "}"'),
        ('{"a":1', 6, 'the text ends where a comma or "}" is expected'),
        ('["a', 3, "the text ends inside a string"),
        ('["a\\', 4, "the text ends inside a string"),
        ('["a\\u00', 7, "the text ends inside a string"),
        ('["a\\q"]', 4, 'expected one of " \\ / b f n r t u after the backslash'),
        ('["a\\u00g0"]', 7, "expected four hexadecimal digits after \\u"),
        ('["a\tb"]', 3, "the control character U+0009 must be escaped in a string"),
        ("[01]", 2, "a number cannot begin with 0 and another digit"),
        ("[1.]", 3, "expected a digit"),
        ("[-", 2, "the text ends inside a number"),
        ("[1.5.2]", 4, "expected the end of the number"),
        ("[tru]", 4, "expected the word true"),
        ("[nul", 4, "the text ends inside the word null"),
        ("['a']", 1, 'expected a value or "]"; JSON strings stand in double quotes'),
        ("[1, // one", 4, "expected a value after the comma; JSON has no comments"),
        ("[None]", 1, 'expected a value or "]"; JSON writes null'),
        ("[.5]", 1, 'expected a value or "]"; JSON numbers begin with a digit'),
    ],
)
def test_a_fault_is_named_at_the_first_character_that_cannot_stand_there(
    text: str, position: int, words: str
) -> None:
    assert fault(text) == (position, words)


def test_faults_and_ends_are_where_a_plain_reader_finds_them() -> None:
    verdicts = {text: (verdict(text), naive_verdict(text)) for text in broken_texts(1, 12_000)}
    assert {text: pair for text, pair in verdicts.items() if pair[0] != pair[1]} == {}
    broken = sum(found[0] == "breaks" for found, _ in verdicts.values())
    assert broken > len(verdicts) // 3
    assert len(verdicts) - broken > 1000


def test_the_same_faults_are_found_below_the_depth_of_the_c_decoder() -> None:
    prefix = "[" * 2000 + "0,"
    for text in broken_texts(2, 2000):
        kind, position = naive_verdict(text)
        if kind == "breaks":
            assert verdict(prefix + text) == ("breaks", len(prefix) + position)


@pytest.mark.parametrize("opening", ["[", '{"":', '[ {"\\n" : [\n'])
def test_any_depth_is_checked_to_its_end(opening: str) -> None:
    closing = opening.translate(str.maketrans("[{", "]}", '": \\n'))[::-1]
    text = opening * 50_000 + "0" + closing * 50_000
    assert verdict(text) == ("ends", len(text))
    assert verdict(text[:-1]) == ("breaks", len(text) - 1)
    assert verdict(text[:-1] + "x") == ("breaks", len(text) - 1)
