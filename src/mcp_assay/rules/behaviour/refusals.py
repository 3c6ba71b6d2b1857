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
LONGEST_PARSED: Final = 100_000
MOST_MEMBERS: Final = 100


def may_refuse(result: Any) -> bool:
    """Whether a result that counts as a success reads like a refusal, in words or by a member."""
    texts = texts_of(result)[:1]
    if any(len(text) <= LONGEST_DOUBTED and DOUBTS.search(text) is not None for text in texts):
        return True
    return any(_complains(value) for value in _objects(result, texts))


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
        str(name).replace("_", "").lower() in COMPLAINTS and bool(member)
        for name, member in islice(value.items(), MOST_MEMBERS)
    )
