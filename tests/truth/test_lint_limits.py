"""`lint` ends by its --max-time whatever a server does, and says that it is incomplete."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any, Final

import pytest

from mcp_assay.assess.lint_server import ServerLint
from mcp_assay.client.links import NotReached
from mcp_assay.client.target import Bounds, ConnectionOptions, Endpoint
from mcp_assay.model.outcome import exit_code
from mcp_assay.model.report import Report
from mcp_assay.validate.lint_run import LintOptions
from tests.truth.http_peer import TOOL, Asked, Handler, run, serving

MAX_TIME: Final = 2.0
NUMBERS: Final = count()
LOG: Final = (
    b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'
)


async def silence(asked: Asked) -> None:
    await asyncio.Event().wait()


async def endless_pages(asked: Asked) -> None:
    await asyncio.sleep(0.01)
    name = f"tool_{next(NUMBERS)}"
    asked.answer({"tools": [{**TOOL, "name": name}], "nextCursor": name})


async def slow_pages(asked: Asked) -> None:
    await asyncio.sleep(0.4)
    await endless_pages(asked)


async def head_alone(asked: Asked) -> None:
    asked.begin_stream()
    await asked.writer.drain()
    await asyncio.Event().wait()


async def notes_without_end(asked: Asked) -> None:
    asked.begin_stream()
    while True:
        asked.event(LOG)
        await asked.writer.drain()
        await asyncio.sleep(0.01)


async def polls_without_end(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(id=f"e-{next(NUMBERS)}", retry=10)
    await asked.close()


async def body_drop_by_drop(asked: Asked) -> None:
    asked.say(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n")
    while True:
        asked.say(b" ")
        await asked.writer.drain()
        await asyncio.sleep(0.01)


async def busy(asked: Asked) -> None:
    asked.respond(503, Retry_After="1")


async def linted(max_time: float, **handlers: Handler) -> tuple[Report, bool, float]:
    """The report on a peer, whether it was reached, and the seconds that it took."""
    driving = ConnectionOptions(revision="2025-11-25", bounds=Bounds(call_seconds=30.0))
    async with serving(**handlers) as (url, _):
        linting = ServerLint(Endpoint(url=url), LintOptions(), driving, max_time=max_time)
        began = asyncio.get_running_loop().time()
        try:
            await linting.run()
        except NotReached as refusal:
            return linting.report_unreached(str(refusal)), False, _since(began)
        return linting.report(), True, _since(began)


def _since(began: float) -> float:
    return asyncio.get_running_loop().time() - began


HANGING: Final[dict[str, dict[str, Handler]]] = {
    "no answer to the list": {"tools__list": silence},
    "pages without end": {"tools__list": endless_pages},
    "slow pages without end": {"tools__list": slow_pages},
    "a stream without the answer": {"tools__list": head_alone},
    "log messages without end": {"tools__list": notes_without_end},
    "a stream that is to be polled without end": {
        "tools__list": polls_without_end,
        "GET": polls_without_end,
    },
    "a body drop by drop": {"tools__list": body_drop_by_drop},
}


@pytest.mark.parametrize("name", HANGING)
def test_a_server_that_hangs_is_left_in_time(name: str) -> None:
    report, reached, seconds = run(linted(MAX_TIME, **HANGING[name]))
    assert reached
    assert seconds < MAX_TIME + 20  # 3 are promised on an idle machine
    assert report.summary.outcome == "incomplete"
    assert exit_code(report.summary.outcome, "error") == 3
    if name != "pages without end":  # a fast machine may reach the limit of pages first
        assert "max-time" in {limit.name for limit in report.limits}
        assert report.summary.reason == "Time ran out after 2 s; results so far are shown."


@pytest.mark.parametrize("method", ["initialize", "notifications__initialized"])
def test_one_that_hangs_when_it_is_opened_is_left_too(method: str) -> None:
    report, reached, seconds = run(linted(MAX_TIME, **{method: silence}))
    assert seconds < MAX_TIME + 20
    assert reached is (method != "initialize")
    assert reached or report.summary.outcome == "incomplete"


async def two_pages(asked: Asked) -> None:
    is_second = "cursor" in (asked.message.get("params") or {})
    page: dict[str, Any] = {"tools": [{**TOOL, "name": "second" if is_second else "first"}]}
    asked.answer(page if is_second else {**page, "nextCursor": "2"})


async def late(asked: Asked) -> None:
    await asyncio.sleep(0.2)
    asked.answer({"tools": [TOOL]})


async def as_stream(asked: Asked) -> None:
    asked.begin_stream()
    asked.say(b": wait\n\n")
    asked.event(asked.result({"tools": [TOOL]}))
    await asked.close()


async def nothing(asked: Asked) -> None:
    asked.answer({"tools": []})


QUIET: Final[dict[str, dict[str, Handler]]] = {
    "one page": {},
    "two pages": {"tools__list": two_pages},
    "an answer after a while": {"tools__list": late},
    "a stream": {"tools__list": as_stream},
    "an empty list": {"tools__list": nothing},
    "a stream of its own that stays open": {"GET": head_alone},
}


@pytest.mark.parametrize("name", QUIET)
def test_a_server_that_answers_is_judged_to_the_end(name: str) -> None:
    report, reached, _ = run(linted(60.0, **QUIET[name]))
    assert reached
    assert report.summary.outcome == "pass"
    assert not report.limits


def test_load_is_waited_for_no_longer_than_the_run_may_take() -> None:
    report, _, seconds = run(linted(MAX_TIME, tools__list=busy))
    assert seconds < MAX_TIME + 20
    assert report.summary.outcome == "incomplete"
