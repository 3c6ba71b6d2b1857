"""Session rules at work on one session: which of them see a message, and what they find."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import orjson

from mcp_assay.model.entry import Direction, Kind, Message
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import (
    Done,
    SessionLine,
    Stage,
    Watcher,
    Watchers,
    decided_by,
    end_watchers,
    line_watchers,
    watchers,
)
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.state import RunState, SessionState
from mcp_assay.spec.catalogue import blames_sender
from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.wire.pointer import pointer

NOBODY: Final[Watching] = {}
NO_STAGE: Final[frozenset[Stage]] = frozenset()
OPENING: Final[frozenset[Stage]] = frozenset(("opening",))
CANCELLING: Final[frozenset[Stage]] = frozenset(("cancelling",))


class SessionDispatcher:
    """Shows each line of a session to whoever watches such lines, and collects what they say.

    `noted` holds what was said about the present line, each with the message that it is about.
    """

    __slots__ = (
        "_bare",
        "_is_own",
        "_revision",
        "_stage",
        "_table",
        "_watching",
        "noted",
        "session",
    )

    def __init__(self, session: SessionState, *, bare: bool = False) -> None:
        self.session: Final = session
        self._bare: Final = bare
        """Whether the messages belong to no session: only some watchers see those."""
        self.noted: Final[list[tuple[Found | Finding, Message | None]]] = []
        self._table: DispatchTable | None = None
        """Whoever watches, None while that may change from one message to the next."""
        self._is_own = False
        """Whether no other session has this table."""
        self._watching = NOBODY
        self._revision = ""
        """The table's own, at hand for every message."""
        self._stage = NO_STAGE

    def show(self, message: Message) -> None:
        """Show a message; a response knows the request that it answers."""
        known, session = None, self.session
        if message.revision == self._revision:
            known = self._watching[message.direction][message.kind].get(message.method)
        concerned = known or self._meet(message)
        watching = concerned.always
        if concerned.members:
            params = (message.answers or message).value.get("params")
            if params.__class__ is dict and not concerned.members.isdisjoint(params):
                watching = concerned.everybody
        session.sender = message.direction
        for watcher in watching:
            if found := watcher(session, message):
                if isinstance(found, Done):
                    self._retire(watcher, message, alone=found is Done.IN_SESSION)
                else:
                    self.noted.extend([(one, message) for one in found])

    def see_line(self, line: SessionLine) -> None:
        """Show how a line came."""
        self.session.sender = None
        for watcher in line_watchers(line.revision, plain=line.is_plain):
            if found := watcher(self.session, line):
                self.noted.extend([(one, None) for one in found])

    def forget(self) -> None:
        """Look anew who watches what."""
        self._table, self._watching, self._revision = None, NOBODY, ""

    def take_findings(self, revision: str, direction: Direction | None) -> list[Finding]:
        """The findings about the present line, in order; the next one begins afresh."""
        noted = sorted(self.noted, key=lambda one: (_place(one[0]), one[0].rule))
        self.noted.clear()
        return [
            _finding(found, message, revision, direction)
            for found, message in noted
            if message is None or blames_sender(found.rule, message.direction)
        ]

    def close(self, revision: str) -> list[tuple[int, Finding]]:
        """What is left to say at the end, each with the place that it is about."""
        self.session.sender = None
        watching = end_watchers(bare=self._bare)
        found = [one for watcher in watching for one in watcher(self.session, revision)]
        for ids in self.session.issued.values():
            ids.release()
        return [(one.about.place if one.about else 0, _owed(one, revision)) for one in found]

    def _meet(self, message: Message) -> Watchers:
        """Who watches messages that this table has not had yet."""
        if message.method in OPENINGS:
            self.forget()
        elif message.method == CANCELLED and not self._stage:
            self.forget()
            self._stage = CANCELLING
        table = self._table
        if table is None or table.revision != message.revision:
            table = self._table_for(message)
        return table.meet(message.kind, message.method, message.direction)

    def _table_for(self, message: Message) -> DispatchTable:
        """Whoever watches from now on; kept when the opening is over, so that it stays so."""
        session, revision = self.session, message.revision
        tables = session.run.recall(DispatchTables)
        if not (session.partial or revision >= R2026_07_28 or session.handshake.is_over):
            return tables.of(session.run, revision, OPENING | self._stage, None, bare=self._bare)
        offered = session.handshake.server_capabilities
        table = tables.of(session.run, revision, self._stage, offered, bare=self._bare)
        if self._table is None and message.method not in OPENINGS:
            self._join(table, alone=False)
        return table

    def _join(self, table: DispatchTable, *, alone: bool) -> None:
        self._table, self._is_own = table, alone
        self._watching, self._revision = table.watching, table.revision

    def _retire(self, watcher: Watcher, message: Message, *, alone: bool) -> None:
        """Show this watcher no more such messages: it has seen enough."""
        if self._table is None or self._revision != message.revision:
            return
        if alone and not self._is_own:
            self._join(self._table.copy(), alone=True)
        self._table.retire(watcher, message)


