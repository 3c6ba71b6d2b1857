"""The traffic of a proxy, offered on a private socket: whoever reads slowly misses something.

The inspector only puts records into lists; a thread of its own writes to those who read. What is
kept for readers that come later, and what waits for each of them, is bounded.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock, Thread
from typing import Final

from msgspec import Struct

from mcp_assay.client.private_sockets import PrivateListener
from mcp_assay.proxy.feed_news import (
    KIND,
    FoundLateNews,
    MissedNews,
    News,
    OpenedNews,
    OverNews,
    PassedNews,
    packed,
)

MOST_KEPT: Final = 2_000
"""So many records are kept for readers that come later."""
MOST_BYTES_KEPT: Final = 16 << 20
MOST_WAITING: Final = 24 << 20
"""So many bytes wait for one reader, all that is kept among them; what comes on top it misses."""
MOST_READERS: Final = 8
PIECE: Final = 1 << 18
"""So many bytes are given to the system at once."""
LAST_WAIT: Final = 0.5
"""Seconds that readers have at the end: nobody waits for them longer."""


class FeedLimits(Struct, frozen=True):
    """How much is kept for readers, and of them."""

    records: int = MOST_KEPT
    kept: int = MOST_BYTES_KEPT
    waiting: int = MOST_WAITING
    readers: int = MOST_READERS


class TrafficFeed:
    """Takes the news of one proxy at once, and tells them to all who are connected.

    Raises NoSocket where there can be no private socket.
    """

    def __init__(self, name: str, session: str, limits: FeedLimits | None = None) -> None:
        self._limits: Final = limits or FeedLimits()
        self._opened: Final = OpenedNews(name, session, os.getpid(), time.time())
        self._lock: Final = Lock()
        self._kept: Final[deque[tuple[bytes, bool]]] = deque()
        """Records, and whether each is a message."""
        self._size = 0
        self._forgotten = 0
        self._readers: Final[dict[socket.socket, _FeedReader]] = {}
        self._is_rung = False
        """Whether the thread will look anyway: most messages need not wake it."""
        self._ends_at = 0.0
        """When the thread gives up, 0 as long as there is traffic."""
        self._listener: Final = PrivateListener(KIND)
        self._selector: Final = selectors.DefaultSelector()
        self._bell, self._button = socket.socketpair()
        self._thread: Final = Thread(target=self._serve, name="feed", daemon=True)
        self._watch(self._listener.socket, self._accept)
        for end in (self._bell, self._button):
            end.setblocking(False)
        self._watch(self._bell, self._answer_bell)
        self._thread.start()

    @property
    def path(self) -> str:
        """Where it is listened."""
        return self._listener.path

    def passed(self, news: PassedNews) -> None:
        """Tell of a message; at once."""
        self._put(news, is_message=True)

    def found_late(self, news: FoundLateNews) -> None:
        """Tell of findings about messages that passed before; at once."""
        self._put(news, is_message=False)

    def close(self, how: str) -> None:
        """Tell that it is over, and give who reads a moment to take the rest."""
        record = packed(OverNews(how))
        with self._lock:
            for reader in self._readers.values():
                reader.add_last(record)
        self._ends_at = time.monotonic() + LAST_WAIT
        self._ring()
        self._thread.join(2 * LAST_WAIT)
        self._button.close()
        self._listener.close()

    def _put(self, news: News, *, is_message: bool) -> None:
        record = packed(news)
        with self._lock:
            self._keep(record, is_message)
            for reader in self._readers.values():
                reader.add(record, is_message)
            is_awaited = bool(self._readers) and not self._is_rung
            self._is_rung |= is_awaited
        if is_awaited:
            self._ring()

    def _keep(self, record: bytes, is_message: bool) -> None:
        self._kept.append((record, is_message))
        self._size += len(record)
        while len(self._kept) > self._limits.records or self._size > self._limits.kept:
            oldest, was_message = self._kept.popleft()
            self._size -= len(oldest)
            self._forgotten += was_message

    def _ring(self) -> None:
        with suppress(OSError):
            self._button.send(b"!")

    def _serve(self) -> None:
        try:
            while not self._is_over():
                timeout = LAST_WAIT / 10 if self._ends_at else None
                for key, events in self._selector.select(timeout):
                    key.data(events)
        finally:
            for connection in list(self._readers):
                self._drop(connection)
            self._selector.close()
            self._bell.close()

    def _is_over(self) -> bool:
        if not self._ends_at:
            return False
        with self._lock:
            is_all_told = not any(reader.has_more for reader in self._readers.values())
        return is_all_told or time.monotonic() > self._ends_at

    def _watch(self, end: socket.socket, act: Callable[[int], None]) -> None:
        self._selector.register(end, selectors.EVENT_READ, act)

    def _answer_bell(self, _: int) -> None:
        with suppress(OSError):
            self._bell.recv(PIECE)
        with self._lock:
            self._is_rung = False
        for connection, reader in list(self._readers.items()):
            self._tell(connection, reader)

    def _accept(self, _: int) -> None:
        connection = self._listener.accept()
        if connection is None:
            return
        if len(self._readers) >= self._limits.readers:
            connection.close()
            return
        reader = _FeedReader(self._limits.waiting)
        self._watch(connection, partial(self._go_on, connection, reader))
        with self._lock:
            opened = OpenedNews(
                self._opened.name,
                self._opened.session,
                self._opened.pid,
                self._opened.began,
                self._forgotten,
            )
            reader.add(packed(opened), is_message=False)
            for record, is_message in self._kept:
                reader.add(record, is_message)
            self._readers[connection] = reader
        self._tell(connection, reader)

    def _go_on(self, connection: socket.socket, reader: _FeedReader, events: int) -> None:
        """A reader can take more, or is gone; what it says is of no interest."""
        try:
            if events & selectors.EVENT_READ and not connection.recv(PIECE):
                self._drop(connection)
                return
        except BlockingIOError:
            pass
        except OSError:
            self._drop(connection)
            return
        if events & selectors.EVENT_WRITE:
            self._tell(connection, reader)

    def _tell(self, connection: socket.socket, reader: _FeedReader) -> None:
        """Write what the reader takes now, and come back for the rest when it takes more."""
        try:
            while piece := self._next_piece(reader):
                reader.sent(piece, connection.send(piece))
        except BlockingIOError:
            pass
        except OSError:
            self._drop(connection)
            return
        wanted = selectors.EVENT_READ
        if reader.has_more:
            wanted |= selectors.EVENT_WRITE
        act = self._selector.get_key(connection).data
        self._selector.modify(connection, wanted, act)

    def _next_piece(self, reader: _FeedReader) -> bytes:
        with self._lock:
            return reader.piece()

    def _drop(self, connection: socket.socket) -> None:
        with self._lock:
            self._readers.pop(connection, None)
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection)
        connection.close()


class _FeedReader:
    """What waits for one reader; what it has no room for is counted and told."""

    def __init__(self, most: int) -> None:
        self._waiting: Final[deque[bytes]] = deque()
        self._begun = b""
        """What was taken out and not written yet."""
        self._most: Final = most
        self._size = 0
        self._missed = 0

    def add(self, record: bytes, is_message: bool) -> None:
        """Let a record wait, if there is room."""
        if self._size + len(record) > self._most:
            self._missed += is_message
            return
        self.add_last(record)

    def add_last(self, record: bytes) -> None:
        """Let a record wait in any case, behind the number of those that were missed."""
        if self._missed:
            self._append(packed(MissedNews(self._missed)))
            self._missed = 0
        self._append(record)

    @property
    def has_more(self) -> bool:
        """Whether anything still waits."""
        return bool(self._begun or self._waiting)

    def piece(self) -> bytes:
        """The next bytes to write, none where nothing waits."""
        if not self._begun:
            parts, size = [], 0
            while self._waiting and size < PIECE:
                parts.append(self._waiting.popleft())
                size += len(parts[-1])
            self._size -= size
            self._begun = b"".join(parts)
        return self._begun

    def sent(self, piece: bytes, count: int) -> None:
        """Note that so much of the piece was written."""
        self._begun = piece[count:]

    def _append(self, record: bytes) -> None:
        self._waiting.append(record)
        self._size += len(record)
