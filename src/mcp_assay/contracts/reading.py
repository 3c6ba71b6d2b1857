"""What an answer says: its data, its words, and the values of its fields at every depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from mcp_assay.model.call import Answer
from mcp_assay.rules.behaviour.texts import texts_of

LONGEST_PARSED: Final = 1_000_000
LONGEST_SHOWN: Final = 300
DEEPEST: Final = 40
NOTHING: Final = object()
"""Stands for data that is not there."""


def data_of(result: Any) -> Any:
    """structuredContent, else the first text that is a JSON object or array, else NOTHING."""
    if not isinstance(result, dict):
        return NOTHING
    if "structuredContent" in result:
        return result["structuredContent"]
    values = (_parsed(text) for text in texts_of(result))
    return next((value for value in values if isinstance(value, dict | list)), NOTHING)


def words_of(answer: Answer) -> str:
    """What an answer tells people, cut where it is long; how it ended where it has no words."""
    if answer.ending == "timed_out":
        return "no answer came in time"
    if answer.ending == "died":
        return "the server died"
    if answer.error is not None:
        return cut(f"JSON-RPC error {answer.error.get('code')}: {answer.error.get('message')}")
    texts = texts_of(answer.result)
    if texts:
        return cut(" ".join(texts))
    data = data_of(answer.result)
    return "nothing" if data is NOTHING else cut(shown(data))


def fields(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every member of every object in a value, with its name; the items of a list have its name."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from fields(item, depth + 1)
    elif isinstance(value, dict):
        for name, member in value.items():
            for one in member if isinstance(member, list) else [member]:
                if not isinstance(one, dict | list):
                    yield name, one
            yield from fields(member, depth + 1)


def shown(value: Any) -> str:
    """A value as JSON, as far as it can be written so."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return repr(value)


def cut(text: str) -> str:
    """The text, cut where it is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _parsed(text: str) -> Any:
    if len(text) > LONGEST_PARSED:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
