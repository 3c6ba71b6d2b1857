"""Lines that need no exact reading, which are nearly all: bare messages, and plain trace lines.

A plain line tells no more than who said what in which session, and is read in one go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from orjson import JSONDecodeError, dumps, loads

from mcp_assay.model.entry import Direction
from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.locations import member

BARE: Final = b'{"jsonrpc"'
"""A line that begins like this is a message, whatever else it holds."""
DIR: Final = b'"dir"'
"""A line without this is no trace line."""
PLAIN: Final = frozenset({"dir", "session", "message", "t", "conn", "server", "client"})
"""The members that a plain line may have: none of them changes how its message is judged."""

Numbered: TypeAlias = Iterator[tuple[int, bytes | None]]
"""Lines with their running numbers; None stands for a line that is too long."""
Messages: TypeAlias = Iterator[tuple[bytes, Direction | None, int]]
"""Texts of messages, who sent them, and the running numbers of their lines."""


def is_bare(line: bytes) -> bool:
    """Whether a line, which is not blank, can be nothing but a bare message."""
    return line.startswith(BARE) or DIR not in line


def is_blank(line: bytes) -> bool:
    """Whether there is nothing on the line."""
    return not line or line.isspace()


class BareRun:
    """Bare messages from a first one on, and the line that ended them."""

    def __init__(
        self, number: int, line: bytes, following: Numbered, direction: Direction | None
    ) -> None:
        self._first: Final = line
        self._following: Final = following
        self._direction: Final = direction
        self.number = number
        """The number of the message that was taken last."""
        self.length = 1
        self.ended_by: tuple[int, bytes | None] = (number, b"")

    def __iter__(self) -> Messages:
        direction = self._direction
        yield self._first, direction, self.number
        for number, line in self._following:
            if line is None or not (
                line.startswith(BARE) or (is_bare(line) and not is_blank(line))
            ):
                self.ended_by = (number, line)
                return
            self.length += 1
            self.number = number
            yield line, direction, number
        self.ended_by = (self.number, b"")


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
