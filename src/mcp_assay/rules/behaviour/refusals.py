"""Results that count as successes, and may be refusals all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import orjson

from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.text.names import word_set

DOUBTS: Final = re.compile(
    r"\b(?:error|errors|invalid|missing|required|must be|must have|expected|unknown|unsupported"
    r"|not (?:found|valid|allowed|supported|a valid|provided|specified)|no such|cannot"
    r"|can't|could not|fail|failed|failure|please (?:provide|specify)|usage)\b",
    re.IGNORECASE,
)
"""Words of an answer that may be a refusal, although it counts as a success."""
LONGEST_DOUBTED: Final = 500
"""Longer answers that begin like this are documents."""
COMPLAINTS: Final = word_set(
    "error errors errormessage errorcode failed failure failures rejected invalid problems"
)
"""Members of an object that say what was refused, or how much of it."""
ASKS: Final = word_set(
    "questions clarifications clarificationquestions followupquestions missing missingfields"
)
"""Members of an object in which a tool asks for what it could not make out of the arguments."""
STATES: Final = word_set("status state outcome")
OPEN_STATES: Final = re.compile(
    r"(?:needs?|requires?|awaiting|missing|invalid|incomplete|insufficient)_\w{1,40}"
    r"|\w{1,40}_(?:needed|required|missing)|incomplete|insufficient|rejected|refused|invalid"
)
"""What a tool calls the state of a call whose arguments it has not taken as they are."""
DEEPEST: Final = 4
LONGEST_PARSED: Final = 100_000
MOST_MEMBERS: Final = 100


def may_refuse(result: Any) -> bool:
    """Whether a result that counts as a success reads like a refusal, in words or by a member."""
    texts = texts_of(result)[:1]
    if any(len(text) <= LONGEST_DOUBTED and DOUBTS.search(text) is not None for text in texts):
        return True
    return any(_complains(value) or _asks(value) for value in _objects(result, texts))


def _objects(result: Any, texts: list[str]) -> Iterator[Mapping[str, Any]]:
    """What a result holds as an object: structured, or as the JSON of its text."""
    values = [result.get("structuredContent")] if isinstance(result, dict) else []
    for text in texts:
        if text.lstrip().startswith("{") and len(text) <= LONGEST_PARSED:
            try:
                values.append(orjson.loads(text))
            except orjson.JSONDecodeError:
                continue
    yield from (value for value in values if isinstance(value, dict))


def _complains(value: Mapping[str, Any]) -> bool:
    """Whether an object has a member for errors with something in it."""
    return any(
        _word(name) in COMPLAINTS and bool(member)
        for name, member in islice(value.items(), MOST_MEMBERS)
    )


def _asks(value: Any, depth: int = DEEPEST) -> bool:
    """Whether an object says that something is wanting: by its state, or by what it asks."""
    if isinstance(value, list):
        return depth > 0 and any(_asks(item, depth - 1) for item in value[:MOST_MEMBERS])
    if not isinstance(value, dict):
        return False
    members = list(islice(value.items(), MOST_MEMBERS))
    return any(
        (_word(name) in ASKS and bool(member) and isinstance(member, list | str))
        or (depth == DEEPEST and _word(name) in STATES and _is_open(member))
        or (depth > 0 and isinstance(member, dict | list) and _asks(member, depth - 1))
        for name, member in members
    )


def _word(name: object) -> str:
    return str(name).replace("_", "").lower()


def _is_open(state: object) -> bool:
    said = (
        state.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(state, str) else ""
    )
    return OPEN_STATES.fullmatch(said[:LONGEST_DOUBTED]) is not None
