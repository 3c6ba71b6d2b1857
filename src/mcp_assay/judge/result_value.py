"""The object or the texts that a result consists of, and where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson
from msgspec import Struct

from mcp_assay.judge import sign_wording as wording
from mcp_assay.judge.members import member_word

LONGEST_OBJECT: Final = 20_000
"""So much of JSON is read: what was sent may be repeated in it, escaped in many ways."""
LONGEST_LISTING: Final = 2_000
MOST_LINES: Final = 20
MOST_WRAPPERS: Final = 3
LITERALS: Final[Mapping[str, object]] = {
    "true": True,
    "yes": True,
    "false": False,
    "no": False,
    "null": None,
    "none": None,
    "n/a": None,
    "-": None,
    "": None,
}
MARKS: Final = " \t*_`>-•\u2013❌⚠️✗✖🚫❗🔴⛔💥✓✅"
"""What stands around names and values in lists for people."""
_PAIR: Final = re.compile(r"([A-Za-z][\w -]{0,30})\s?[:=]\s?(.{0,2000})")
_NUMBER: Final = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_ELEMENT: Final = re.compile(r"<([A-Za-z][\w-]{0,40})>([^<>]{0,500})</\1>")
_HEADING: Final = re.compile(r"#{1,6} .{0,80}|\*\*[^*]{1,80}\*\*:?|[-=*_]{3,40}")


class ResultValue(Struct, frozen=True):
    """The object or the text that a result consists of, and where that is."""

    value: Mapping[str, Any] | None
    texts: tuple[str, ...]
    place: tuple[str | int, ...]
    is_text_alone: bool
    """Whether one text is all that there is."""
    flagged_block: int | None = None
    """The block that says of itself that it is an error."""
    items: tuple[Mapping[str, Any], ...] = ()
    """The objects of the list that it is instead: one for each thing that was asked for."""


def result_value(response: Mapping[str, Any]) -> ResultValue:
    """The object that a result consists of, or else its texts."""
    content, structured = response.get("content"), response.get("structuredContent")
    blocks = content if isinstance(content, list) else []
    spoken = [(place, block) for place, block in enumerate(blocks) if _is_text(block)]
    texts = tuple(block["text"] for _, block in spoken)
    flagged = next((place for place, block in spoken if _is_flagged(block)), None)
    is_alone = len(texts) == len(blocks) == 1
    if isinstance(structured, dict) and structured and not is_wrapped(structured, texts):
        inner, steps = _unwrapped(structured)
        place: tuple[str | int, ...] = ("structuredContent", *steps)
        return ResultValue(inner, texts, place, is_alone, flagged)
    found = _object_in(texts[0]) if len(texts) == 1 else None
    value = _unwrapped(found)[0] if isinstance(found, dict) else None
    texts = (found,) if isinstance(found, str) else texts
    place = ("content", 0, "text") if texts else ()
    items = _items_in(texts[0]) if len(texts) == 1 else ()
    return ResultValue(value, texts, place, is_alone, flagged, items)


def is_wrapped(structured: object, texts: tuple[str, ...]) -> bool:
    """Whether a framework has put the text of a result into an object of its own."""
    if not isinstance(structured, dict) or len(structured) != 1:
        return False
    inner = structured.get("result", structured)
    return inner in texts[:1] or (inner is None and not any(map(str.strip, texts)))


def listing_in(text: str) -> dict[str, Any] | None:
    """The object that a short text is for people: lines of names and values, or elements."""
    bare = text.strip()
    if len(bare) > LONGEST_LISTING:
        return None
    if bare.startswith("<"):
        found = {name: _literal(inner) for name, inner in _ELEMENT.findall(bare)}
        return found or None
    return _pairs(bare)


def _pairs(text: str) -> dict[str, Any] | None:
    """Lines that all have a name and a value, below a heading perhaps."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and _HEADING.fullmatch(lines[0]):
        lines = lines[1:]
    if not 2 <= len(lines) <= MOST_LINES:
        return None
    pairs = [_PAIR.fullmatch(line.strip(MARKS).replace("**", "")) for line in lines]
    if not all(pairs):
        return None
    return {pair[1].strip().lower(): _literal(pair[2]) for pair in pairs if pair}


def _literal(text: str) -> Any:
    bare = text.strip(MARKS).strip("\"'")
    if bare.lower() in LITERALS:
        return LITERALS[bare.lower()]
    if not _NUMBER.fullmatch(bare):
        return bare
    return float(bare) if "." in bare else int(bare)


def _is_text(block: object) -> bool:
    return (
        isinstance(block, dict)
        and block.get("type", "text") == "text"
        and isinstance(block.get("text"), str)
    )


def _is_flagged(block: Mapping[str, Any]) -> bool:
    return any(
        member is True and member_word(name) in wording.ERROR_TRUTHS
        for name, member in block.items()
    )


def _object_in(text: str) -> dict[str, Any] | str | None:
    """The object, or the text in quotes, that a text is, where it is short enough."""
    value = _parsed(text, ("{", '"'))
    return value if isinstance(value, dict | str) else None


def _items_in(text: str) -> tuple[Mapping[str, Any], ...]:
    """The objects, if a text is a short enough list of nothing else."""
    value = _parsed(text, ("[",))
    is_list = isinstance(value, list) and all(isinstance(one, dict) for one in value)
    return tuple(value) if is_list else ()


def _parsed(text: str, starts: tuple[str, ...]) -> Any:
    bare = text.strip()
    if not bare.startswith(starts) or len(bare) > LONGEST_OBJECT:
        return None
    try:
        return orjson.loads(bare)
    except orjson.JSONDecodeError:
        return None


def _unwrapped(value: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The object inside those that only hold another, and the way to it."""
    steps: list[str] = []
    for _ in range(MOST_WRAPPERS):
        name = str(next(iter(value), ""))
        inner = value.get(name)
        is_holder = len(value) == 1 and member_word(name) in wording.WRAPPERS
        if not is_holder or not isinstance(inner, dict):
            break
        value = inner
        steps.append(name)
    return value, steps
