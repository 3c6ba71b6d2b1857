"""Who watches what, found out once for all conversations of a run that go by the same terms."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import orjson

from mcp_assay.model.message import Kind
from mcp_assay.rules.watching import Stage, Watcher, Watchers, decided_by, watchers
from mcp_assay.session.talk import Commons
from mcp_assay.spec.methods import methods_in

Watching: TypeAlias = dict[Kind, dict[str | None, Watchers]]
KINDS: Final[tuple[Kind, ...]] = ("request", "notification", "result", "error", "unknown")
OPENINGS: Final = ("initialize", "server/discover")
CANCELLED: Final = "notifications/cancelled"
TURNS: Final = frozenset((*OPENINGS, CANCELLED))
"""After these all is looked at anew: what the peers can do, or what is watched, has changed."""
MOST_TERMS: Final = 1000
"""Terms whose audiences are kept; more than servers declare, unless they are up to something."""


class Audience:
    """Who watches the messages of one revision, by kind and method.

    Conversations share it; one that lets somebody `retire` for itself alone makes a copy first.
    """

    __slots__ = ("_commons", "_stage", "revision", "watching")

    def __init__(self, commons: Commons, revision: str, stage: frozenset[Stage]) -> None:
        self._commons: Final = commons
        self._stage: Final = stage
        self.revision: Final = revision
        self.watching: Final[Watching] = {kind: {} for kind in KINDS}
        """Those that were met before, but for the messages at which the audience may change."""

    def meet(self, kind: Kind, method: str | None) -> Watchers:
        """Who watches messages that nobody has had yet; names that nobody knows are not kept."""
        known = method if method in methods_in(self.revision) else None
        found = self.watching[kind].get(known)
        if found is None:
            self._commons.session_rules.update(decided_by(self.revision, kind, known))
            found = watchers(self.revision, kind, known, self._stage)
            if known not in TURNS:
                self.watching[kind][known] = found
        return found

    def retire(self, watcher: Watcher, kind: Kind, method: str | None) -> None:
        """Show this watcher no more such messages."""
        watching = self.watching[kind]
        if method in watching:
            watching[method] = watching[method].without(watcher)

    def copy(self) -> Audience:
        """The same audience, for a conversation that is going to differ."""
        copied = Audience(self._commons, self.revision, self._stage)
        for kind, watching in self.watching.items():
            copied.watching[kind].update(watching)
        return copied


class Audiences:
    """The audiences of a run."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: Final[dict[tuple[str, frozenset[Stage], bytes], Audience]] = {}

    def of(
        self,
        commons: Commons,
        revision: str,
        stage: frozenset[Stage],
        offered: dict[str, Any] | None,
    ) -> Audience:
        """The audience of conversations where the server has declared these capabilities."""
        try:
            key = revision, stage, orjson.dumps(offered)
        except TypeError:
            return Audience(commons, revision, stage)
        audience = self._known.get(key)
        if audience is None:
            audience = Audience(commons, revision, stage)
            if len(self._known) < MOST_TERMS:
                self._known[key] = audience
        return audience
