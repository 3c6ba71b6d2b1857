"""Texts made for regular expressions really match them, and nothing makes the maker stumble."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.scenario.choices import Chance
from mcp_assay.scenario.limits import MAX_MATCHING
from mcp_assay.scenario.patterns import Unmakeable, matching
from tests.scenario.helping import is_valid

COMMON = (
    r"^[a-z]+$",
    r"^[A-Z]{3}-\d{2,4}$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^(red|green|blue)$",
    r"^#(?:[0-9a-fA-F]{3}){1,2}$",
    r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$",
    r"^https?://[^\s/]+(/.*)?$",
    r"^(\d{1,3}\.){3}\d{1,3}$",
    r"^[^a-z]{4}$",
    r"^v\d+(\.\d+)*(-[a-z]+)?$",
    r"^a{2}b{1,}c{0,2}$",
    r"^\x41\u0042\u{43}?$",
    r"^\p{L}+\p{N}*$",
    r"^\P{L}+$",
    r"^\S+\s\S+$",
    r"^\W\D$",
    r"^[\d\-_a-c]{5}$",
    r"^[-a]+$",
    r"^(?<year>\d{4})$",
    r"^\/[a-z]+\/$",
    r"^a|b$",
    r"^$",
    r"",
    r"foo",
    r"^.{10,}$",
    r"^\t\n$",
    r"^\cJ$",
    r"\bword\b",
    r"^(((a)))+?b*?$",
    r"^[\u4e00-\u9fff]+$",
    r"^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
)
UNMAKEABLE = (
    (r"(a", "has a group without an end"),
    (r"a)", "has a bracket too many"),
    (r"[a", "ends too early"),
    (r"a\\"[:-1], "ends too early"),
    (r"(a)\1", "repeats what a group has matched"),
    (r"\p{Script=Greek}", "names a property of characters that is not known here"),
    (r"\xzz", "has an escape without its digits"),
    (r"[^\s\S]", "has a place where no character fits"),
    (r"(((a{99}){99}){99})", f"asks for a text of more than {MAX_MATCHING:,} characters"),
    (r"(){999999999}", f"asks for a text of more than {MAX_MATCHING:,} characters"),
    ("(" * 5_000, "has groups nested too deep"),
)


@pytest.mark.parametrize("pattern", COMMON)
@pytest.mark.parametrize("extra", [0, 1, 5])
def test_a_text_matches_the_pattern_it_is_made_for(pattern: str, extra: int) -> None:
    made = [matching(pattern, Chance(str(seed)), extra) for seed in range(5)]
    assert [text for text in made if not is_valid({"pattern": pattern}, text)] == []


@pytest.mark.parametrize(("pattern", "reason"), UNMAKEABLE)
def test_what_cannot_be_made_is_said(pattern: str, reason: str) -> None:
    with pytest.raises(Unmakeable) as caught:
        matching(pattern, Chance("0"))
    assert str(caught.value) == reason


def test_more_of_a_repeat_makes_the_text_longer() -> None:
    assert [len(matching("^a+b{1,3}$", Chance("0"), extra)) for extra in (0, 1, 9)] == [2, 4, 13]


def test_the_same_chance_makes_the_same_text() -> None:
    assert matching(r"^\w{20}$", Chance("7")) == matching(r"^\w{20}$", Chance("7"))


@given(st.text(alphabet=r"ab01-^$.*+?{},()[]|\dwspP<=!:ux", max_size=30))
def test_any_text_is_read_as_a_pattern_or_refused(pattern: str) -> None:
    with suppress(Unmakeable):
        assert len(matching(pattern, Chance("0"), 1)) <= MAX_MATCHING
