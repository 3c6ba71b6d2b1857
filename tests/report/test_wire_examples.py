"""Examples show what passes over the wire, and a good one is never the same as a bad one."""

from __future__ import annotations

from itertools import takewhile

import pytest

from mcp_assay.report.about_rules import story
from mcp_assay.report.wire_examples import telling_apart
from mcp_assay.rules import load_rule, rule_name
from mcp_assay.rules.index import INDEX
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.selection import KNOWN_RULES

INTERNAL = ('"trouble"', '"scenario"', '"dialogue"', '"step"', '"outcome": "')
"""Members of our own structures."""
MARGIN = 9
HERE = "   -> "


def told(id: str) -> list[str]:
    rule = load_rule(id)
    lines = story(KNOWN_RULES[id], rule_name(id), rule, DEFAULT_REVISION)
    return ["".join(text for text, _ in line) for line in lines]


def part(lines: list[str], label: str) -> list[str]:
    """The lines of a part, without what marks the place of a fault."""
    start = next(at for at, line in enumerate(lines) if line.startswith(label))
    rest = takewhile(lambda line: line.startswith(" "), lines[start + 1 :])
    return [line[MARGIN:].partition(HERE)[0] for line in (lines[start], *rest)]


@pytest.mark.parametrize("id", sorted(INDEX))
def test_good_and_bad_differ_and_show_nothing_of_our_own(id: str) -> None:
    lines = told(id)
    bad, good = part(lines, "Bad"), part(lines, "Good")
    assert bad != good
    assert not [line for line in (*bad, *good) if any(name in line for name in INTERNAL)]


def test_long_texts_are_cut_around_where_they_differ() -> None:
    one, other = telling_apart(["a" * 500 + "b" * 10, "a" * 500 + "c" * 10], 100)
    assert one.endswith("abbbbbbbbbb")
    assert other.endswith("acccccccccc")
