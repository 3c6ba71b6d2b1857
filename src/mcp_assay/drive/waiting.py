"""Requests that wait for their answers, each with a deadline that progress can only stretch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final

from mcp_assay.drive.answer import AnswerEnding

TOO_BUSY: Final = 0.5
"""Seconds: a clock that rings so late rang while we did something else, for another server."""


class Waiting:
    """One request that waits; its ending comes from an answer, the clock, or the server's end."""

    def __init__(self, method: str, seconds: float, most: float) -> None:
        self.method: Final = method
        self.exchange: int | None = None
        """The HTTP exchange that it was sent in."""
        self.value: dict[str, Any] = {}
        """The answer, once it is there and decoded."""
        self.raw: bytes | None = None
        self.unread = 0
        self.status: int | None = None
        self.challenge = ""
        self.why = ""
        self._loop: Final = asyncio.get_running_loop()
        self.ended: AnswerEnding | None = None
        """How the waiting has ended, once it has."""
        self._sleeper: asyncio.Future[None] | None = None
        """Whoever sleeps until the ending: an answer that is there already wakes nobody."""
        self.started: Final = self._loop.time()
        self._seconds: Final = seconds
        self._excused = seconds
        """So much longer it may take in all because we are busy: a flood keeps us so for ever."""
        self._latest = self.started + max(seconds, most)
        self._deadline = self.started + seconds

    async def ending(self) -> AnswerEnding:
        """Wait for the ending, whatever it is."""
        while self.ended is None:
            await self._sleep()
        return self.ended

    @property
    def seconds(self) -> float:
        """How long it has been waiting."""
        return self._loop.time() - self.started

    @property
    def is_over(self) -> bool:
        """Whether the waiting has ended: what comes now comes too late."""
        return self.ended is not None

    def end(self, ending: AnswerEnding) -> None:
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

    def use(self, meanwhile: Callable[[], None]) -> None:
        """Do something in the time of waiting; what it takes is not held against the server."""
        before = self._loop.time()
        meanwhile()
        taken = self._loop.time() - before
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
        self._waiting: Final[dict[int, Waiting]] = {}

    def __iter__(self) -> Iterator[Waiting]:
        return iter(list(self._waiting.values()))

    def put(self, id: int, waiting: Waiting) -> None:
        """Have a request wait."""
        self._waiting[id] = waiting

    def get(self, id: object) -> Waiting | None:
        """The request with this very id, an integer."""
        found = self._waiting.get(id) if type(id) is int else None
        return None if found is None or found.is_over else found

    def only(self) -> tuple[int, Waiting] | None:
        """The request that waits, with its id, where it is the only one."""
        waiting = [(id, one) for id, one in self._waiting.items() if not one.is_over]
        return waiting[0] if len(waiting) == 1 else None

    def take_out(self, id: int) -> None:
        """Have a request wait no longer."""
        self._waiting.pop(id, None)

    def of(self, exchange: int | None) -> Waiting | None:
        """The request of an exchange; where there are no exchanges, the only one that waits."""
        waiting = [one for one in self._waiting.values() if not one.is_over]
        found = [one for one in waiting if one.exchange == exchange]
        return found[0] if len(found) == 1 else None
