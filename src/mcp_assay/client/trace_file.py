"""Entries -> trace lines without secrets, at the end of a file."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable
from typing import Any, Final

from mcp_assay.model.entry import Entry
from mcp_assay.text.redaction import Redactor

BLOCK: Final = 1 << 20


class Recording:
    """A trace file under way. What it held before is kept, unless it is begun anew.

    A file that cannot be written any more is left as it is; `close` says so.
    """

    def __init__(self, path: str, redactor: Redactor, *, anew: bool = False) -> None:
        self.lines = 0 if anew else _lines_in(path)
        """How many lines the file holds."""
        self._path: Final = path
        # Open as long as the traffic goes on.
        self._file: Final = open(path, "wb" if anew else "ab", opener=_for_the_owner)  # noqa: SIM115
        self._redactor: Final = redactor
        self._fault: OSError | None = None

    def add(self, entry: Entry, session: str) -> None:
        """Write down an entry."""
        self.add_line(trace_line(entry, session, self._redactor))

    def add_line(self, line: bytes) -> None:
        """Write down an entry whose line was made already."""
        self.lines += 1
        if self._fault is None:
            self._try(lambda: self._file.write(line))

    def flush(self) -> None:
        """Let readers of the file see all that was added."""
        if self._fault is None:
            self._try(self._file.flush)

    @property
    def broke_off(self) -> bool:
        """Whether the file could not be written to its end."""
        return self._fault is not None

    def close(self) -> str:
        """Let go of the file, and say what became of it."""
        self._try(self._file.close)
        if self._fault is not None:
            return f"trace {self._path} is incomplete: {self._fault.strerror}"
        return f"trace {self._path}"

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as fault:
            self._fault = self._fault or fault


def trace_line(entry: Entry, session: str, redactor: Redactor) -> bytes:
    """The line of a trace of an entry, without its secrets."""
    line = {
        "dir": entry.direction,
        "t": round(entry.moment, 6),
        "session": session,
        "transport": entry.transport,
        "exchange": entry.exchange,
        "http": redactor.value(entry.http)[0],
        "sse": entry.sse,
        "end": entry.end or None,
        "ended_by": entry.ended_by if entry.end else None,
        "unread": entry.unread or None,
        "lost": entry.lost or None,
    }
    members = {name: value for name, value in line.items() if value is not None}
    members |= _message(entry.text, redactor)
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"


def _message(text: bytes | None, redactor: Redactor) -> dict[str, Any]:
    """The message: exact where nothing had to be taken out of it."""
    if text is None:
        return {}
    if clean := redactor.message(text):
        return {"message": clean[0], "redacted": clean[1]}
    try:
        return {"raw": text.decode()}
    except UnicodeDecodeError:
        return {"raw64": b64encode(text).decode()}


def _for_the_owner(path: str, flags: int) -> int:
    """Open a file that, if it is new, nobody else may read: secrets may look like nothing."""
    return os.open(path, flags, 0o600)


def _lines_in(path: str) -> int:
    if not os.path.isfile(path):
        return 0
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(BLOCK), b""))
