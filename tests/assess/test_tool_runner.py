"""A call is judged while the server works on the next one, and nothing is lost by that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest
from msgspec.structs import replace

from mcp_assay.assess.known_outcomes import FEW_ADRIFT, MOST_ADRIFT, MOST_FURTHER, SEVERAL
from mcp_assay.assess.tool_runner import GIVEN_UP, ToolRunner
from mcp_assay.assess.tool_runs import LONGEST_WAITING, ToolRunBuilder
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.pending_requests import PendingRequest
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import GapKind
from mcp_assay.model.verdict import ValidationContext, ValidationResult
from mcp_assay.responses import ResponseValidator
from mcp_assay.rules.behaviour.rule import judge_tool_run
from mcp_assay.schema.checker import Schemas
from tests.clocks import Clock

TOOL: dict[str, Any] = {
    "name": "find",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}
LATE = "sent sent judged sent judged sent judged judged"
AT_ONCE = "sent judged sent judged sent judged sent judged"
FINE = b"{}"
LONG = b" " * (LONGEST_WAITING + 1)


class Played:
    """A connection that answers at once, or ends as configured; it notes what is done when."""

    def __init__(
        self,
        response: bytes = FINE,
        ends: Mapping[int, Any] | None = None,
        fails: Callable[[Mapping[str, Any]], str | None] = lambda _: None,
    ) -> None:
        self.done: list[str] = []
        self._fails = fails
        self._response = response
        self._ends = ends or {}

    async def send(self, request: CallRequest) -> SentCall:
        assert (request.about.tool, type(request.arguments)) == (request.tool, dict)
        self.done.append("sent")
        return SentCall(request)

    async def receive(self, sent: SentCall) -> Response:
        ending = self._ends.get(self.done.count("sent"), "answered")
        if isinstance(ending, BaseException):
            raise ending
        error = self._fails(sent.request.arguments)
        text = {"type": "text", "text": error or "found"}
        result = {"content": [text], "isError": error is not None}
        return Response(
            ending=ending,
            result=result,
            seconds=0.1,
            request=b"",
            response=self._response,
        )

    def judge(self, context: ValidationContext) -> ValidationResult:
        self.done.append("judged")
        return ResponseValidator.validate_response(context)

    def try_out(self, budget: int = 4, trier: ToolRunner | None = None) -> ToolRun:
        trier = trier or ToolRunner(cast(Connection, self), self.judge, Schemas())
        self.run = ToolRunBuilder(TOOL)
        asyncio.run(trier.run(self.run, seed=0, budget=budget, on_call=lambda _: None))
        return self.run.frozen()


@pytest.mark.parametrize(("response", "done"), [(FINE, LATE), (LONG, AT_ONCE)])
def test_a_short_answer_is_judged_while_the_server_works_on_the_next_call(
    response: bytes, done: str
) -> None:
    played = Played(response)
    assert [call.number for call in played.try_out().calls] == [1, 2, 3, 4]
    assert " ".join(played.done) == done


def test_late_judging_changes_nothing_in_what_is_found() -> None:
    late, at_once = Played(FINE).try_out(90), Played(LONG).try_out(90)
    assert without_text(late) == without_text(at_once)
    assert (late.gaps, late.places) == (at_once.gaps, at_once.places)


def without_text(tool_run: ToolRun) -> list[Call]:
    """The calls of a tool run, but for the bytes that their answers were read from."""
    return [replace(call, answer=replace(call.answer, text=b"")) for call in tool_run.calls]


def test_what_was_received_before_an_interruption_is_judged() -> None:
    played = Played(FINE, {3: KeyboardInterrupt()})
    with pytest.raises(KeyboardInterrupt):
        played.try_out()
    assert [call.verdict.outcome for call in played.run.calls] == ["passed", "passed"]


def test_a_tool_is_left_alone_after_three_lost_calls() -> None:
    tool_run = Played(ends={2: "died", 3: "timed_out", 5: "died"}).try_out(30)
    assert [call.answer.ending for call in tool_run.calls] == [
        *("answered", "died", "timed_out", "answered", "died")
    ]
    assert GIVEN_UP in tool_run.gaps


def unreachable(arguments: Mapping[str, Any]) -> str:
    return "connect ECONNREFUSED 192.0.2.1:80"


def refusing_before_it_reaches(arguments: Mapping[str, Any]) -> str:
    is_text = isinstance(arguments.get("text", ""), str)
    return unreachable(arguments) if is_text else "Invalid arguments: text must be a string"


def failing_once(arguments: Mapping[str, Any]) -> str | None:
    return None if arguments.get("text") == "" else unreachable(arguments)


def sorts(tool_run: ToolRun) -> tuple[int, int]:
    """How many valid calls were made, and how many others."""
    valid = sum(call.scenario.valid is True for call in tool_run.calls)
    return valid, len(tool_run.calls) - valid


def spared(tool_run: ToolRun) -> list[str]:
    """What is said of calls that were not made, because they would have told nothing new."""
    return [gap.text for gap in tool_run.gaps if gap.kind is GapKind.SPARED]


def test_where_the_dependencies_fail_each_time_few_calls_of_a_sort_are_made() -> None:
    whole, lost = Played().try_out(50), Played(fails=unreachable).try_out(50)
    assert spared(lost)
    assert not spared(whole)
    assert MOST_ADRIFT <= sorts(lost)[0] <= MOST_ADRIFT + 1 < sorts(whole)[0]
    refusing = Played(fails=refusing_before_it_reaches).try_out(50)
    assert sorts(refusing)[0] == sorts(lost)[0]
    assert sum(sorts(lost)) <= sum(sorts(refusing)) <= MOST_FURTHER + 4


def refusing_the_empty(arguments: Mapping[str, Any]) -> str:
    is_empty = arguments.get("text") == ""
    return "Invalid text: must not be empty" if is_empty else unreachable(arguments)


def test_a_valid_call_that_is_refused_shows_no_dependencies() -> None:
    made = Played(fails=refusing_the_empty).try_out(50)
    assert spared(made)
    assert sorts(made)[0] < sorts(Played().try_out(50))[0]


def test_after_several_such_tools_fewer_calls_are_made_of_the_next() -> None:
    played = Played(fails=unreachable)
    trier = ToolRunner(cast(Connection, played), played.judge, Schemas())
    made = [sorts(played.try_out(50, trier))[0] for _ in range(SEVERAL + 1)]
    assert set(made[:SEVERAL]) == {made[0]}
    assert FEW_ADRIFT <= made[SEVERAL] < MOST_ADRIFT <= made[0]


def test_where_one_call_reaches_its_dependencies_more_are_made() -> None:
    once = Played(fails=failing_once).try_out(50)
    lost = Played(fails=unreachable).try_out(50)
    assert sum(sorts(lost)) < sum(sorts(once)) < sum(sorts(Played().try_out(50)))
    failed = [call for call in once.calls if call.verdict.trouble == "environment"]
    assert len(failed) <= MOST_FURTHER + 2


def test_time_that_we_take_ourselves_is_not_held_against_the_server() -> None:
    async def waited() -> str:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Clock)
        waiting = PendingRequest("tools/call", seconds=0.3, most=0.0)
        loop.be_busy(0.4)
        waiting.excuse()
        loop.call_soon(loop.call_soon, loop.call_soon, waiting.end, "answered")
        return await waiting.ending()

    with asyncio.Runner(loop_factory=Clock) as runner:
        assert runner.run(waited()) == "answered"


class Failing(Played):
    """A connection whose exchanges end with this status, and without a message."""

    async def receive(self, sent: SentCall) -> Response:
        return Response(ending="http_status", status=500, seconds=0.1, request=b"")


def test_a_status_in_place_of_an_answer_is_reported() -> None:
    found = judge_tool_run(Failing().try_out(), "2025-11-25")
    reported = [one.message for one in found if one.rule == "RESP-001"]
    assert reported == [
        (
            'When tool "find" was called, the server returned HTTP status 500 without a JSON-RPC '
            "message (4 of 4 calls)."
        )
    ]
