"""How tools, fields and values are called in the ids of checks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.contracts.reading import shown

ROOT: Final = "mcp-assay"
SERVER: Final = "the server"
"""Stands for a tool where a check is of the server as a whole."""
_ODD: Final = re.compile(r"[^\w.+/-]+")
LONGEST: Final = 60


def slug(text: str) -> str:
    """The text with nothing in it that means something in an id."""
    return _ODD.sub("-", text)[:LONGEST].strip("-") or "nameless"


def field_slug(pointer: str) -> str:
    """A place in the arguments: "filter.kind" for /filter/kind."""
    return slug(pointer.removeprefix("/").replace("/", "."))


def value_slug(value: Any) -> str:
    """A value; an empty text is called empty."""
    if isinstance(value, str):
        return slug(value) if value.strip() else "empty"
    return slug(shown(value))


def unique(names: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found
