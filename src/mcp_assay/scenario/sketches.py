"""Objects that a description only sketches: `[{"name": ..., "qty": ..., "rate": 10 or 8}]`."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import DecodeError, json

from mcp_assay.scenario.usual_values import MEASURES, NUMBERS, TEXTS, by_name, singular
from mcp_assay.text.names import name_parts

_MEMBER: Final = re.compile(
    r"""(["'])([A-Za-z_][\w-]{0,40})\1\s{0,4}:\s{0,4}(?![\[{\s])([^,\[\]{}\n]{0,80})"""
)
"""A member, and what is said of its value up to the next mark."""
_KEY: Final = re.compile(r"'([A-Za-z_][\w-]{0,40})'\s{0,4}:")
_MORE: Final = re.compile(r",\s{0,4}(?:\.\.\.|…)\s{0,4}(?=[\]}])")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?(?![\w.])")
_TEXT: Final = re.compile(r"\"([^\"\n]{0,80})\"|'([^'\n]{0,80})'")
_TRUTH: Final = re.compile(r"(true|false)\b", re.IGNORECASE)


def sketched(text: str) -> Any:
    """The object or list that a text sketches, usual values in its gaps; None where it is none."""
    filled, members = _MEMBER.subn(_filled, _MORE.sub("", text))
    filled = _KEY.sub(r'"\1":', filled)
    if not members:
        return None
    try:
        return json.decode(filled)
    except DecodeError:
        return None


def _filled(member: re.Match[str]) -> str:
    return f"{_json(member[2])}:{_json(_value(member[2], member[3].strip()))}"


def _value(name: str, said: str) -> Any:
    """What a sketch says of a value: the first one that it names, or what its name suggests."""
    if found := _NUMBER.match(said):
        return float(said[: found.end()]) if "." in found[0] else int(found[0])
    if found := _TRUTH.match(said):
        return found[1].lower() == "true"
    written = next(filter(None, found.groups()), "") if (found := _TEXT.match(said)) else ""
    return written if any(map(str.isalnum, written)) else _usual(name)


def _usual(name: str) -> Any:
    numbers = by_name(NUMBERS, name)
    is_measure = not MEASURES.isdisjoint(map(singular, name_parts(name)))
    if numbers or is_measure:
        return numbers[0] if numbers else 1
    return next(iter(by_name(TEXTS, name)), "example")


def _json(value: Any) -> str:
    return json.encode(value).decode()
