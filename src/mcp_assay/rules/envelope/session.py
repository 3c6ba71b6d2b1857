"""The responses of tools in JSON-RPC traffic, judged by the profile of the envelope."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import NOTHING, Suspect
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.slow import NOTE_RULES
from mcp_assay.rules.envelope.checker import judge_response, judge_text
from mcp_assay.rules.envelope.results import unfolded
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.ids import Id, legible
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.notes import UNREAD
from mcp_assay.wire.pointer import Path
from mcp_assay.wire.reader import Reading, read

TEXT_RULES: Final = frozenset({*NOTE_RULES.values(), "LIMIT-003"})
"""The rules about the text of a response, whatever it says."""
DUPLICATES: Final = frozenset({NOTE_RULES["duplicate"]})


class EnvelopeChecker:
    """One session, or one file of responses.

    It stands where `SessionChecker` stands, but lets nothing pass unread: there is no fast path.
    """

    revision: Final = DEFAULT_REVISION

    def __init__(self, decided: DecidedRules, *, duplicates: bool = True) -> None:
        self._decided: Final = decided.session_rules
        self._duplicates: Final = duplicates
        self._text_rules: Final = TEXT_RULES if duplicates else TEXT_RULES - DUPLICATES
        self._calls: Final = OpenToolCalls()

    def check(
        self,
        raw: bytes,
        direction: Direction | None = None,
        place: int = 0,
        delivery: Delivery = NO_DELIVERY,
    ) -> Sequence[Finding]:
        """Everything there is to say about a response, or about those in a message."""
        reading = read(raw, duplicates=self._duplicates)
        responses = self._responses(reading, direction)
        if reading.readable and not responses:
            return NOTHING
        findings = judge_text(reading, [response.path for response in responses])
        self._decided.update(self._text_rules)
        for response in responses:
            judged = judge_response(response.value, reading, response.path, response.tool)
            self._decided.update(judged.decided)
            findings += judged.findings
        return findings

    def _responses(self, reading: Reading, direction: Direction | None) -> list[ToolResponse]:
        if is_jsonrpc(reading.value):
            return list(self._calls.responses(reading.value, direction))
        return [ToolResponse(reading.value, ())] if reading.readable else []

    def passes(self, value: object, direction: Direction | None, place: int, size: int) -> bool:
        """Whether nothing is to be said: that only `explain` finds out."""
        return False

    def suspects(
        self, messages: Iterable[tuple[bytes, Direction | None, int]]
    ) -> Iterator[Suspect]:
        """The messages of a stream, as they come; give each to `explain`."""
        for raw, direction, place in messages:
            yield Suspect(raw, direction, UNREAD, place)

    def explain(self, suspect: Suspect) -> Sequence[Finding]:
        """Everything there is to say about a message that was not passed."""
        return self.check(suspect.raw, suspect.direction, suspect.place)

    def hear(
        self, direction: Direction, place: int = 0, delivery: Delivery = NO_DELIVERY
    ) -> Sequence[Finding]:
        """What there is to say about a line without a message: nothing."""
        return NOTHING

    def doubt(self) -> None:
        """Judge the session as a part of one: responses are judged alone in any case."""

    def close(self) -> list[tuple[int, Finding]]:
        """What is left to say at the end: nothing."""
        return []


MOST_ASKED: Final = 10_000
"""Requests that are remembered until they are answered; the oldest is let go first."""

CALL: Final = "tools/call"
TASK_RESULT: Final = "tasks/result"
"""Asks for what a call gave that went on as a task."""

MARKS: Final = ("success", "isError", "structuredContent")
"""A result with one of these is a tool's, whatever was asked."""


class ToolResponse(Struct, frozen=True):
    """What a tool answered, where that stands, and the tool's name if it is known."""

    value: Any
    path: Path
    tool: str | None = None


class _OpenCall(Struct, frozen=True):
    method: Any
    tool: str | None


_Key: TypeAlias = tuple[Direction | None, Id]
"""A request is known by its id and by who sent it: both sides may use the same ids."""


class OpenToolCalls:
    """Remembers what was asked, so that the results of tool calls are known by their ids."""

    def __init__(self) -> None:
        self._asked: Final[OrderedDict[_Key, _OpenCall]] = OrderedDict()
        self._tasks: Final[OrderedDict[str, str | None]] = OrderedDict()

    def responses(self, value: Any, direction: Direction | None = None) -> Iterator[ToolResponse]:
        """The responses of tools in a message or batch; requests are remembered."""
        if isinstance(value, list):
            for index, message in enumerate(value):
                yield from self._in_message(message, direction, (index,))
        else:
            yield from self._in_message(value, direction, ())

    def _in_message(
        self, message: Any, direction: Direction | None, path: Path
    ) -> Iterator[ToolResponse]:
        id = legible(message.get("id")) if isinstance(message, dict) else None
        if id is None:
            return
        if "method" in message:
            self._remember((direction, id), message)
        elif "result" in message:
            asker = OPPOSITE[direction] if direction else None
            asked, result = self._asked.pop((asker, id), None), message["result"]
            if self._is_a_tools(result, asked):
                tool = asked.tool if asked else None
                yield ToolResponse(unfolded(result), (*path, "result"), tool)

    def _is_a_tools(self, result: Any, asked: _OpenCall | None) -> bool:
        """Whether this is what a tool gave; that it goes on, or asks for more, is none yet."""
        if isinstance(result, dict) and result.get("resultType") == "input_required":
            return False
        if asked is None or asked.method == TASK_RESULT:
            return _looks_like_a_tools(result)
        if asked.method != CALL:
            return False
        task = result.get("task") if isinstance(result, dict) else None
        if not isinstance(task, dict) or "content" in result:
            return True
        if isinstance(id := task.get("taskId"), str):
            _keep(self._tasks, id, asked.tool)
        return False

    def _remember(self, key: _Key, request: dict[str, Any]) -> None:
        method, params = request["method"], request.get("params")
        named = params if isinstance(params, dict) else {}
        tool, task = named.get("name"), named.get("taskId")
        if method == TASK_RESULT:
            tool = self._tasks.get(task) if isinstance(task, str) else None
        _keep(self._asked, key, _OpenCall(method, tool if isinstance(tool, str) else None))


def _keep(memory: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    memory[key] = value
    if len(memory) > MOST_ASKED:
        memory.popitem(last=False)


def is_jsonrpc(value: Any) -> bool:
    """Whether a value is a JSON-RPC message, or a batch of them, and so never an envelope."""
    if isinstance(value, list):
        return any(isinstance(message, dict) and "jsonrpc" in message for message in value)
    return isinstance(value, dict) and "jsonrpc" in value


def _looks_like_a_tools(result: Any) -> bool:
    """Whether a result whose request was not seen is likely a tool's; a model's has a role."""
    if not isinstance(result, dict):
        return False
    has_content = isinstance(result.get("content"), list) and "role" not in result
    return has_content or any(name in result for name in MARKS)
