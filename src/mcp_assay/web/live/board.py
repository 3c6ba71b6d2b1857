"""What is to be said of a run, the latest word on each thing: bounded, and nobody misses anything.

A note is put under a key and takes the place of what stood there; every change has the next number.
Whoever has seen all up to a number is told what has changed since, once, however much that was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Note: TypeAlias = Mapping[str, Any]


class NoteBoard:
    """The notes about one run, in the order of their latest changes."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the latest change."""
        self.is_closed = False
        """Whether nothing will change any more."""
        self._notes: Final[dict[str, tuple[int, Note]]] = {}
        self._waiting: Final[set[asyncio.Future[None]]] = set()

    def put(self, key: str, note: Note) -> None:
        """Say something, in place of what was said under this key."""
        self._notes.pop(key, None)
        self.number += 1
        self._notes[key] = (self.number, note)
        self._wake()

    def close(self) -> None:
        """Say that all is said."""
        self.is_closed = True
        self._wake()

    def since(self, number: int) -> list[tuple[int, Note]]:
        """What has changed after a number, each with its own, in their order."""
        found = []
        for numbered in reversed(self._notes.values()):
            if numbered[0] <= number:
                break
            found.append(numbered)
        return found[::-1]

    def notes(self) -> list[Note]:
        """All that is said now, in the order in which it was changed last."""
        return [note for _, note in self._notes.values()]

    async def changed(self, after: int) -> None:
        """Wait until there is something after a number, or will never be."""
        while self.number <= after and not self.is_closed:
            woken = asyncio.get_running_loop().create_future()
            self._waiting.add(woken)
            try:
                await woken
            finally:
                self._waiting.discard(woken)

    def _wake(self) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
