"""Every request ends in one kind, which calls, lists, probes and reports share."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from mcp_assay.client.response import CallRequest
from mcp_assay.judge.status import judge_call
from mcp_assay.model.ending import Ending
from mcp_assay.model.verdict import JudgedCall
from tests.truth.http_peer import (
    EVENTS,
    JSON,
    TEXT,
    Asked,
    Handler,
    assessed,
    chunked,
    connected,
    head,
    packed,
    response,
    run,
    serving,
)


def sends(data: bytes, *, reset: bool = False) -> Handler:
    """A handler that writes these bytes and ends the connection."""

    async def handler(asked: Asked) -> None:
        asked.say(data)
        if reset:
            asked.reset()
        else:
            await asked.close()

    return handler


def answers(make: Any) -> Handler:
    """A handler that writes what is made of the right answer."""

    async def handler(asked: Asked) -> None:
        asked.say(make(asked.result(TEXT)))

    return handler


def waits_for_ever() -> Handler:
    async def handler(asked: Asked) -> None:
        await asyncio.Event().wait()

    return handler


LONG = b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 70_000 + b"\r\nContent-Length: 0\r\n\r\n"
MANY = head(200, **{f"X{number}": "a" for number in range(40_000)})
UNANSWERED: dict[str, tuple[Ending, Handler]] = {
    "closed at once": ("closed", sends(b"")),
    "a stream that ends": ("closed", sends(response(200, b": hi\n\n", Content_Type=EVENTS))),
    "a stream with another message": (
        "closed",
        sends(response(200, b'data: {"jsonrpc":"2.0","method":"x"}\n\n', Content_Type=EVENTS)),
    ),
    "reset": ("reset", sends(b"", reset=True)),
    "half a head": ("cut_short", sends(b"HTTP/1.1 200 OK\r\nContent-Ty")),
    "half a body": (
        "cut_short",
        sends(head(200, Content_Type=JSON, Content_Length="90") + b'{"jsonrpc"'),
    ),
    "half a chunk": (
        "cut_short",
        sends(head(200, Content_Type=JSON, Transfer_Encoding="chunked") + b"ff\r\n{"),
    ),
    "another protocol": ("malformed_http", sends(b"SSH-2.0-OpenSSH_9.9\r\n")),
    "no status": ("malformed_http", sends(b"HTTP/1.1 fine\r\n\r\n")),
    "a header without a colon": ("malformed_http", sends(b"HTTP/1.1 200 OK\r\na b\r\n\r\n")),
    "two lengths": (
        "malformed_http",
        sends(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi"),
    ),
    "not gzip": (
        "wrong_encoding",
        answers(lambda it: response(200, it, Content_Type=JSON, Content_Encoding="gzip")),
    ),
    "torn gzip": (
        "wrong_encoding",
        answers(
            lambda it: response(200, packed(it)[:-9], Content_Type=JSON, Content_Encoding="gzip")
        ),
    ),
    "brotli": (
        "wrong_encoding",
        answers(lambda it: response(200, it, Content_Type=JSON, Content_Encoding="br")),
    ),
    "a stream in an unknown coding": (
        "wrong_encoding",
        answers(
            lambda it: response(
                200, b"data: " + it + b"\n\n", Content_Type=EVENTS, Content_Encoding="zstd"
            )
        ),
    ),
    "headers too long": ("over_limit", sends(LONG)),
    "too many headers": ("over_limit", sends(MANY)),
    "an endless event": (
        "over_limit",
        sends(head(200, Content_Type=EVENTS) + b"data: " + b"x" * 18_000_000),
    ),
    "a page": ("http_status", sends(response(200, b"<p>hi</p>", Content_Type="text/html"))),
    "status 500": ("http_status", sends(response(500))),
    "a redirect": ("http_status", sends(response(307, Location="/mcp/"))),
    "nothing in time": ("timed_out", waits_for_ever()),
}
ANSWERED: dict[str, Handler] = {
    "JSON": answers(lambda it: response(200, it, Content_Type=JSON)),
    "JSON with a charset": answers(
        lambda it: response(200, it, Content_Type=f"{JSON}; charset=utf-8")
    ),
    "JSON in chunks": answers(
        lambda it: (
            head(200, Content_Type=JSON, Transfer_Encoding="chunked") + chunked(it[:9], it[9:])
        )
    ),
    "gzip": answers(
        lambda it: response(200, packed(it), Content_Type=JSON, Content_Encoding="gzip")
    ),
    "identity": answers(
        lambda it: response(200, it, Content_Type=JSON, Content_Encoding="identity")
    ),
    "a stream": answers(lambda it: response(200, b"data: " + it + b"\n\n", Content_Type=EVENTS)),
    "a packed stream": answers(
        lambda it: response(
            200,
            packed(b": hi\n\ndata: " + it + b"\n\n"),
            Content_Type=EVENTS,
            Content_Encoding="gzip",
        )
    ),
    "a stream after a comment and a notification": answers(
        lambda it: response(
            200,
            b': hi\n\ndata: {"jsonrpc":"2.0","method":"notifications/message",'
            b'"params":{"level":"info","data":1}}\n\ndata: ' + it + b"\n\n",
            Content_Type=EVENTS,
        )
    ),
}
SECONDS = {"nothing in time": 0.3}


@pytest.mark.parametrize("name", UNANSWERED)
def test_a_call_without_an_answer_ends_in_its_kind(name: str) -> None:
    ending, handler = UNANSWERED[name]

    async def main() -> None:
        async with connected(SECONDS.get(name, 30.0), tools__call=handler) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
            assert (answer.ending, answer.result, answer.error) == (ending, None, None)
            assert "aiohttp" not in answer.what_it_did
            assert "message=" not in answer.what_it_did
            later = await connection.ask("ping")
        assert later.ending == "answered"
        limits = {limit.name for limit in connection.limits()}
        assert bool(limits & {"header-bytes", "stream-bytes"}) == (ending == "over_limit")

    run(main())


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_in_any_right_form_is_an_answer(name: str) -> None:
    async def main() -> None:
        async with connected(tools__call=ANSWERED[name]) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
            assert (answer.ending, answer.result) == ("answered", TEXT)
        assert connection.limits() == []

    run(main())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("closed at once", "the server closed the connection without a response"),
        ("reset", "the server reset the connection without a response"),
        ("half a body", "the server broke off in the middle of the response"),
        ("another protocol", "the server sent a response that is not valid HTTP"),
        ("torn gzip", "the server sent a response that could not be decompressed"),
        ("status 500", "the server returned HTTP status 500 without a JSON-RPC message"),
        ("a redirect", 'HTTP status 307 without a JSON-RPC message: it redirects to "/mcp/"'),
    ],
)
def test_a_list_says_why_it_is_missing(name: str, words: str) -> None:
    async def main() -> None:
        async with connected(tools__list=UNANSWERED[name][1]) as (connection, _):
            listing = await connection.list_all("tools")
        assert words in (listing.cut or "")
        assert "too long" not in (listing.cut or "")

    run(main())


@pytest.mark.parametrize(
    ("ending", "outcome", "trouble"),
    [
        ("closed", "failed", "no_content"),
        ("reset", "failed", "no_content"),
        ("cut_short", "failed", "no_content"),
        ("malformed_http", "failed", "no_content"),
        ("wrong_encoding", "failed", "no_content"),
        ("http_status", "failed", "no_content"),
        ("timed_out", "failed", "timed_out"),
        ("died", "failed", "died"),
        ("over_limit", "undecided", None),
        ("cancelled", "undecided", None),
    ],
)
def test_what_our_limits_cut_is_held_against_nobody(
    ending: Ending, outcome: str, trouble: str | None
) -> None:
    verdict = judge_call(JudgedCall(valid_arguments=True, ending=ending))
    assert (verdict.outcome, verdict.trouble) == (outcome, trouble)


@pytest.mark.parametrize(
    ("name", "ending", "status", "rules"),
    [
        ("closed at once", "closed", "broken", {"RESP-001"}),
        ("brotli", "wrong_encoding", "broken", {"RESP-001"}),
        ("headers too long", "over_limit", "unproven", set()),
    ],
)
def test_a_report_shows_the_kind(name: str, ending: str, status: str, rules: set[str]) -> None:
    async def main() -> None:
        async with serving(tools__call=UNANSWERED[name][1]) as (url, _):
            report, _ = await assessed(url, select=("RESP",), shrink=False)
        assert {call.ending for call in report.calls} == {ending}
        assert [tool.status for tool in report.tools] == [status]
        assert {finding.rule for finding in report.findings if finding.severity == "error"} == rules
        for finding in report.findings:
            assert "usable content" not in finding.message
            assert "status None" not in finding.message

    run(main())


def test_a_call_that_the_end_of_the_run_cuts_was_made() -> None:
    async def progress(asked: Asked) -> None:
        asked.begin_stream()
        token = asked.message["params"]["_meta"]["progressToken"]
        for number in range(10_000):
            params = {"progressToken": token, "progress": number}
            message = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
            asked.event(json.dumps(message).encode())
            await asked.writer.drain()
            await asyncio.sleep(0.02)

    async def main() -> None:
        async with serving(tools__call=progress) as (url, _):
            cut, _ = await assessed(url, select=("RESP-009",), max_time=2.0)
            slow, _ = await assessed(url, select=("RESP-009",), timeout=0.4, max_time=60.0)
        assert [(tool.called, tool.status) for tool in cut.tools] == [(1, "unproven")]
        assert [call.ending for call in cut.calls] == ["cancelled"]
        # progress does not lift --timeout without end
        assert {call.ending for call in slow.calls} == {"timed_out"}

    run(main())
