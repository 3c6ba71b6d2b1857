"""Requests that wait for their answers, and answers under wrong ids."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.ending import Ending

OTHER_ID: Final = "the response had a different id"
UNREADABLE: Final = "the response could not be read"
PARTS: Final = (b'"jsonrpc"', b'"result"')
"""What a line has in it that should have been a result."""
MOST_DIGITS: Final = 15
"""Our own ids have fewer."""
CERTAIN, PROBABLE = 0.2, 1.0
"""Seconds that the right answer still has where one came that was surely meant for the request, or
must have been, for want of another request."""


class WrongIds:
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

    def forget_suspects(self) -> None:
        """Note that something was sent which wants no answer, but may get one from some servers."""
        self._unclear_since = self._latest

    def answered(self, id: int) -> None:
        """Note that a request was answered under its own id, and so all that came before it."""
        if self._unclear_since is not None and id > self._unclear_since:
            self._unclear_since = None

    def heed(self, value: Mapping[str, Any]) -> None:
        """Find out whom a response under a wrong id is for.

        One with the digits of ours, as a string, is certain. A result under an unknown id
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


def _hurry(waiting: PendingRequest, seconds: float, why: str) -> None:
    waiting.detail = why
    waiting.hurry(seconds)


def _number(id: object) -> int | None:
    """The number that an id shows, whatever its type."""
    if type(id) is int:
        return id
    if isinstance(id, str) and id.isascii() and id.isdigit() and len(id) <= MOST_DIGITS:
        return int(id)
    return int(id) if isinstance(id, float) and id.is_integer() else None


TOO_BUSY: Final = 0.5
"""Seconds: a clock that rings so late rang while we did something else, for another server."""


class PendingRequest:
    """One request that waits; its ending comes from an answer, the clock, or the server's end."""

    def __init__(
        self,
        method: str,
        seconds: float,
        most: float,
        *,
        id: int = 0,
        request: bytes = b"",
        stderr_mark: int = 0,
    ) -> None:
        self.method: Final = method
        self.id: Final = id
        self.request: Final = request
        """The message as it is sent."""
        self.stderr_mark: Final = stderr_mark
        """How much was written to standard error before it."""
        self.exchange: int | None = None
        """The HTTP exchange that it was sent in."""
        self.value: dict[str, Any] = {}
        """The answer, once it is there and decoded."""
        self.raw: bytes | None = None
        self.unread = 0
        self.status: int | None = None
        self.challenge = ""
        self.again: Callable[..., PendingRequest] | None = None
        """Sends the same once more, under another id; `seconds` says how long that may take."""
        self.retry_after = ""
        """When the server wants to be asked again, as its header has it."""
        self.detail = ""
        """More about an ending without an answer."""
        self._loop: Final = asyncio.get_running_loop()
        self.ended: Ending | None = None
        """How the waiting has ended, once it has."""
        self._sleeper: asyncio.Future[None] | None = None
        """Whoever sleeps until the ending: an answer that is there already wakes nobody."""
        self.started: Final = self._loop.time()
        self._seconds: Final = seconds
        self._excused = seconds
        """So much longer it may take in all because we are busy: a flood keeps us so for ever."""
        self._taken = 0.0
        """Seconds of the waiting that we took to judge what came meanwhile."""
        self._latest = self.started + max(seconds, most)
        self._deadline = self.started + seconds

    async def ending(self) -> Ending:
        """Wait for the ending, whatever it is."""
        while self.ended is None:
            await self._sleep()
        return self.ended

    @property
    def seconds_left(self) -> float:
        """How much longer it may wait."""
        return max(0.0, self._deadline - self._loop.time())

    @property
    def seconds(self) -> float:
        """How long it has been waiting for the server."""
        return max(0.0, self._loop.time() - self.started - self._taken)

    @property
    def is_over(self) -> bool:
        """Whether the waiting has ended: what comes now comes too late."""
        return self.ended is not None

    def end(self, ending: Ending) -> None:
        """End the waiting; the first ending counts."""
        if self.ended is None:
            self.ended = ending
            self._wake()

    def stretch(self) -> None:
        """Begin the time anew, because there was progress; never beyond the hard maximum."""
        self._deadline = min(self._loop.time() + self._seconds, self._latest)

    def hurry(self, seconds: float) -> None:
        """Wait no longer than so many seconds from now."""
        self._deadline = min(self._deadline, self._loop.time() + seconds)
        self._latest = min(self._latest, self._deadline)
        self._wake()

    def forgive(self, seconds: float) -> None:
        """Give back time that we took for what else came: the server is not to blame for it."""
        self._taken += seconds
        more = min(seconds, self._excused)
        self._excused -= more
        self._deadline += more
        self._latest += more

    def excuse(self) -> None:
        """Give back the time since the sending, which we took: the server is not to blame."""
        taken = self._loop.time() - self.started
        self._deadline += taken
        self._latest += taken

    async def _sleep(self) -> None:
        """Sleep until the ending, or until the deadline as it is now."""
        self._sleeper = self._loop.create_future()
        timer = self._loop.call_at(self._deadline, self._ring)
        try:
            await self._sleeper
        finally:
            timer.cancel()

    def _ring(self) -> None:
        late = self._loop.time() - self._deadline
        if late > TOO_BUSY:  # then the answer may lie there unread
            more = min(late, self._excused)
            self._excused -= more
            self._deadline = self._loop.time() + more
        if self._loop.time() < self._deadline:
            self._wake()
        else:
            self.end("timed_out")

    def _wake(self) -> None:
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.set_result(None)


class Queue:
    """All requests that wait, by id; an answer must have the id's value and type."""

    def __init__(self) -> None:
        self._waiting: Final[dict[int, PendingRequest]] = {}

    def __iter__(self) -> Iterator[PendingRequest]:
        return iter(list(self._waiting.values()))

    def put(self, id: int, waiting: PendingRequest) -> None:
        """Have a request wait."""
        self._waiting[id] = waiting

    def get(self, id: object) -> PendingRequest | None:
        """The request with this very id, an integer."""
        found = self._waiting.get(id) if type(id) is int else None
        return None if found is None or found.is_over else found

    def only(self) -> tuple[int, PendingRequest] | None:
        """The request that waits, with its id, where it is the only one."""
        waiting = [(id, one) for id, one in self._waiting.items() if not one.is_over]
        return waiting[0] if len(waiting) == 1 else None

    def take_out(self, id: int) -> None:
        """Have a request wait no longer."""
        self._waiting.pop(id, None)

    def of(self, exchange: str | int | None) -> PendingRequest | None:
        """The request of an exchange; where there are no exchanges, the only one that waits."""
        waiting = [one for one in self._waiting.values() if not one.is_over]
        found = [one for one in waiting if one.exchange == exchange]
        return found[0] if len(found) == 1 else None
