"""A thread with an event loop, in which a server is kept open while tests wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from threading import Event, Thread
from typing import Any, Final, TypeVar

from mcp_assay.client.links import NotReached

T = TypeVar("T")

LISTENING_SECONDS: Final = 5.0
"""So long the thread may do one single thing, beyond the time that a call has."""
BRIEFLY: Final = 0.2
"""So long those wait who come after a thread was found blocked."""

BLOCKS: Final = (
    "the server blocks its thread, and this process cannot stop it. Use await in slow tools, "
    "or start the server by its command"
)
HELD: Final = "an earlier call still blocks the thread of the server"


class Stuck(NotReached):
    """A server in this process keeps its thread, so that nothing else can be done there."""


class Held(Stuck):
    """The same, after it was reported once."""


class Host:
    """Runs what is asynchronous for those who are not."""

    def __init__(self, patience: float) -> None:
        self._patience: Final = patience
        self._is_stuck = False
        self._loop: Final = asyncio.new_event_loop()
        self._thread: Final = Thread(target=self._loop.run_forever, name="mcp-assay", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin some work in the thread of this host."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T], patience: float | None = None) -> T:
        """Do some work, and wait for what comes of it; raises Stuck."""
        return self.wait(self.start(work), patience)

    def wait(self, future: Future[T], patience: float | None = None) -> T:
        """Wait for work that was begun; raises Stuck where the thread does nothing else any more.

        A deadline needs the thread that a blocking tool keeps: somebody else has to look.
        """
        try:
            seconds = patience or self._patience
            while not wait([future], BRIEFLY if self._is_stuck else seconds).done:
                self._require_listening()
            return future.result()
        except (KeyboardInterrupt, Stuck):
            future.cancel()
            raise

    def _require_listening(self) -> None:
        listened, is_known = Event(), self._is_stuck
        self._loop.call_soon_threadsafe(listened.set)
        self._is_stuck = not listened.wait(BRIEFLY if is_known else LISTENING_SECONDS)
        if self._is_stuck:
            raise Held(HELD) if is_known else Stuck(BLOCKS)

    def close(self) -> None:
        """End the loop and the thread, unless a server keeps them: then they end with the tests."""
        if not self._is_stuck and self.run(_is_idle()):
            self.run(self._loop.shutdown_asyncgens())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


async def _is_idle() -> bool:
    return asyncio.all_tasks() == {asyncio.current_task()}
