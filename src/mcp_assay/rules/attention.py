"""The session rules at work on one conversation: they see all of it, and say what is wrong."""

from __future__ import annotations

from typing import Final

from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction, Message
from mcp_assay.rules.audience import CANCELLED, OPENINGS, Audience, Audiences, Watching
from mcp_assay.rules.rule import Found
from mcp_assay.rules.telling import tell
from mcp_assay.rules.watching import (
    RETIRED,
    SETTLED,
    Arrival,
    Stage,
    Watcher,
    Watchers,
    end_watchers,
    line_watchers,
)
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.wire.pointer import pointer

NOBODY: Final[Watching] = {}
NO_STAGE: Final[frozenset[Stage]] = frozenset()
OPENING: Final[frozenset[Stage]] = frozenset(("opening",))
CANCELLING: Final[frozenset[Stage]] = frozenset(("cancelling",))


class Attention:
    """Shows each line of a conversation to whoever watches such lines, and collects what they say.

    `noted` holds what was said about the present line, each with the message that it is about.
    """

    __slots__ = ("_audience", "_is_own", "_revision", "_stage", "_watching", "noted", "talk")

    def __init__(self, talk: Talk) -> None:
        self.talk: Final = talk
        self.noted: Final[list[tuple[Found, Message | None]]] = []
        self._audience: Audience | None = None
        """Whoever watches, None while that may change from one message to the next."""
        self._is_own = False
        """Whether no other conversation has this audience."""
        self._watching = NOBODY
        self._revision = ""
        """The audience's own, at hand for every message."""
        self._stage = NO_STAGE

    def show(self, message: Message) -> None:
        """Show a message; a response knows the request that it answers."""
        known, talk = None, self.talk
        if message.revision == self._revision:
            known = self._watching[message.kind].get(message.method)
        watching, members, everybody = known or self._meet(message)
        if members:
            params = (message.answers or message).value.get("params")
            if params.__class__ is dict and not members.isdisjoint(params):
                watching = everybody
        for watcher in watching:
            if found := watcher(talk, message):
                if found is RETIRED or found is SETTLED:
                    self._retire(watcher, message, alone=found is RETIRED)
                else:
                    self.noted.extend([(one, message) for one in found])

    def line(self, arrival: Arrival) -> None:
        """Show how a line came."""
        for watcher in line_watchers(plain=arrival.is_plain):
            if found := watcher(self.talk, arrival):
                self.noted.extend([(one, None) for one in found])

    def forget(self) -> None:
        """Look anew who watches what."""
        self._audience, self._watching, self._revision = None, NOBODY, ""

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

    def _meet(self, message: Message) -> Watchers:
        """Who watches messages that this audience has not had yet."""
        if message.method in OPENINGS:
            self.forget()
        elif message.method == CANCELLED and not self._stage:
            self.forget()
            self._stage = CANCELLING
        audience = self._audience
        if audience is None or audience.revision != message.revision:
            audience = self._gathered(message)
        return audience.meet(message.kind, message.method)

    def _gathered(self, message: Message) -> Audience:
        """Whoever watches from now on; kept when the opening is over, so that it stays so."""
        talk, revision = self.talk, message.revision
        audiences = talk.commons.recall(Audiences)
        if not (talk.partial or revision >= R2026_07_28 or talk.handshake.is_over):
            return audiences.of(talk.commons, revision, OPENING | self._stage, None)
        offered = talk.handshake.server_capabilities
        audience = audiences.of(talk.commons, revision, self._stage, offered)
        if self._audience is None and message.method not in OPENINGS:
            self._join(audience, alone=False)
        return audience

    def _join(self, audience: Audience, *, alone: bool) -> None:
        self._audience, self._is_own = audience, alone
        self._watching, self._revision = audience.watching, audience.revision

    def _retire(self, watcher: Watcher, message: Message, *, alone: bool) -> None:
        """Show this watcher no more such messages: it has seen enough."""
        if self._audience is None or self._revision != message.revision:
            return
        if alone and not self._is_own:
            self._join(self._audience.copy(), alone=True)
        self._audience.retire(watcher, message.kind, message.method)


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
