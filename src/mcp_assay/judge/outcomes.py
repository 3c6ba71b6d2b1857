"""Outcomes that are answers, although their words are those of failures.

A tool may say beforehand how it ends, and it may have looked and found nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from mcp_assay.judge import sign_wording as wording
from mcp_assay.judge.errors.surroundings import SETTING
from mcp_assay.judge.members import MOST_MEMBERS, folded_state, member_word

LONGEST_DESCRIPTION: Final = 10_000
LONGEST_STATE: Final = 80
LONGEST_TEXT: Final = 300
_SENTENCE: Final = re.compile(r"[.!?](?=\s|$)|\n\s{0,20}(?=\n|[-*•])")
_LACK: Final = re.compile(
    r"\b(?:without|unless|unset|if|when|where|missing|not set|ohne|wenn|falls|sans|si|sin|senza|sem"
    r"|zonder|bez|без|если)\b"
)
"""Words of a sentence about what is done where something is wanting."""
_FAILS: Final = re.compile(
    r"\b(?:error|errors|fail|fails|raises?|throws?|exception|refus\w{1,6}|reject\w{0,4}|require[sd]?"
    r"|fehler|erreur|errore|erro)\b"
)
"""Words of one that calls that a failure."""
_COUNT: Final = re.compile(r"(?:total|count|num|numberof)\w{0,30}|\w{1,30}(?:count|total)")
FOUND: Final = "found"


def is_announced(tool: object, value: Mapping[str, Any] | None, text: str) -> bool:
    """Whether the description of a tool lists the state of an answer, or tells of what it lacks."""
    description = tool.get("description") if isinstance(tool, dict) else None
    if not isinstance(description, str):
        return False
    told = description[:LONGEST_DESCRIPTION]
    return any(_is_listed(state, told) for state in _states(value)) or _is_foretold(text, told)


def has_found_nothing(value: Mapping[str, Any] | None) -> bool:
    """Whether an object says by a member that it looked for things, and counted none."""
    return any(
        (member_word(name) == FOUND and member is False)
        or (
            type(member) is int
            and member == 0
            and _COUNT.fullmatch(member_word(name)[:LONGEST_STATE])
        )
        for name, member in islice((value or {}).items(), MOST_MEMBERS)
    )


def _states(value: Mapping[str, Any] | None) -> list[str]:
    """The states of an object that do not plainly say that it failed."""
    members = islice((value or {}).items(), MOST_MEMBERS)
    states = [member for name, member in members if member_word(name) in wording.STATES]
    texts = (
        state for state in states if isinstance(state, str) and 0 < len(state) <= LONGEST_STATE
    )
    return [text for text in texts if folded_state(text) not in wording.FAILED_STATES]


def _is_listed(state: str, told: str) -> bool:
    """Whether a description has a state in quotes, as one of its values."""
    return any(f"{mark}{state}{mark}" in told for mark in ('"', "'", "`"))


def _is_foretold(text: str, told: str) -> bool:
    """Whether a description says what it answers without a setting, and calls it no failure."""
    wanted = {match[0] for match in islice(SETTING.finditer(text[:LONGEST_TEXT]), 5)}
    if not wanted:
        return False
    sentences = (one.lower() for one in _SENTENCE.split(told) if any(map(one.__contains__, wanted)))
    return any(_LACK.search(one) and not _FAILS.search(one) for one in sentences)
