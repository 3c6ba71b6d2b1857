"""The session rules at work on one conversation: they see all of it, and say what is wrong."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction, Kind, Message
from mcp_assay.rules.engine import kind_of
from mcp_assay.rules.rule import Found
from mcp_assay.rules.telling import tell
from mcp_assay.rules.watching import (
    RETIRED,
    Arrival,
    Watcher,
    decided_by,
    end_watchers,
    line_watchers,
    watchers,
)
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.talk import Talk
from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.wire.pointer import pointer

OPENINGS: Final = ("initialize", "server/discover")
"""After these all is looked at anew: what the peers can do may have changed."""
KINDS: Final[tuple[Kind, ...]] = ("request", "notification", "result", "error", "unknown")


class Attention:
    """Shows each line of a conversation to whoever watches such lines, and collects what they say.

    `noted` holds what was said about the present line, each with the message that it is about.
    """

    __slots__ = ("_watching", "noted", "talk")

    def __init__(self, talk: Talk) -> None:
        self.talk: Final = talk
        self.noted: Final[list[tuple[Found, Message | None]]] = []
        self._watching: Final[dict[Kind, dict[str | None, tuple[Watcher, ...]]]] = {
            kind: {} for kind in KINDS
        }

    def call(
        self,
        value: dict[str, Any],
        method: str,
        revision: str,
        direction: Direction | None,
        place: int,
    ) -> None:
        """Show a request or a notification."""
        kind = kind_of(value)
        watching = self._watching[kind].get(method)
        if watching is None:
            watching = self._meet(kind, method, revision)
        if watching:
            self._show(watching, Message(value, kind, method, revision, direction, place))

    def answer(self, message: Message) -> None:
        """Show a response, which knows the request that it answers."""
        watching = self._watching[message.kind].get(message.method)
        if watching is None:
            watching = self._meet(message.kind, message.method, message.revision)
        self._show(watching, message)

    def line(self, arrival: Arrival) -> None:
        """Show how a line came."""
        for watcher in line_watchers():
            self.noted.extend([(one, None) for one in watcher(self.talk, arrival)])

    def forget(self) -> None:
        """Look anew who watches what."""
        for known in self._watching.values():
            known.clear()

    def told(self, revision: str, direction: Direction | None) -> list[Finding]:
        """The findings about the present line, in order; the next one begins afresh."""
        noted = sorted(self.noted, key=lambda one: (pointer(one[0].path), one[0].rule))
        self.noted.clear()
        return [_finding(found, message, revision, direction) for found, message in noted]

    def close(self, revision: str) -> list[tuple[int, Finding]]:
        """What is left to say at the end, each with the place that it is about."""
        found = [one for watcher in end_watchers() for one in watcher(self.talk, revision)]
        for ids in self.talk.issued.values():
            ids.release()
        return [(one.about.place if one.about else 0, _owed(one, revision)) for one in found]

    def _show(self, watching: tuple[Watcher, ...], message: Message) -> None:
        for watcher in watching:
            if found := watcher(self.talk, message):
                if found is RETIRED:
                    self._retire(watcher, message)
                else:
                    self.noted.extend([(one, message) for one in found])

    def _meet(self, kind: Kind, method: str | None, revision: str) -> tuple[Watcher, ...]:
        """Who watches messages that this conversation has not had yet."""
        known = method if method in methods_in(revision) else None
        self.talk.commons.session_rules.update(decided_by(revision, kind, known))
        settled = self._is_settled(revision)
        found = watchers(revision, kind, known, not settled)
        if method in OPENINGS:
            self.forget()
        elif settled and known == method:
            self._watching[kind][method] = found
        return found

    def _is_settled(self, revision: str) -> bool:
        """Whether the opening is over, so that who watches what will not change."""
        talk = self.talk
        return talk.partial or revision >= R2026_07_28 or talk.handshake.is_over

    def _retire(self, watcher: Watcher, message: Message) -> None:
        """Show this watcher no more such messages: it has seen enough of this conversation."""
        watching = self._watching[message.kind]
        if message.method in watching:
            rest = (one for one in watching[message.method] if one is not watcher)
            watching[message.method] = tuple(rest)


def _owed(found: Found, revision: str) -> Finding:
    """The finding about something that never came: at fault is who should have sent it."""
    about = found.about
    if about is None:
        return tell(found, revision)
    owing = OPPOSITE[about.direction]
    return tell(found, about.revision, value=about.value, message=about, direction=owing)


def _finding(
    found: Found, message: Message | None, revision: str, direction: Direction | None
) -> Finding:
    if message is None:
        return tell(found, revision, direction=direction)
    return tell(
        found,
        message.revision,
        value=message.value,
        message=message,
        direction=message.direction,
    )
