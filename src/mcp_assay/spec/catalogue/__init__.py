"""The rule catalogue: what is known about each rule, by its id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Subject
from mcp_assay.spec.catalogue.dialogue import DIALOGUE_RULES, PATTERN_RULES
from mcp_assay.spec.catalogue.lifecycle import LIFECYCLE_RULES
from mcp_assay.spec.catalogue.messages import MESSAGE_RULES
from mcp_assay.spec.catalogue.own import BEHAVIOUR_RULES, ENVELOPE_RULES, OWN_RULES
from mcp_assay.spec.catalogue.row import CatalogueEntry, Party
from mcp_assay.spec.catalogue.server import SERVER_RULES, TOOL_RULES
from mcp_assay.spec.catalogue.transports import TRANSPORT_RULES

__all__ = [
    "CATALOGUE",
    "SENDERS",
    "CatalogueEntry",
    "Party",
    "applies",
    "blames_sender",
    "entry",
    "suggest",
]

RULES: Final = (
    *MESSAGE_RULES,
    *LIFECYCLE_RULES,
    *TOOL_RULES,
    *SERVER_RULES,
    *DIALOGUE_RULES,
    *PATTERN_RULES,
    *TRANSPORT_RULES,
    *OWN_RULES,
    *ENVELOPE_RULES,
    *BEHAVIOUR_RULES,
)
"""All rows: those of the specification in its order, then our own."""

CATALOGUE: Final[dict[str, CatalogueEntry]] = {rule.id: rule for rule in RULES}
"""Every rule by its id, in the order of the table."""

SENDERS: Final[Mapping[Direction | None, Subject | None]] = {
    "c2s": "client",
    "s2c": "server",
    None: None,
}

LONGEST_ID: Final = 40
"""A mistyped id is compared up to this length: it comes from outside, and comparing is slow."""


def entry(id: str) -> CatalogueEntry:
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


def blames_sender(rule: str, direction: Direction | None) -> bool:
    """Whether a rule can be broken by whoever sent a message: some bind one side alone."""
    subject = CATALOGUE[rule].subject
    return direction is None or subject == "both" or subject == SENDERS[direction]


NEAR: Final = 0.7
"""How much of an id must be as it was typed."""


def suggest(id: str) -> list[str]:
    """The ids, at most three, that somebody who typed `id` may have meant, the likeliest first."""
    wanted = _tidied(id[:LONGEST_ID])
    if wanted in CATALOGUE:
        return [wanted]
    from difflib import get_close_matches  # noqa: PLC0415  slow to import, seldom needed

    return get_close_matches(wanted, CATALOGUE, cutoff=NEAR)


def _tidied(id: str) -> str:
    """The id as we write ids: capital letters, a hyphen, three digits."""
    letters = "".join(filter(str.isalpha, id)).upper()
    digits = "".join(filter(str.isdigit, id))
    return f"{letters}-{digits:0>3}"
