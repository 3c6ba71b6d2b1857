"""What the worlds of one connection have seen: at start, at each call, and between calls."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.client.response import CallRequest, Response
from mcp_assay.client.sandbox.kept_difference import write_difference
from mcp_assay.client.sandbox.told_effects import late, together
from mcp_assay.client.sandbox.world import World, limits_of
from mcp_assay.model.effect import Effects, SandboxRow
from mcp_assay.model.report import Limit

LOGGED: Final = "logged"
LAST_SECONDS: Final = 0.3
"""So long after the last call it is waited for what comes late."""


class EffectsLog:
    """Asks the worlds of a server around its calls, and keeps what they tell.

    Calls follow one another, so what is seen between sending one and being quiet after its answer
    belongs to it. What comes before the next is sent came after the answer.
    """

    def __init__(self, keep: str | None = None) -> None:
        self.calls: Final[dict[int, Effects]] = {}
        """By the number of the call; one that nobody watched is not here."""
        self._keep: Final = keep
        self._at_start: Final[list[Effects]] = []
        self._between: Final[list[Effects]] = []
        self._row: SandboxRow | None = None
        self._cuts: Final = Counter[str]()
        self._reached: Final[list[Limit]] = []
        self._last: int | None = None
        self._sent = ""
        """The latest call; what it was sent the server may say again."""
        self.overhear: Callable[[], Sequence[str]] = tuple
        """Gives what the server said unasked since it was asked last."""

    @property
    def row(self) -> SandboxRow | None:
        """The world for a report; None where there was none."""
        if self._row is None:
            return None
        return replace(
            self._row,
            at_start=together(self._at_start, with_diffs=True) if self._at_start else None,
            between=together(self._between, with_diffs=True) if self._between else None,
        )

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        reached = Counter(self._reached)
        return [*limits_of(self._cuts), *(replace(one, count=reached[one]) for one in reached)]

    async def begin(self, world: World, arguments: Mapping[str, Any] | None = None) -> None:
        """Have what comes now belong to the call that is sent next, with these arguments."""
        self._row = self._row or world.row
        if not world.has_begun:
            self._last = None
            await self._note_start(world)
        else:
            await self._note_between(world)
        await world.serve(arguments or {})

    async def end(self, world: World, request: CallRequest, answer: Response) -> None:
        """Take what a call did, once its answer has come."""
        known = self._sent = json.dumps([request.tool, request.arguments], ensure_ascii=False)
        found, number = await world.effects(known), request.about.call
        if found is not None:
            answered = (answer.response or b"").decode(errors="replace")
            told = world.told_in((answered,), known)
            found = replace(found, secrets=[*found.secrets, *told])
            found = self.with_logged(world, found)
        if found is None:
            self._last = None
        elif number is None:  # a call of ours that no report tells of
            self._between.append(found)
        else:
            self.calls[number] = found
        self._last = number

    async def leave(self, world: World, *, in_a_hurry: bool) -> None:
        """Take the last of a world that is about to end."""
        self._row = self._row or world.row
        if not world.has_begun:
            await self._note_start(world)
        elif world.is_watched:
            await asyncio.sleep(0 if in_a_hurry else LAST_SECONDS)
            await self._note_between(world)
        if self._keep is not None:
            await world.difference()
            self._write(self._keep, world)
        self._cuts.update(world.cuts)
        self._reached.extend(world.reached)

    def with_logged(self, world: World, found: Effects) -> Effects:
        """What was seen, with the secrets that the server wrote into its log meanwhile."""
        told = world.told_in(self.overhear(), self._sent)
        logged = [replace(one, how=LOGGED) for one in told]
        return replace(found, secrets=[*found.secrets, *logged]) if logged else found

    def _write(self, folder: str, world: World) -> None:
        try:
            write_difference(folder, world.changes, world.folders)
        except OSError:
            self._cuts["patch"] += 1

    async def _note_start(self, world: World) -> None:
        found = await world.start_effects()
        self._sent = ""
        if found is not None:
            self._at_start.append(self.with_logged(world, found))

    async def _note_between(self, world: World) -> None:
        """Take what came since the last look: after an answer, or at requests that are no calls."""
        was_asked = world.is_asked
        found = await world.mark()
        found = None if found is None else self.with_logged(world, found)
        if found is None or found.is_empty:
            return
        if was_asked or self._last not in self.calls:
            self._between.append(found)
        else:
            parts = (self.calls[self._last], late(found))
            self.calls[self._last] = together(parts, with_diffs=True)
