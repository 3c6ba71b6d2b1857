"""Which session an HTTP exchange belongs to, where only some of its lines say so.

A client's initialize has no session yet: the answer names it. So the lines of such an exchange wait
for the answer, and are judged in the session that it begins.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.model.entry import Entry, SessionKey

MOST_WAITING: Final = 1_000
"""Exchanges that may wait for their answers; the one that began first is judged without it."""
MOST_LINES: Final = 100
"""Lines of one exchange that may wait."""
MOST_BYTES: Final = 16 << 20
"""How much all that waits may hold together."""
MOST_KNOWN: Final = 10_000
"""Exchanges whose session is remembered."""
OPENING: Final = b'"initialize"'
"""What a line must hold to be worth waiting with."""

ExchangeKey: TypeAlias = tuple[str, str | int]
"""The file and the exchange: another file may number its exchanges alike."""


class ExchangeRouter:
    """The exchanges that wait for their session, and the sessions of those that know it."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[ExchangeKey, list[Entry]] = OrderedDict()
        self._known: OrderedDict[ExchangeKey, SessionKey] = OrderedDict()
        self._bytes = 0

    def ready(self, entry: Entry) -> list[Entry]:
        """What may be judged now that this came, in order, each with its session."""
        if entry.exchange is None or (entry.session and entry.session[0] == "session"):
            return [entry]
        key = (entry.where.file or "", entry.exchange)
        if entry.session is not None and entry.session[0] == "http":
            self._learn(key, entry.session)
        if session := self._known.get(key):
            return [replace(one, session=session) for one in (*self._released(key), entry)]
        if key in self._waiting or _may_open(entry):
            return self._wait(key, entry)
        return [entry]

    def rest(self) -> list[Entry]:
        """Everything that still waits."""
        return [entry for key in list(self._waiting) for entry in self._released(key)]

    def _wait(self, key: ExchangeKey, entry: Entry) -> list[Entry]:
        group = self._waiting.setdefault(key, [])
        group.append(entry)
        self._bytes += len(entry.source)
        if entry.direction == "s2c" or entry.end or len(group) >= MOST_LINES:
            return self._released(key)
        ready: list[Entry] = []
        while len(self._waiting) > MOST_WAITING or self._bytes > MOST_BYTES:
            ready += self._released(next(iter(self._waiting)))
        return ready

    def _released(self, key: ExchangeKey) -> list[Entry]:
        group = self._waiting.pop(key, [])
        self._bytes -= sum(len(entry.source) for entry in group)
        return group

    def _learn(self, key: ExchangeKey, session: SessionKey) -> None:
        self._known[key] = session
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


def _may_open(entry: Entry) -> bool:
    return entry.direction == "c2s" and entry.text is not None and OPENING in entry.text
