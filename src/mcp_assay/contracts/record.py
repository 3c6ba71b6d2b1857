"""Calls and what came of them: made through a connection and kept, or played again later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.drive.answer import Answer
from mcp_assay.drive.trying import Caller
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.scenario.crafting import key_of

Key: TypeAlias = tuple[str, bytes]
Standin: TypeAlias = Callable[[str, Mapping[str, Any]], Answer]
"""Gives the likeliest answer to a call that was never made."""


class Recorded(Struct, frozen=True):
    """One call that was made."""

    tool: str
    key: bytes
    """What is equal for equal arguments."""
    answer: Answer


class Recorder:
    """Calls through a connection, and keeps every answer."""

    def __init__(self, connection: Caller) -> None:
        self.calls: Final[list[Recorded]] = []
        self._connection: Final = connection

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        about: Where = NOWHERE,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """Call a tool, and keep what comes of it."""
        answer = await self._connection.call(tool, arguments, seconds, about, meanwhile)
        self.calls.append(Recorded(tool, key_of(dict(arguments)), answer))
        return answer

    async def restart(self) -> None:
        """Begin anew."""
        await self._connection.restart()


class Player:
    """Answers calls as they were answered before, in the same order; the last answer stays."""

    def __init__(self, calls: list[Recorded], standin: Standin) -> None:
        self._answers: Final[dict[Key, list[Answer]]] = defaultdict(list)
        self._standin: Final = standin
        for one in calls:
            self._answers[one.tool, one.key].append(one.answer)

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        about: Where = NOWHERE,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """The answer that came before, or what stands in for it."""
        del seconds, about, meanwhile
        answers = self._answers.get((tool, key_of(dict(arguments))))
        if answers:
            return answers.pop(0) if len(answers) > 1 else answers[0]
        return self._standin(tool, arguments)

    async def restart(self) -> None:
        """Nothing to do: nobody is there."""
