"""Progress puts --timeout off, three times at most, and only for the call that it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.tool_runs import CUT_OFF, status_of
from mcp_assay.client.observer import Observations
from mcp_assay.client.pending_requests import PendingRequest
from mcp_assay.client.session import ClientSession
from mcp_assay.client.target import PROGRESS_FACTOR, ConnectionOptions
from mcp_assay.judge.status import judge_call, judged_call
from mcp_assay.model.call import Call as MadeCall
from mcp_assay.model.call import CallResult
from mcp_assay.model.ending import Ending
from mcp_assay.model.entry import Entry
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import Evidence, ValidationContext
from mcp_assay.responses import ResponseValidator
from mcp_assay.text.redaction import Redactor

SECONDS, MOST = 10.0, 30.0
LINE = Entry(direction="s2c", at=0.0, transport="stdio", exact=True)


class _Deaf:
    """A link to which anything can be sent."""

    is_http = False

    def send(self, *_: object) -> None:
        """Forget it."""

    def stderr_mark(self) -> int:
        return 0


class Call:
    """A call under way, in a loop whose clock stands still until it is put forward."""

    def __init__(self, method: str = "tools/call", wants_progress: bool = True) -> None:
        self.now = 1000.0
        asyncio.get_running_loop().time = lambda: self.now  # type: ignore[method-assign]
        observations = Observations(Redactor(), most=100, largest=1 << 20)
        self.session = ClientSession(observations.begin("x"), ConnectionOptions(), Redactor())
        self.session.link = _Deaf()  # type: ignore[assignment]
        self.pending: PendingRequest = self.session.send(
            method, {"name": "x"}, seconds=SECONDS, most=MOST, wants_progress=wants_progress
        )

    def hear(self, message: dict[str, Any]) -> None:
        self.session.hear(replace(LINE, text=orjson.dumps({"jsonrpc": "2.0", **message})))

    def progress(self, token: Any = None, **params: Any) -> None:
        given = {"progressToken": self.pending.id if token is None else token, "progress": 1}
        self.hear({"method": "notifications/progress", "params": {**given, **params}})

    def left(self) -> float:
        return self.pending.seconds_left


def in_loop(work: Callable[[], None]) -> None:
    async def main() -> None:
        work()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("times", "left"),
    [
        ((), 10.0),
        ((0.0,), 10.0),
        ((4.0,), 10.0),
        ((9.0, 18.0), 10.0),
        ((9.0, 18.0, 25.0), 5.0),
        ((9.0, 18.0, 27.0, 29.0), 1.0),
        (tuple(n / 10 for n in range(300)), 0.1),
    ],
)
def test_progress_begins_the_time_anew_up_to_a_maximum(
    times: tuple[float, ...], left: float
) -> None:
    def work() -> None:
        call = Call()
        for time in times:
            call.now = 1000.0 + time
            call.progress()
        assert call.left() == pytest.approx(left)
        assert not call.pending.is_over

    in_loop(work)


OTHERS: dict[str, Callable[[Call], None]] = {
    "of another call": lambda call: call.progress(call.pending.id + 1),
    "of none": lambda call: call.progress("x"),
    "under its id as text": lambda call: call.progress(str(call.pending.id)),
    "under its id as a fraction": lambda call: call.progress(float(call.pending.id)),
    "a log message": lambda call: call.hear(
        {"method": "notifications/message", "params": {"level": "info", "data": 1}}
    ),
    "a ping": lambda call: call.hear({"id": 7, "method": "ping"}),
    "without params": lambda call: call.hear({"method": "notifications/progress"}),
    "a response to something else": lambda call: call.hear({"id": "y", "result": {}}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_progress_of_the_call_gives_no_time(name: str) -> None:
    def work() -> None:
        call = Call()
        call.now += 8.0
        OTHERS[name](call)
        assert call.left() <= 2.0

    in_loop(work)


@pytest.mark.parametrize("method", ["tools/list", "resources/read", "ping"])
def test_who_wants_no_progress_waits_no_longer(method: str) -> None:
    def work() -> None:
        call = Call(method, wants_progress=False)
        call.now += 8.0
        call.progress()
        assert call.left() == pytest.approx(2.0)

    in_loop(work)


def test_progress_after_the_end_changes_nothing() -> None:
    def work() -> None:
        call = Call()
        call.pending.end("timed_out")
        call.now += 8.0
        call.progress()
        assert call.pending.ended == "timed_out"
        assert call.left() == pytest.approx(2.0)

    in_loop(work)


@pytest.mark.parametrize(
    ("timeout", "max_time", "most"),
    [(10.0, 120.0, 30.0), (1.0, 120.0, 3.0), (0.5, 120.0, 1.5), (60.0, 120.0, 120.0)],
)
def test_the_maximum_follows_from_the_options(timeout: float, max_time: float, most: float) -> None:
    bounds = AssessOptions(timeout=timeout, max_time=max_time).driving().bounds
    assert (bounds.call_seconds, bounds.call_seconds_with_progress) == (timeout, most)
    assert PROGRESS_FACTOR == 3


DONE = {"content": [{"type": "text", "text": "Oslo: 3 degrees"}]}
CRASHED = {"content": [{"type": "text", "text": "KeyError: 'x'"}], "isError": True}


def made(ending: Ending, result: dict[str, Any] | None = None, *, valid: bool = True) -> MadeCall:
    """A call that ended so."""
    scenario = Scenario(tool="x", name="x", category="happy_path", arguments={"a": 1}, valid=valid)
    answer = CallResult(result=result, ending=ending)
    judged = result and ResponseValidator.validate_response(
        ValidationContext({"name": "x"}, {"a": 1}, result)
    )
    verdict = judge_call(judged_call(valid, answer, judged or None))
    return MadeCall(
        number=1, scenario=scenario, answer=answer, result=judged or None, verdict=verdict
    )


@pytest.mark.parametrize(
    ("calls", "status", "reason"),
    [
        ([made("cancelled")], "unproven", CUT_OFF),
        ([made("cancelled"), made("cancelled")], "unproven", CUT_OFF),
        ([made("cancelled", valid=False)], "unproven", CUT_OFF),
        ([made("answered", DONE), made("cancelled")], "fully_working", None),
        ([made("answered", CRASHED), made("cancelled")], "broken", None),
        ([made("timed_out"), made("cancelled")], "broken", None),
        ([made("over_limit"), made("cancelled")], "unproven", None),
        ([], "not_called", "time ran out"),
    ],
)
def test_a_call_that_the_end_of_the_run_cut_was_made(
    calls: list[MadeCall], status: str, reason: str | None
) -> None:
    row = status_of(calls, "time ran out", Evidence())
    assert (row.status, row.called) == (status, len(calls))
    assert reason in (None, row.reason)
    assert not calls or "time ran out" not in row.reason
