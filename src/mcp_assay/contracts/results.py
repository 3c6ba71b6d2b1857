"""Calls and what came of them: made through a connection and kept, or played again later."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Self, TypeAlias

from msgspec import Struct

from mcp_assay.assess.reproduction import typed
from mcp_assay.assess.tool_runner import Judge, ToolRunner
from mcp_assay.client.connection import Caller, SentCall
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.contracts.conventions import NOTHING, data_of, outcome, shown, words_of
from mcp_assay.contracts.loop_thread import Host
from mcp_assay.judge.blocks import check_output
from mcp_assay.model.call import Call
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.scenario.arguments import key_of
from mcp_assay.schema.checker import Prepared, Schemas

Key: TypeAlias = tuple[str, bytes]
Standin: TypeAlias = Callable[[str, Mapping[str, Any]], Response]
"""Gives the likeliest answer to a call that was never made."""


class Recorded(Struct, frozen=True):
    """One call that was made."""

    tool: str
    key: bytes
    """What is equal for equal arguments."""
    answer: Response


class Recorder:
    """Calls through a connection, and keeps every answer."""

    def __init__(self, caller: Caller) -> None:
        self.calls: Final[list[Recorded]] = []
        self._caller: Final = caller

    async def send(self, request: CallRequest) -> SentCall:
        """Send a call of a tool."""
        return await self._caller.send(request)

    async def receive(self, sent: SentCall) -> Response:
        """The response to a call that was sent, which is kept."""
        answer = await self._caller.receive(sent)
        self.calls.append(Recorded(sent.request.tool, _key(sent.request), answer))
        return answer

    async def restart(self) -> None:
        """Begin anew."""
        await self._caller.restart()


class Player:
    """Answers calls as they were answered before, in the same order; the last answer stays."""

    def __init__(self, calls: list[Recorded], standin: Standin) -> None:
        self._answers: Final[dict[Key, list[Response]]] = defaultdict(list)
        self._standin: Final = standin
        for one in calls:
            self._answers[one.tool, one.key].append(one.answer)

    async def send(self, request: CallRequest) -> SentCall:
        """Nothing to send: nobody is there."""
        return SentCall(request)

    async def receive(self, sent: SentCall) -> Response:
        """The answer that came before, or what stands in for it."""
        request = sent.request
        answers = self._answers.get((request.tool, _key(request)))
        if answers:
            return answers.pop(0) if len(answers) > 1 else answers[0]
        return self._standin(request.tool, request.arguments)

    async def restart(self) -> None:
        """Nothing to do: nobody is there."""


def _key(request: CallRequest) -> bytes:
    return key_of(dict(request.arguments))


class Backend(Struct, frozen=True, kw_only=True):
    """Who answers: the server itself, or a record of it."""

    host: Host
    tools: Mapping[str, dict[str, Any]]
    caller: Caller
    judge: Judge
    schemas: Schemas
    clean: Callable[[str], str]
    """Makes a text fit to be shown."""
    error_schema: Prepared | None = None


class Result:
    """What came of a call; each question raises AssertionError, or gives the result itself."""

    def __init__(self, call: Call, tool: Mapping[str, Any], backend: Backend) -> None:
        self._call: Final = call
        self._tool: Final = tool
        self._schemas: Final = backend.schemas
        self._clean: Final = backend.clean
        self._outcome: Final = outcome(call, backend.error_schema)

    def __repr__(self) -> str:
        arguments = shown(self._call.scenario.arguments)
        return self._clean(f"<{self._call.scenario.tool}({arguments}) {self._outcome.how}>")

    @property
    def result(self) -> Any:
        """The result of tools/call as on the wire; None where an error came instead."""
        return self._call.answer.result

    @property
    def error(self) -> dict[str, Any] | None:
        """The JSON-RPC error that came in place of a result."""
        return self._call.answer.error

    @property
    def data(self) -> Any:
        """structuredContent, else the first text that is a JSON object or array, else None."""
        found = data_of(self.result)
        return None if found is NOTHING else found

    @property
    def text(self) -> str:
        """The texts of the result, one after the other."""
        return "\n".join(texts_of(self.result))

    def ok(self) -> Self:
        """The call succeeded."""
        __tracebackhide__ = True
        return self._require(self._outcome.what == "succeeded", "It should have succeeded.")

    def rejected(self, match: str | None = None) -> Self:
        """The call was refused, and did not break; `match` is looked for in what was said."""
        __tracebackhide__ = True
        self._require(self._outcome.what == "refused", "It should have been rejected.")
        said = f"{self.text}\n{words_of(self._call.answer)}"
        is_found = match is None or re.search(match, said) is not None
        return self._require(is_found, f"Nothing in it matches {match!r}.")

    def matches_output_schema(self) -> Self:
        """The answer fits the outputSchema that its tool declares."""
        __tracebackhide__ = True
        found = check_output(self._tool, self.result, self._schemas)
        if found is None:
            return self._require(False, "The tool declares no outputSchema.")
        self._require(found.is_valid is not None, f"The check was inconclusive: {found.error}")
        return self._require(found.is_valid, f"It does not match the outputSchema: {found.error}.")

    def _require(self, holds: bool | None, otherwise: str) -> Self:
        __tracebackhide__ = True
        if not holds:
            raise AssertionError(self._said(otherwise))
        return self

    def _said(self, more: str) -> str:
        answer = words_of(self._call.answer)
        said = f" The result is {answer}" if self._outcome.what == "succeeded" else ""
        arguments = shown(self._call.scenario.arguments)
        return self._clean(
            f"{self._tool['name']}({arguments}) {self._outcome.how.removesuffix('.')}. {more}{said}"
        )


class Assay:
    """A server that tests can call."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.used: set[str] = set()
        """The tools that were called or looked at, since somebody emptied it."""

    @property
    def tools(self) -> Mapping[str, dict[str, Any]]:
        """The tools that the server lists, by name, as on the wire."""
        self.used.update(self.backend.tools)
        return self.backend.tools

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, /, **more: Any) -> Result:
        """Call a tool with arguments from a mapping, by name, or both."""
        return self.backend.host.run(self.calling(tool, {**(arguments or {}), **more}))

    async def calling(self, tool: str, arguments: dict[str, Any]) -> Result:
        """The same, in the thread of the server."""
        self.used.add(tool)
        backend = self.backend
        definition = backend.tools.get(tool, {"name": tool})
        runner = ToolRunner(backend.caller, backend.judge, backend.schemas)
        call = await runner.call(definition, typed(definition, arguments, backend.schemas))
        return Result(call, definition, backend)


class AsyncAssay:
    """The same server, for tests that await."""

    def __init__(self, assay: Assay) -> None:
        self._assay: Final = assay

    @property
    def tools(self) -> Mapping[str, dict[str, Any]]:
        """The tools that the server lists, by name, as on the wire."""
        return self._assay.tools

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, /, **more: Any
    ) -> Result:
        """Call a tool with arguments from a mapping, by name, or both."""
        host = self._assay.backend.host
        future = host.start(self._assay.calling(tool, {**(arguments or {}), **more}))
        try:
            return await _in_a_thread(partial(host.wait, future))
        finally:
            future.cancel()


async def _in_a_thread(wait: Callable[[], Result]) -> Result:
    """Wait elsewhere, with what the test runs on: asyncio, or trio through anyio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            from anyio import to_thread  # noqa: PLC0415  only where there is something else
        except ImportError:
            raise RuntimeError(
                "mcp_assay_async needs anyio where it is not awaited on asyncio: install it"
            ) from None
        return await to_thread.run_sync(wait, abandon_on_cancel=True)
    return await asyncio.to_thread(wait)
