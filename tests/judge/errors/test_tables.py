"""The tables of wordings: each phrase stands once, and can be found."""

from __future__ import annotations

from collections import Counter

import pytest

from mcp_assay.judge.errors.lexicon import Lexicon, folded
from mcp_assay.judge.errors.patterns import GAP, STEM, Pattern
from mcp_assay.judge.errors.wording import known_patterns, read_table, table_names, table_text

PATTERNS = known_patterns()
LEXICON = Lexicon(PATTERNS)


def form(pattern: Pattern) -> str:
    phrase = pattern.phrase.removesuffix(STEM)
    return phrase if pattern.is_literal else folded(phrase)


def test_no_phrase_stands_in_the_tables_twice() -> None:
    counts = Counter(map(form, PATTERNS))
    assert [phrase for phrase, number in counts.items() if number > 1] == []


def test_a_phrase_has_at_most_one_gap() -> None:
    assert [one.phrase for one in PATTERNS if one.phrase.count(GAP) > 1] == []


def test_a_gap_is_one_character_with_spaces_around_it() -> None:
    without = [one.phrase.replace(GAP, "") for one in PATTERNS]
    assert [phrase for phrase in without if "…" in phrase or "..." in phrase] == []


@pytest.mark.parametrize("source", sorted({pattern.source for pattern in PATTERNS}))
def test_every_phrase_is_found_in_a_sentence(source: str) -> None:
    for pattern in (pattern for pattern in PATTERNS if pattern.source == source):
        words = pattern.phrase.replace(GAP, " this thing ").removesuffix(STEM)
        text = f"So: {words}."
        hits = LEXICON.hits(text, folded(text))
        assert any(hit.end - hit.start >= len(words) for hit in hits), pattern.phrase


def test_every_pattern_knows_its_family() -> None:
    assert all(pattern.source for pattern in PATTERNS)
    speech = [name for name in table_names() if name.startswith("speech/")]
    families = {one.source for name in speech for one in read_table(name, table_text(name))}
    assert len(families) >= 20
