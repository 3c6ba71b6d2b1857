"""The copy of one HTTP exchange that the validator gets: heads, pieces of bodies, ends."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final, Protocol

from mcp_assay.client.frames import Frame, FrameKind
from mcp_assay.client.http_sessions import EVENT_STREAM, Request, header, media_type
from mcp_assay.model.entry import Direction
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from mcp_assay.wire.sse import BLANK_LINES


class CopyListener(Protocol):
    """Takes a copy of the traffic; at once, and without ever failing."""

    def put(self, frame: Frame) -> None:
        """Take one frame."""


class Copies:
    """What the validator gets of one exchange, while it lasts.

    Of what is too long to be judged, a body or one event of a stream, only the size is reported.
    """

    def __init__(self, listener: CopyListener, head: Request) -> None:
        self._listener: Final = listener
        self._head: Final = head
        self._size: Final[dict[Direction, int]] = {"c2s": 0, "s2c": 0}
        self._ended: Final[set[Direction]] = set()
        self._long_events: Final = _LongEvents()
        self._is_stream = False
        self._is_packed = False
        facts = {
            "method": head.method,
            "path": head.path,
            "request_headers": head.headers,
            "is_endpoint": head.is_endpoint,
        }
        self._put("http", "c2s", facts=facts)

    def response(self, status: int, headers: Mapping[str, str]) -> None:
        """Tell how the response begins."""
        self._is_stream = media_type(headers) == EVENT_STREAM
        self._is_packed = header(headers, "content-encoding") is not None
        self._put("http", "s2c", facts={"status": status, "response_headers": headers})

    def piece(self, direction: Direction, payload: bytes) -> None:
        """Tell what was forwarded."""
        self._size[direction] += len(payload)
        if direction == "s2c" and self._is_stream:
            self._stream_piece(payload)
        elif self._size[direction] <= MAX_MESSAGE_BYTES:
            self._put("bytes", direction, payload)

    def _stream_piece(self, payload: bytes) -> None:
        needed, skipped = (payload, 0) if self._is_packed else self._long_events.needed(payload)
        if needed:
            self._put("bytes", "s2c", needed, {"skipped": skipped} if skipped else None)

    def end(self, direction: Direction, *, whole: bool) -> None:
        """Tell, once, that a body ended, or that it was cut off."""
        if direction not in self._ended:
            self._ended.add(direction)
            self._put("end", direction, facts={"whole": whole, "size": self._size[direction]})

    def cut(self) -> None:
        """Tell that what has not ended never will."""
        self.end("c2s", whole=False)
        self.end("s2c", whole=False)

    def _put(
        self,
        kind: FrameKind,
        direction: Direction,
        payload: bytes = b"",
        facts: dict[str, Any] | None = None,
    ) -> None:
        self._listener.put(
            Frame(
                kind=kind,
                direction=direction,
                at=time.time(),
                conn=self._head.conn,
                exchange=self._head.exchange,
                payload=payload,
                facts=facts,
            )
        )


class _LongEvents:
    """Leaves out what lies in the midst of an event that is too long."""

    def __init__(self) -> None:
        self._last = b""
        self._since = 0
        self._skipped = 0

    def needed(self, piece: bytes) -> tuple[bytes, int]:
        """What is needed of the stream up to this piece, and how much before it is not.

        Where something was left out, its last byte comes back: it may begin a blank line.
        """
        seen = self._last + piece
        end = max(map(seen.rfind, BLANK_LINES))
        is_needed = end >= 0 or self._since <= MAX_MESSAGE_BYTES
        self._last = piece[-1:]
        self._since = self._since + len(piece) if end < 0 else len(seen) - end
        if not is_needed:
            self._skipped += len(piece)
            return b"", 0
        skipped, self._skipped = self._skipped, 0
        return (seen, skipped - 1) if skipped else (piece, 0)
