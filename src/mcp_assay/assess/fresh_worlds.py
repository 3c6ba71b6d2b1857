"""When a tool needs a world of its own: where others have changed what was there before them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.client.connection import Connection
from mcp_assay.client.sandbox.admission import is_disposable
from mcp_assay.client.target import Command, Target
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.effect import FileChange
from mcp_assay.model.scenario import Scenario
from mcp_assay.scenario.mined_values import nouns
from mcp_assay.text.call_order import Deed, deed_of, needed_things, undoes

CREATED: Final = "created"
MOST_OF_TOOL: Final = 2
"""So many calls of a tool that adds something are made again in a fresh world."""
MOST_ADDITIONS: Final = 30
MOST_MAKERS: Final = 10
"""So many calls are made again of tools that make what another one may need."""
Addition: TypeAlias = tuple[dict[str, Any], Scenario]
"""A tool, and a call of it that added something."""


class FreshWorlds:
    """Starts a server in another world once a tool has changed something in this one.

    What a tool only adds is left to the next ones, which may need it, and is added again in another
    world: names that were learned from it are of no use without it.
    """

    def __init__(self, target: Target, connection: Connection) -> None:
        self._in_world: Final = isinstance(target, Command) and target.sandbox is not None
        self.are_disposable: Final = is_disposable(target)
        """Whether nothing lasts that a tool does."""
        self._connection: Final = connection
        self._seen = 0
        """The number of the latest call whose effects were looked at."""
        self._created: Final[set[str]] = set()
        """The files that this world has and the machine has not."""
        self._is_spoilt = False
        self._starts = 0
        """How often the server was started when this world was last as it should be."""
        self._additions: Final[list[Addition]] = []
        self._preparation: Final[dict[str, list[Addition]]] = {}
        """By tool, the call of it that others want first."""

    async def make_for(
        self, run: ToolRun, runs: Iterable[ToolRun], add: Callable[[Addition], Awaitable[object]]
    ) -> None:
        """Make again what a tool may need that has called in vain: others may have taken it away.

        It needs what others have made or set that have a word of their names in common with it or
        with what it must be given, and what was put into that: what was made anew is empty.
        """
        has_succeeded = any(call.verdict.succeeded for call in run.calls)
        if not self._in_world or (has_succeeded and run.evidence.has_information):
            return
        wanted = needed_things(run.tool)
        others = (one for one in runs if one.tool is not run.tool and _does(one.tool))
        made = [found for one in others if (found := self._first_deed(one))]
        makers = [(tool, call) for tool, call in made if _makes(tool, wanted)]
        filled = {text for _, call in makers for text in _texts_sent(call)}
        made = [
            (tool, call)
            for tool, call in made
            if _makes(tool, wanted) or filled & _texts_sent(call)
        ]
        for tool, call in sorted(made, key=lambda one: one[1].number)[:MOST_MAKERS]:
            await add((tool, call.scenario))
        self._created.update(one.path for one in self._latest() if one.what == CREATED)

    def note(self, run: ToolRun, *, prepares: bool = False) -> None:
        """Take note of what the calls of a tool have done; others may want it called first."""
        succeeded = [(run.tool, call.scenario) for call in run.calls if self._has_worked(call)]
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

    async def renew(
        self,
        add: Callable[[Addition], Awaitable[object]],
        forget: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:
        """Begin anew, if the next calls need it, with what was added before; raises NotReached.

        So it is after the server was started anew, whatever for: that is another world, too.
        What was learned of things that are made again is forgotten: they get other names.
        """
        is_another = self._in_world and self._connection.starts > self._starts > 0
        if self._is_spoilt:
            await self._connection.renew()
        elif not is_another:
            self._starts = self._connection.starts
            return
        self._is_spoilt = False
        self._created.clear()
        forget({str(tool.get("name")) for tool, _ in self._additions} | {*self._preparation})
        await self.prepare(add)
        for addition in self._additions[:MOST_ADDITIONS]:
            await add(addition)
        self._created.update(one.path for one in self._latest())
        self._starts = self._connection.starts

    def _first_deed(self, run: ToolRun) -> tuple[dict[str, Any], Call] | None:
        """The first call of a tool that worked, of those that a sensible caller would make."""
        sensible = (call for call in run.calls if call.scenario.category == "happy_path")
        return next(((run.tool, call) for call in sensible if self._has_worked(call)), None)

    def _has_worked(self, call: Call) -> bool:
        """Whether a call succeeded, or at least did something: an answer may be empty."""
        if call.verdict.succeeded or call.verdict.trouble != "faulty_answer":
            return call.verdict.succeeded
        done = self._connection.effects.calls.get(call.number)
        return done is not None and any(not one.temporary for one in done.kept_files)

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


def _does(tool: dict[str, Any]) -> bool:
    """Whether a tool does something that it does not take back."""
    return deed_of(tool) is not Deed.READS and not undoes(str(tool.get("name", "")))


def _makes(tool: dict[str, Any], wanted: Collection[str]) -> bool:
    return not nouns(str(tool.get("name", ""))).isdisjoint(wanted)


def _texts_sent(call: Call) -> set[str]:
    """The texts that a call was given and that may name a thing."""
    sent = call.scenario.arguments.values()
    return {one for one in sent if isinstance(one, str) and len(one.split()) == 1}


def _changes(run: ToolRun) -> bool:
    """Whether a tool that has succeeded changes something, by its name and hints."""
    has_succeeded = any(call.verdict.succeeded for call in run.calls)
    return has_succeeded and deed_of(run.tool) is Deed.CHANGES
