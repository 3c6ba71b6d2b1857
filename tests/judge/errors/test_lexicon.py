"""Patterns found in texts: whole words, any case, names, gaps, the longest first."""

from __future__ import annotations

import pytest

from mcp_assay.judge.errors.lexicon import LONGEST_KNOWN, MOST_KNOWN, Lexicon, folded
from mcp_assay.judge.errors.wording import read_table

LEXICON = Lexicon(
    read_table(
        "own",
        """
        = own =
        == business strong ==
        not found | file not found | no … found | must be | 找不到
        == failure certain ==
        TypeError | -32603 | is not a function
        == environment strong ==
        timeout | rate limit
        == frames fair ==
        goroutine
        """,
    )
)


def found(text: str) -> list[str]:
    return [hit.pattern.phrase for hit in LEXICON.hits(text, folded(text))]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("User not found", ["not found"]),
        ("USER NOT FOUND", ["not found"]),
        ("user_not_found", ["not found"]),
        ("not-found", ["not found"]),
        ("UserNotFoundError", ["not found"]),
        ("HTTPNotFound", ["not found"]),
        ("knot founder", []),
        ("the file not found today", ["file not found"]),
        ("no user was found here", ["no … found"]),
        ("no user\nwas found here", []),
        ("no " + "x" * 100 + " found", []),
        ("TypeError: x is not a function", ["TypeError", "is not a function"]),
        ("typeerror", []),
        ("code -32603 came", ["-32603"]),
        ("code -326031 came", []),
        ("我找不到它", ["找不到"]),
        ("timeouts", []),
        ("", []),
    ],
)
def test_a_phrase_is_found_as_whole_words_in_every_form(text: str, phrases: list[str]) -> None:
    assert found(text) == phrases


def test_a_hit_says_where_it_stands() -> None:
    text = "Ünïcode é: File Not Found."
    (hit,) = LEXICON.hits(text, folded(text))
    assert text[hit.start : hit.end] == "File Not Found"


def test_folding_keeps_every_character_at_its_place() -> None:
    text = "İstanbul_NOT-found\tẞ"
    assert len(folded(text)) == len(text)
    assert found(text) == ["not found"]


def test_what_is_remembered_of_texts_is_bounded_and_right() -> None:
    lexicon = Lexicon(read_table("own", "= own =\n== business strong ==\nnot found"))
    texts = [f"{number} not found" for number in range(3 * MOST_KNOWN)]
    for text in (*texts, *texts, "x" * LONGEST_KNOWN + " not found"):
        (hit,) = lexicon.hits(text, folded(text))
        assert text[hit.start : hit.end] == "not found"
    assert len(lexicon._known) <= MOST_KNOWN
    assert max(map(len, lexicon._known)) <= LONGEST_KNOWN
