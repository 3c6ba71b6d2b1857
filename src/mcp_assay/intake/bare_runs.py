"""Lines that are bare messages and follow one another: the fast way through a file of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from mcp_assay.model.message import Direction

BARE: Final = b'{"jsonrpc"'
"""A line that begins like this is a message, whatever else it holds."""
DIR: Final = b'"dir"'
"""A line without this is no trace line."""

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


def _is_message(line: bytes) -> bool:
    return is_bare(line) and not is_blank(line)
