"""The rule catalogue: what is known about each rule, by its id."""

from __future__ import annotations

from functools import cache
from typing import Final

from mcp_assay.spec.rule_table import RULES
from mcp_assay.spec.rule_table.entry import Entry, Party

__all__ = ["CATALOGUE", "Entry", "Party", "applies", "entry", "suggest"]

CATALOGUE: Final[dict[str, Entry]] = {rule.id: rule for rule in RULES}
"""Every rule by its id, in the order of the table."""

LONGEST_ID: Final = 40
"""A mistyped id is compared up to this length: it comes from outside, and comparing is slow."""


def entry(id: str) -> Entry:
    """The rule of this id; ValueError names near ones where there is none."""
    if id not in CATALOGUE:
        near = suggest(id)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(f"unknown rule {id[:LONGEST_ID]!r}{hint}")
    return CATALOGUE[id]


@cache
def applies(id: str, revision: str) -> bool:
    """Whether the rule belongs to the revision."""
    return revision in entry(id).revisions


def suggest(id: str) -> list[str]:
    """The ids, at most three, that somebody who typed `id` may have meant, the likeliest first."""
    wanted = _tidied(id[:LONGEST_ID])
    if wanted in CATALOGUE:
        return [wanted]
    from difflib import get_close_matches  # noqa: PLC0415  slow to import, seldom needed

    return get_close_matches(wanted, CATALOGUE)


def _tidied(id: str) -> str:
    """The id as we write ids: capital letters, a hyphen, three digits."""
    letters = "".join(filter(str.isalpha, id)).upper()
    digits = "".join(filter(str.isdigit, id))
    return f"{letters}-{digits:0>3}"
