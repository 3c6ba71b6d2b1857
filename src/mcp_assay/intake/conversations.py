"""The conversations that a trace interleaves, each with its own memory, a bounded number alive."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from mcp_assay.intake.trace import SessionKey
from mcp_assay.model.report import Limit
from mcp_assay.rules.lanes import Lanes

MAX_LIVE = 10_000
"""More sessions than this are not followed at once; the one silent for longest is let go."""


class Conversations:
    """One Lanes per session key, begun when the key is first seen."""

    def __init__(self, begin: Callable[[], Lanes], most: int = MAX_LIVE) -> None:
        self._begin = begin
        self._live: OrderedDict[SessionKey, Lanes] = OrderedDict()
        self._finished: set[str] = set()
        self.most = most
        self.begun = 0
        self.let_go = 0

    def of(self, key: SessionKey) -> Lanes:
        """The conversation of this key."""
        if key in self._live:
            self._live.move_to_end(key)
            return self._live[key]
        self.begun += 1
        self._live[key] = lanes = self._begin()
        if len(self._live) > self.most:
            self._let_go(self._live.popitem(last=False)[1])
        return lanes

    @property
    def revisions(self) -> set[str]:
        """The revisions that were spoken."""
        return self._finished | {lanes.revision for lanes in self._live.values()}

    def limits(self) -> list[Limit]:
        """The limit on live sessions, where it cut something."""
        if not self.let_go:
            return []
        effect = "sessions were let go while others were followed; what came after began anew"
        return [Limit(name="live-sessions", value=self.most, count=self.let_go, effect=effect)]

    def _let_go(self, lanes: Lanes) -> None:
        self._finished.add(lanes.revision)
        self.let_go += 1
