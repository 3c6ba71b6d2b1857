"""Nothing that a message says can move the cursor, hide text or turn it round."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.report.as_json import json_text
from mcp_assay.text.lines import as_plain_text, said
from mcp_assay.text.safe import as_typed, plain, plain_json_text, shorten

OBEYED_OR_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("\x1b]52;c;aGk=\x07", r"\x1b]52;c;aGk=\x07"),
        ("a\r\nb\tc", r"a\x0d\x0ab\x09c"),
        ("\x9b31m", r"\x9b31m"),
        ("\x7f", r"\x7f"),
        ("user\u202etxt.exe", r"user\u202etxt.exe"),
        ("pay\u200bpal", r"pay\u200bpal"),
        ("one\u2028two\u2029", r"one\u2028two\u2029"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("half \ud83d", r"half \ud83d"),
        ("caf\xe9 \u3042 \U0001f600", "caf\xe9 \u3042 \U0001f600"),
        ("wide\u3000space", "wide\u3000space"),
        ("", ""),
    ],
)
def test_hidden_characters_are_shown_as_their_code(hostile: str, shown: str) -> None:
    assert plain(hostile) == shown


def test_every_control_format_surrogate_and_separator_character_is_hidden() -> None:
    let_through = [
        hex(point)
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) in OBEYED_OR_HIDDEN and plain(chr(point)) == chr(point)
    ]
    assert let_through == []


@given(st.text(alphabet=st.characters()))
def test_a_line_for_people_is_one_line_of_harmless_characters(text: str) -> None:
    line = as_plain_text([said(text)])
    assert line.endswith("\n")
    assert not {unicodedata.category(character) for character in line[:-1]} & OBEYED_OR_HIDDEN


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_json_keeps_the_value_and_prints_nothing_hidden(text: str) -> None:
    document = json_text({text: [text]})
    assert json.loads(document) == {text: [text]}
    printed = document.replace("\n", "")
    assert not {unicodedata.category(character) for character in printed} & OBEYED_OR_HIDDEN


def test_json_shows_lone_surrogates_so_that_every_reader_accepts_it() -> None:
    assert json.loads(json_text({"a\ud800": "\udfff"})) == {r"a\ud800": r"\udfff"}


def test_long_text_is_cut_with_an_ellipsis() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


HARD_TO_TYPE = (
    "get\nit",
    "a\x1b[31mb'c\\d",
    "\u202e\U000e0041",
    'é "$HOME` ;*',
    "--help",
    "",
    "\x7f\x9b",
)


def test_words_as_they_are_typed_reach_a_program_as_they_were_and_are_seen_whole() -> None:
    line = as_typed(*HARD_TO_TYPE)
    assert plain(line) == line
    script = f"printf '%s\\0' {line}"
    received = subprocess.run(["bash", "-c", script], capture_output=True, check=True).stdout
    assert tuple(received.decode().split("\0")[:-1]) == HARD_TO_TYPE


def test_json_without_hidden_characters_says_the_same() -> None:
    value = {"".join(HARD_TO_TYPE): ["\u202e", "😀"]}
    text = plain_json_text(json.dumps(value, ensure_ascii=False))
    assert plain(text) == text
    assert json.loads(text) == value
    assert "😀" in text