def _owed(found: Found, revision: str) -> Finding:
    """The finding about something that never came: at fault is who should have sent it."""
    about = found.about
    if about is None:
        return to_finding(found, revision)
    owing = OPPOSITE[about.direction]
    return to_finding(found, about.revision, value=about.value, message=about, direction=owing)


def _place(found: Found | Finding) -> str:
    return found.pointer if isinstance(found, Finding) else pointer(found.path)


def _finding(
    found: Found | Finding, message: Message | None, revision: str, direction: Direction | None
) -> Finding:
    if isinstance(found, Finding):
        return found
    if message is None:
        return to_finding(found, revision, direction=direction, request=found.about)
    return to_finding(
        found,
        message.revision,
        value=message.value,
        message=message,
        direction=message.direction,
    )


Watching: TypeAlias = dict[Direction | None, dict[Kind, dict[str | None, Watchers]]]
WAYS: Final[tuple[Direction | None, ...]] = ("c2s", "s2c", None)
KINDS: Final[tuple[Kind, ...]] = ("request", "notification", "result", "error", "unknown")
OPENINGS: Final = ("initialize", "server/discover")
CANCELLED: Final = "notifications/cancelled"
TURNS: Final = frozenset((*OPENINGS, CANCELLED))
"""After these all is looked at anew: what the peers can do, or what is watched, has changed."""
MOST_TERMS: Final = 1000
"""Terms whose tables are kept; more than servers declare, unless they are up to something."""


class DispatchTable:
    """Who watches the messages of one revision, by sender, kind and method.

    Sessions share it; one that lets somebody `retire` for itself alone makes a copy first.
    """

    __slots__ = ("_bare", "_run", "_stage", "revision", "watching")

    def __init__(
        self, run: RunState, revision: str, stage: frozenset[Stage], *, bare: bool = False
    ) -> None:
        self._run: Final = run
        self._bare: Final = bare
        self._stage: Final = stage
        self.revision: Final = revision
        self.watching: Final[Watching] = {way: {kind: {} for kind in KINDS} for way in WAYS}
        """Those that were met before, but for the messages at which the table may change."""

    def meet(self, kind: Kind, method: str | None, sender: Direction | None) -> Watchers:
        """Who watches messages that nobody has had yet; names that nobody knows are not kept."""
        known = method if method in methods_in(self.revision) else None
        found = self.watching[sender][kind].get(known)
        if found is None:
            about = self.revision, kind, known
            self._run.session_rules.update(decided_by(*about, sender, bare=self._bare))
            found = watchers(*about, self._stage, bare=self._bare)
            if known not in TURNS:
                self.watching[sender][kind][known] = found
        return found

    def retire(self, watcher: Watcher, message: Message) -> None:
        """Show this watcher no more such messages of this sender."""
        watching, method = self.watching[message.direction][message.kind], message.method
        if method in watching:
            watching[method] = watching[method].without(watcher)

    def copy(self) -> DispatchTable:
        """The same table, for a session that is going to differ."""
        copied = DispatchTable(self._run, self.revision, self._stage, bare=self._bare)
        for way, kinds in self.watching.items():
            for kind, watching in kinds.items():
                copied.watching[way][kind].update(watching)
        return copied


class DispatchTables:
    """The tables of a run."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: Final[dict[tuple[str, frozenset[Stage], bytes, bool], DispatchTable]] = {}

    def of(
        self,
        run: RunState,
        revision: str,
        stage: frozenset[Stage],
        offered: dict[str, Any] | None,
        *,
        bare: bool = False,
    ) -> DispatchTable:
        """The table of sessions where the server has declared these capabilities."""
        try:
            key = revision, stage, orjson.dumps(offered), bare
        except TypeError:
            return DispatchTable(run, revision, stage, bare=bare)
        table = self._known.get(key)
        if table is None:
            table = DispatchTable(run, revision, stage, bare=bare)
            if len(self._known) < MOST_TERMS:
                self._known[key] = table
        return table
