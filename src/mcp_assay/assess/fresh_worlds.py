"""When a tool needs a world of its own: where others have changed what was there before them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.client.connection import Connection
from mcp_assay.client.target import Command, Target
from mcp_assay.model.call import ToolRun
from mcp_assay.model.effect import FileChange
from mcp_assay.model.scenario import Scenario
from mcp_assay.text.call_order import Deed, deed_of

CREATED: Final = "created"
MOST_OF_TOOL: Final = 2
"""So many calls of a tool that adds something are made again in a fresh world."""
MOST_ADDITIONS: Final = 30
Addition: TypeAlias = tuple[dict[str, Any], Scenario]
"""A tool, and a call of it that added something."""


class FreshWorlds:
    """Starts a server in another world once a tool has changed something in this one.

    What a tool only adds is left to the next ones, which may need it, and is added again in another
    world: names that were learned from it are of no use without it.
    """

    def __init__(self, target: Target, connection: Connection) -> None:
        self._in_world: Final = isinstance(target, Command) and target.sandbox is not None
        self._connection: Final = connection
        self._seen = 0
        """The number of the latest call whose effects were looked at."""
        self._created: Final[set[str]] = set()
        """The files that this world has and the machine has not."""
        self._is_spoilt = False
        self._additions: Final[list[Addition]] = []
        self._preparation: Final[dict[str, list[Addition]]] = {}
        """By tool, the call of it that others want first."""

    def note(self, run: ToolRun, *, prepares: bool = False) -> None:
        """Take note of what the calls of a tool have done; others may want it called first."""
        succeeded = [(run.tool, call.scenario) for call in run.calls if call.verdict.succeeded]
        if prepares:
            self._preparation[run.name] = succeeded[:1] or self._preparation.get(run.name, [])
        elif deed_of(run.tool) is Deed.ADDS:
            self._additions.extend(succeeded[:MOST_OF_TOOL])
        if self._in_world and self._spoils(run) and not prepares:
            self._is_spoilt = True

    async def prepare(self, add: Callable[[Addition], Awaitable[object]]) -> None:
        """Make the calls again that others want first: later ones of that tool may undo them."""
        for additions in self._preparation.values():
            for addition in additions:
                await add(addition)

    async def renew(self, add: Callable[[Addition], Awaitable[object]]) -> None:
        """Begin anew, if the next calls need it, with what was added before; raises NotReached."""
        if not self._is_spoilt:
            return
        self._is_spoilt = False
        self._created.clear()
        await self._connection.renew()
        await self.prepare(add)
        for addition in self._additions[:MOST_ADDITIONS]:
            await add(addition)
        self._created.update(one.path for one in self._latest())

    def _spoils(self, run: ToolRun) -> bool:
        """Whether the calls of a tool took away what was there from the beginning.

        One that changes no file may still have changed what the server has in its memory.
        """
        changes = list(self._latest())
        self._created.update(one.path for one in changes if one.what == CREATED)
        return any(one.path not in self._created for one in changes) if changes else _changes(run)

    def _latest(self) -> Iterator[FileChange]:
        known, before = self._connection.effects.calls, self._seen
        for number in sorted(one for one in known if one > before):
            self._seen = number
            yield from (one for one in known[number].kept_files if not one.temporary)


def _changes(run: ToolRun) -> bool:
    """Whether a tool that has succeeded changes something, by its name and hints."""
    has_succeeded = any(call.verdict.succeeded for call in run.calls)
    return has_succeeded and deed_of(run.tool) is Deed.CHANGES
