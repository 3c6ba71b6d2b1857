"""Lines that were chosen -> a trace that says where others are left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from mcp_assay.validate.trace import REFUSALS
from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.trace_file import TraceFile

MOST_SESSIONS: Final = 100_000
"""Sessions that are followed at a time; with more, too many lines may be said to be left out."""


class TraceExport:
    """Makes a trace of lines: of each session it says before which line others are missing.

    So `mcp-assay validate` takes the session for a part, and no answer for one that never came.
    """

    def __init__(self) -> None:
        self._left_out: Final[dict[str, int]] = {}
        self._lines = 0

    def line(self, text: bytes, session: str, passed: int) -> bytes:
        """The next line of the trace, before which so many others passed in all sessions."""
        left_out = passed - self._lines
        self._lines += 1
        lost = left_out - self._left_out.get(session, 0)
        if len(self._left_out) >= MOST_SESSIONS:
            self._left_out.clear()
        self._left_out[session] = left_out
        whole = text.rstrip(b"\n")
        return (_with_gap(whole, lost) if lost > 0 else whole) + b"\n"


def exported(file: TraceFile, wanted: TrafficFilter) -> Iterator[bytes]:
    """The lines of a file that are wanted, as a trace, piece by piece."""
    export = TraceExport()
    for lines in file.wanted_lines(wanted):
        yield b"".join(
            line + b"\n" if wanted.is_empty else export.line(line, row.session, row.number - 1)
            for row, line in lines
        )


def _with_gap(line: bytes, lost: int) -> bytes:
    """The line of a trace, before which so many others are missing; a bare message stays."""
    try:
        members = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except REFUSALS:
        return line
    if "dir" not in members:
        return line
    members["lost"] = msgspec.Raw(b"%d" % lost)
    return msgspec.json.encode(members)
