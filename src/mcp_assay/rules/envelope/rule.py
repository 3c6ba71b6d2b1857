"""How a rule about responses is written, and the parts of a response that rules look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.rules.engine.rule import Breaks, Examples, Found, register
from mcp_assay.wire.pointer import Path
from mcp_assay.wire.reader import Note

Facet: TypeAlias = Literal[
    "any value",
    "response",
    "success",
    "failure",
    "data",
    "item",
    "text",
    "image",
    "resource",
    "result",
]
"""What a rule looks at: the whole in some condition, or a content item of some type.

The result comes last, and only where nothing was found that MCP would mind.
"""

FORMED: Final[tuple[Facet, ...]] = ("text", "image", "resource")
"""The types of items that have a form in the profile."""

DATA: Final[tuple[Path, ...]] = (("data",), ("error", "details"))
"""Where a response holds what its author chose freely."""

Check: TypeAlias = Callable[[Any], Iterator[Found]]


class ResponsePart(Struct, frozen=True):
    """A part of a response, and where in it the part stands."""

    facet: Facet
    value: Any
    path: Path = ()


class ProfileRule(Struct, frozen=True):
    """A rule of the profile: its id, what is broken with it, and its predicate."""

    id: str
    breaks: Breaks
    check: Check


RULES_ON: Final[dict[Facet, list[ProfileRule]]] = {}
"""The rules of the profile by what they look at."""


def profile_rule(
    id: str,
    name: str,
    *,
    on: Facet,
    breaks: Breaks,
    reason: str,
    good: Examples,
    bad: Examples,
) -> Callable[[Check], Check]:
    """Register a predicate on a part of a response; its docstring holds the words for people.

    A predicate says what is wrong in half a sentence: what that breaks is added to it.
    """

    def decorate(check: Check) -> Check:
        register(
            id,
            name,
            check.__doc__ or "",
            subject="envelope",
            breaks=breaks,
            reason=reason,
            good=good,
            bad=bad,
        )
        RULES_ON.setdefault(on, []).append(ProfileRule(id, breaks, check))
        return check

    return decorate


def parts(response: Any, notes: Sequence[Note]) -> Iterator[ResponsePart]:
    """Every part of a response; `notes` tell what is odd in its text, seen from the response."""
    yield ResponsePart("any value", response)
    if not isinstance(response, dict):
        return
    yield ResponsePart("response", response)
    if isinstance(success := response.get("success"), bool):
        yield ResponsePart("success" if success else "failure", response)
    if _has_data(response):
        yield ResponsePart("data", notes)
    yield from _items(response.get("content"))
    yield ResponsePart("result", response)


def is_data(path: Path) -> bool:
    """Whether the path leads into what the author of a response chose freely."""
    return any(path[: len(start)] == start for start in DATA)


def _has_data(response: dict[str, Any]) -> bool:
    error = response.get("error")
    return "data" in response or (isinstance(error, dict) and "details" in error)


def _items(content: Any) -> Iterator[ResponsePart]:
    for index, item in enumerate(content if isinstance(content, list) else ()):
        path = ("content", index)
        yield ResponsePart("item", item, path)
        kind = item.get("type") if isinstance(item, dict) else None
        for facet in FORMED:
            if kind == facet:
                yield ResponsePart(facet, item, path)


MOMENT = "2026-03-01T09:30:00Z"
IMAGE = {"type": "image", "url": "https://example.com/cpu.png", "altText": "CPU usage"}
RESOURCE = {
    "type": "resource",
    "resourceType": "url",
    "identifier": "https://example.com/notes/7",
    "name": "Note 7",
}
MCP_IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
MCP_RESOURCE = {"type": "resource", "resource": {"uri": "note://7", "text": "Buy milk"}}


def text(words: str) -> dict[str, Any]:
    """A text item."""
    return {"type": "text", "text": words}


def success(*items: Any, **members: Any) -> dict[str, Any]:
    """A response that reports success, with these items and members."""
    content = list(items) or [text("3 notes found")]
    return {"success": True, "timestamp": MOMENT, "content": content, **members}


def failure(*items: Any, **members: Any) -> dict[str, Any]:
    """A response that reports failure, with these items and members."""
    return {
        "success": False,
        "timestamp": MOMENT,
        "content": list(items) or [text("Error: Note 7 not found")],
        "isError": True,
        "error": {"code": "NOTE_NOT_FOUND", "message": "Note 7 not found"},
        **members,
    }


def without(response: dict[str, Any], *names: str) -> dict[str, Any]:
    """The response without the members of these names."""
    return {name: value for name, value in response.items() if name not in names}
