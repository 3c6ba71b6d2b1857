"""The verdict on a call that is not yet made, and how a server's answer is read as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

Method: TypeAlias = Literal["native", "schema-only"]
Trouble: TypeAlias = Literal["announced-but-missing", "announced-but-broken"]
LISTS: Final = ("errors", "warnings", "suggestions")


class ToolCheck(Struct, frozen=True, kw_only=True):
    """Whether a call would be valid, and why not."""

    valid: bool
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    method: Method = "native"
    """Who said so: the server, or the schema of the tool."""
    problem: Trouble | None = None
    """What is wrong with a validation that the server announces."""
    cached: bool = False


class NoVerdict(ValueError):
    """An answer that is no verdict; the text says why."""


def read_verdict(value: object) -> ToolCheck:
    """The verdict that an answer holds; raises NoVerdict where it is none."""
    if not isinstance(value, Mapping):
        raise NoVerdict("it is no object")
    valid = value.get("valid")
    if not isinstance(valid, bool):
        raise NoVerdict("its valid is neither true nor false")
    errors, warnings, suggestions = (_texts(value, name) for name in LISTS)
    if valid and errors:
        raise NoVerdict("it says valid and names errors")
    if not valid and not errors:
        raise NoVerdict("it says invalid and names no error")
    return ToolCheck(valid=valid, errors=errors, warnings=warnings, suggestions=suggestions)


def read_verdicts(value: object, wanted: int) -> list[ToolCheck]:
    """The verdicts on a batch of calls; raises NoVerdict."""
    results = value.get("results") if isinstance(value, Mapping) else None
    if not isinstance(results, list):
        raise NoVerdict("it has no results")
    if len(results) != wanted:
        raise NoVerdict(f"it has {len(results)} results for {wanted} calls")
    return [read_verdict(result) for result in results]


def content_of(result: Mapping[str, Any]) -> object:
    """What a tool's result says: its structuredContent, else the JSON in its text."""
    if result.get("isError") is True:
        raise NoVerdict("it is an error")
    structured = result.get("structuredContent")
    if structured is not None:
        return structured
    content = result.get("content")
    texts = [
        block["text"]
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, Mapping) and isinstance(block.get("text"), str)
    ]
    if len(texts) != 1:
        raise NoVerdict("it holds no JSON")
    try:
        return json.loads(texts[0])
    except (ValueError, RecursionError):
        raise NoVerdict("its text is not JSON") from None


def _texts(value: Mapping[str, Any], name: str) -> list[str]:
    texts = value.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise NoVerdict(f"its {name} are no list of texts")
    return texts
