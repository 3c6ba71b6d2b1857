"""Tools without hints that only read, by labels made by hand before any word was listed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.text.reading_tools import declares_no_hint, only_reads

TABLES = Path(__file__).parent / "reading_tools"
UNSEEN = "342591c9960ed21d6f8c85b9b4df4b392602582a2a0ffae70cb5d8854a1182de"
"""Of the half that nothing was fitted to."""
LEAST_CALLED = 0.85


def labelled(half: str) -> list[tuple[dict[str, Any], bool]]:
    """The tools of one half, and whether each only reads."""
    lines = (TABLES / f"{half}.tsv").read_text().splitlines()
    return [(tool(*cells[:3]), cells[3] == "reads") for cells in map(_cells, lines)]


def _cells(line: str) -> list[str]:
    return line.split("\t")


def tool(name: str, description: str = "", arguments: str = "-") -> dict[str, Any]:
    """A tool with these arguments, each as "name" or "name: description"."""
    named = [one.partition(": ") for one in arguments.split(", ") if one != "-"]
    members = {one: {"type": "string", "description": said} for one, _, said in named}
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": members},
    }


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_readers_are_known_and_no_changer_is_taken_for_one(half: str) -> None:
    known = labelled(half)
    taken = [one["name"] for one, reads in known if only_reads(one) and not reads]
    missed = [one["name"] for one, reads in known if reads and not only_reads(one)]
    readers = sum(reads for _, reads in known)
    assert taken == []
    assert (readers - len(missed)) / readers >= LEAST_CALLED, missed


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        (None, True),
        ({}, True),
        ({"title": "Weather"}, True),
        ({"readOnlyHint": None}, True),
        ({"readOnlyHint": False}, False),
        ({"openWorldHint": True}, False),
        ({"idempotentHint": "yes"}, False),
        ("none", True),
    ],
)
def test_a_title_is_no_hint(annotations: object, expected: bool) -> None:
    assert declares_no_hint({"name": "get_weather", "annotations": annotations}) is expected


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"name": 1},
        {"name": "get_x", "description": 5},
        {"name": "get_x", "description": "Get x. " * 1_000},
        {"name": "get_x", "description": "Gets x und löscht es"},
        {"name": "g\u0435t_x", "description": "Get x"},
        {"name": ""},
    ],
)
def test_what_is_not_understood_is_no_reader(odd: dict[str, Any]) -> None:
    assert not only_reads(odd)


def test_the_unseen_half_is_as_it_was() -> None:
    assert hashlib.sha256((TABLES / "unseen.tsv").read_bytes()).hexdigest() == UNSEEN
