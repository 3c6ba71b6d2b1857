"""What a refusal teaches is used for the calls that are left."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from mcp_assay.assess import tool_runner
from mcp_assay.assess.tool_runner import MOST_LESSONS, ToolRunner
from mcp_assay.assess.tool_runs import ToolRunBuilder
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.model.call import Call
from mcp_assay.responses import Judge
from mcp_assay.scenario.limits import FEW_EDGES
from mcp_assay.scenario.plan import Planning
from mcp_assay.schema.checker import Schemas

TOOL = {
    "name": "show_status",
    "inputSchema": {
        "type": "object",
        "properties": {"repo_path": {"type": "string"}},
        "required": ["repo_path"],
    },
}
BUDGET = 12


class Guarded:
    """A server that serves one folder, and names it when it refuses; or another one each time."""

    def __init__(self, *, moves: bool = False, reports: bool = True) -> None:
        self._moves = moves
        self._reports = reports
        self.calls = 0

    async def send(self, request: CallRequest) -> SentCall:
        self.calls += 1
        return SentCall(request)

    async def receive(self, sent: SentCall) -> Response:
        folder = f"/srv/notes-{self.calls if self._moves else 1}"
        if sent.request.arguments.get("repo_path") == folder:
            return _answer("Nothing has changed.")
        where = f" '{folder}'" if self._reports else ""
        return _answer(f"The path is outside the allowed directory{where}", isError=True)


def _answer(text: str, **more: Any) -> Response:
    result = {"content": [{"type": "text", "text": text}], **more}
    return Response(ending="answered", result=result, seconds=0.01, request=b"", response=b"")


def tried(server: Guarded) -> list[Call]:
    run = ToolRunBuilder(TOOL)
    runner = ToolRunner(cast("Connection", server), Judge().validate_response, Schemas())
    asyncio.run(runner.run(run, seed=0, budget=BUDGET, on_call=lambda _: None))
    return run.calls


def test_a_folder_that_a_refusal_names_is_used_by_the_same_tool() -> None:
    first, _, third, *others = tried(Guarded())  # the second is on its way before the first is read
    assert (first.scenario.name, first.verdict.outcome) == ("happy path", "unproven")
    assert third.scenario.arguments == {"repo_path": "/srv/notes-1"}
    assert third.verdict.succeeded
    valid = [call for call in others if call.scenario.valid]
    assert len(valid) <= FEW_EDGES  # there is nothing else that the folder could be


@pytest.mark.parametrize("server", [Guarded(), Guarded(moves=True), Guarded(reports=False)])
def test_nothing_is_tried_twice_and_the_budget_is_kept(server: Guarded) -> None:
    calls = tried(server)
    assert len(calls) == server.calls <= BUDGET
    assert len({repr(call.scenario.arguments) for call in calls}) == len(calls)


def test_a_server_that_teaches_something_else_each_time_is_not_followed_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []

    class Counted(Planning):
        def __init__(self, *given: Any, **named: Any) -> None:
            made.append(len(named["made"]))
            super().__init__(*given, **named)

    monkeypatch.setattr(tool_runner, "Planning", Counted)
    tried(Guarded(moves=True))
    assert made == [2 * lesson for lesson in range(1 + MOST_LESSONS)]
