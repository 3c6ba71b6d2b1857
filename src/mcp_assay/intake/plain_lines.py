"""Trace lines that tell no more than who said what in which session: nearly all, read in one go."""

from __future__ import annotations

from typing import Any, Final

from orjson import JSONDecodeError, dumps, loads

from mcp_assay.intake.spans import member
from mcp_assay.wire.duplicates import has_duplicate_members

PLAIN: Final = frozenset({"dir", "session", "message", "t", "conn", "server", "client"})
"""The members that a plain line may have: none of them changes how its message is judged."""


def plain_line(line: bytes) -> dict[str, Any] | None:
    """The members of a plain line that holds a message, None for any other."""
    try:
        members = loads(line)
    except JSONDecodeError:
        return None
    is_plain = members.__class__ is dict and "message" in members and members.keys() <= PLAIN
    return members if is_plain else None


def names_twice(line: bytes, members: dict[str, Any]) -> bool:
    """Whether an object of the line may name a member twice; the end of the line tells mostly."""
    try:
        again = dumps(members["message"])
    except TypeError:
        return True
    return not line.endswith(again, 0, len(line) - 1) and has_duplicate_members(line, members)


def message_text(line: bytes) -> bytes:
    """The exact text of the message of a plain line."""
    span = member(line, b"message")
    return line[slice(*span)] if span else line
