"""The lines of a trace by the server that each names in its member `server`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct

Line: TypeAlias = bytes | None
"""A line; None stands for one that is too long."""
LineFilter: TypeAlias = Callable[[Iterable[Line]], Iterator[Line]]
"""Gives as many lines as it gets; what must not be judged is blank."""

SERVER: Final = b'"server"'
"""A line without this names no server."""
BLANK: Final = b""
LONGEST_NAME: Final = 200


class _ServerMember(Struct, frozen=True):
    dir: Any = UNSET
    server: Any = UNSET


_decode: Final = msgspec.json.Decoder(_ServerMember).decode


class ServerLines:
    """Notes which servers the lines name; if it is told one of them, it blanks out the others."""

    def __init__(self, only: str | None = None) -> None:
        self.names: Final[dict[str, None]] = {}
        """The servers that were named, in the order in which they came."""
        self.has_unnamed = False
        """Whether a line came that names none."""
        self._only: Final = only

    def __call__(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The same lines, with blank ones in place of those of other servers."""
        for line in lines:
            name = server_named_in(line) if line else None
            if name is not None:
                self.names[name] = None
            elif line is None or not line.isspace():
                self.has_unnamed = self.has_unnamed or line != BLANK
            yield line if self._only in (None, name) else BLANK


def server_named_in(line: bytes) -> str | None:
    """The server that a line of a trace names; None where it names none."""
    if SERVER not in line:
        return None
    try:
        members = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    is_named = members.dir is not UNSET and isinstance(members.server, str)
    return members.server[:LONGEST_NAME] if is_named and members.server else None
