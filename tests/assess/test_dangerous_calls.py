"""No call leaves with a value that may end processes or fill disks, unless the user typed it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from mcp_assay.assess.reproduction import typed
from mcp_assay.assess.tool_runner import WITHHELD, ToolRunner
from mcp_assay.assess.tool_runs import ToolRunBuilder
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.responses import ResponseValidator
from mcp_assay.scenario.dangerous_values import danger_in
from mcp_assay.scenario.known_values import Values
from mcp_assay.schema.checker import Schemas

KILL: dict[str, Any] = {
    "name": "kill_process",
    "inputSchema": {
        "type": "object",
        "properties": {"pid": {"type": "integer", "minimum": -1}, "size": {"type": "integer"}},
        "required": ["pid"],
    },
}


class Noting:
    """A connection that notes what it is given, and answers that the tool crashed."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def send(self, request: CallRequest) -> SentCall:
        self.sent.append(dict(request.arguments))
        return SentCall(request)

    async def receive(self, sent: SentCall) -> Response:
        text = {"type": "text", "text": "TypeError: x is not a function"}
        result = {"content": [text], "isError": True}
        return Response(ending="answered", result=result, seconds=0.1, request=b"", response=b"{}")


def runner(noting: Noting) -> ToolRunner:
    judge = ResponseValidator.validate_response
    return ToolRunner(cast(Connection, noting), judge, Schemas())


def built(trier: ToolRunner) -> ToolRunBuilder:
    run = ToolRunBuilder(KILL)
    asyncio.run(trier.run(run, seed=0, budget=50, on_call=lambda _: None))
    return run


def run_of(trier: ToolRunner) -> ToolRun:
    return built(trier).frozen()


def test_nothing_dangerous_is_sent_and_the_report_says_so() -> None:
    noting = Noting()
    run = run_of(runner(noting))
    assert noting.sent
    assert [one for one in noting.sent if danger_in("kill_process", one)] == []
    assert len(run.calls) == len(noting.sent)
    assert WITHHELD in run.gaps


def test_nothing_dangerous_is_sent_while_a_crash_is_made_smaller() -> None:
    noting = Noting()
    trier = runner(noting)
    run = built(trier)
    smaller = asyncio.run(trier.smallest(run, run.calls[0], 50))
    assert [one for one in noting.sent if danger_in("kill_process", one)] == []
    assert danger_in("kill_process", smaller.scenario.arguments) is None


def test_what_the_user_typed_is_sent() -> None:
    noting = Noting()
    made = asyncio.run(runner(noting).call(KILL, typed(KILL, {"pid": 1}, Schemas())))
    assert isinstance(made, Call)
    assert noting.sent == [{"pid": 1}]


def test_an_example_of_the_user_is_sent() -> None:
    noting = Noting()
    trier = runner(noting)
    trier.values = Values.given({"kill_process": {"valid": [{"pid": 4711}]}})
    run_of(trier)
    assert {"pid": 4711} in noting.sent
    assert {"pid": 0} not in noting.sent
