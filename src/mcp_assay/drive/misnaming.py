"""Answers under wrong ids, or that cannot be read: whose they are, so that nobody waits on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.drive.waiting import Queue, Waiting

OTHER_ID: Final = "the answer came under another id"
UNREADABLE: Final = "the answer could not be read"
PARTS: Final = (b'"jsonrpc"', b'"result"')
"""What a line has in it that should have been a result."""
MOST_DIGITS: Final = 15
"""Our own ids have fewer."""
CERTAIN, PROBABLE = 0.2, 1.0
"""Seconds that the right answer still has where one came that was surely meant for the request, or
must have been, for want of another request."""


class Misnaming:
    """Shortens the waiting of a request whose answer came, but not so that a client could take it.

    It counts as not answered in time, as for any client, which would have waited until its timeout.
    """

    def __init__(self, queue: Queue) -> None:
        self._queue: Final = queue
        self._latest = 0
        """The latest id of ours."""
        self._unclear_since: int | None = 0
        """The latest id when we sent what wants no answer, until a later request was answered."""

    def asked(self, id: int) -> None:
        """Note that a request was sent."""
        self._latest = id

    def told(self) -> None:
        """Note that something was sent which wants no answer, but may get one from some servers."""
        self._unclear_since = self._latest

    def answered(self, id: int) -> None:
        """Note that a request was answered under its own id, and so all that came before it."""
        if self._unclear_since is not None and id > self._unclear_since:
            self._unclear_since = None

    def heed(self, value: Mapping[str, Any]) -> None:
        """Find out whom a response under a wrong id is for.

        One with the digits of ours, as a string, is certain. A result under an id that never was
        ours is for the only request that waits, if nothing else was sent that may have caused it.
        """
        number = _number(value.get("id"))
        if number is not None and number <= self._latest:
            if waiting := self._queue.get(number):
                _hurry(waiting, CERTAIN, OTHER_ID)
            return
        only = self._queue.only()
        if only is not None and "result" in value and self._unclear_since is None:
            _hurry(only[1], PROBABLE, OTHER_ID)

    def overhear(self, text: bytes) -> None:
        """Heed a line that cannot be read: it may have been the result that is waited for."""
        only = self._queue.only()
        if only is not None and text.startswith(b"{") and all(it in text for it in PARTS):
            id, waiting = only
            if re.search(rb'"id"\s*:\s*%d\b' % id, text):
                _hurry(waiting, PROBABLE, UNREADABLE)


def _hurry(waiting: Waiting, seconds: float, why: str) -> None:
    waiting.why = why
    waiting.hurry(seconds)


def _number(id: object) -> int | None:
    """The number that an id shows, whatever its type."""
    if type(id) is int:
        return id
    if isinstance(id, str) and id.isascii() and id.isdigit() and len(id) <= MOST_DIGITS:
        return int(id)
    return int(id) if isinstance(id, float) and id.is_integer() else None
