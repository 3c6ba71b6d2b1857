"""Two texts side by side: what differs is marked, and nothing stays hidden."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.text.safe import plain
from mcp_assay.web.server.text_pieces import LONGEST, Piece, marked, pieces_of

WORDS = st.text(alphabet=st.sampled_from("ab \n\t\u200b\u202e<&'\"\\\ud800ä"), max_size=60)


def shown(old: str, new: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    before, now = pieces_of(old, new)
    return [(one.text, one.kind) for one in before], [(one.text, one.kind) for one in now]


@pytest.mark.parametrize(
    ("old", "new", "before", "now"),
    [
        ("same", "same", [("same", "")], [("same", "")]),
        ("a b c", "a x c", [("a ", ""), ("b", "other"), (" c", "")],
         [("a ", ""), ("x", "other"), (" c", "")]),
        ("find it", "find it\u200b now", [("find it", "")],
         [("find it", ""), ("\\u200b", "hidden"), (" now", "other")]),
        ("a\u202eb", "a\u202eb", [("a", ""), ("\\u202e", "hidden"), ("b", "")],
         [("a", ""), ("\\u202e", "hidden"), ("b", "")]),
        ("", "new", [], [("new", "other")]),
        ("two\nlines", "two\nlines", [("two\nlines", "")], [("two\nlines", "")]),
    ],
)  # fmt: skip
def test_what_differs_is_marked(
    old: str, new: str, before: list[tuple[str, str]], now: list[tuple[str, str]]
) -> None:
    assert shown(old, new) == (before, now)


def test_a_text_that_only_looks_like_a_hidden_character_is_none() -> None:
    assert [kind for _, kind in shown("a", r"a \u200b")[1]] == ["", "other"]


def test_a_late_difference_of_long_texts_is_shown() -> None:
    same = "word " * 2_000
    before, now = shown(f"{same}good end", f"{same}bad end")
    assert before[0][0].startswith("…")
    assert ("good", "other") in before
    assert ("bad", "other") in now


@given(WORDS, WORDS)
def test_nothing_is_lost_and_nothing_is_hidden(old: str, new: str) -> None:
    for text, pieces in zip((old, new), pieces_of(old, new), strict=True):
        whole = "".join(piece.text for piece in pieces)
        assert plain(whole.replace("\n", "").replace("\t", "")) == whole.replace("\n", "").replace(
            "\t", ""
        )
        assert whole.replace("\n", "\\x0a").replace("\t", "\\x09") == plain(text)


def test_texts_that_have_everything_in_common_but_the_order_take_no_time() -> None:
    began = time.process_time()
    before, now = pieces_of("a b " * 5_000, "b a " * 5_000)
    assert time.process_time() - began < 1
    assert max(sum(len(one.text) for one in its) for its in (before, now)) <= LONGEST + 1


def test_marks_are_markup_and_the_texts_are_not() -> None:
    made = marked([Piece("<b>", ""), Piece("<i>", "other"), Piece("\\u200b", "hidden")])
    assert made == (
        "&lt;b&gt;<mark>&lt;i&gt;</mark>"
        '<mark class="hidden-sign" title="a hidden character">\\u200b</mark>'
    )
