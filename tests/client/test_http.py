"""Servers over HTTP that do one thing wrong: each is survived, bounded and reported."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.links import NotReached
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Endpoint
from mcp_assay.client.trace_file import Recording
from mcp_assay.text.redaction import Redactor
from tests.client.connected import AT_ONCE, options, own_faults, rules, run, text_of
from tests.client.servers.web import SESSION, Server, serving


@asynccontextmanager
async def connected(how: str = "", **given: Any) -> AsyncIterator[tuple[Connection, Server]]:
    """A conversation with such a server."""
    headers = given.pop("headers", {})
    async with serving(how) as (url, server):
        target = Endpoint(url=url, headers=headers)
        async with await connect(target, options(**given)) as connection:
            yield connection, server


def test_a_session_is_kept_and_ended() -> None:
    async def main() -> None:
        async with connected() as (connection, server):
            assert connection.revision == "2025-11-25"
            await connection.list_all("tools")
            answer = await connection.call(CallRequest("weather", {}))
            assert (answer.status, text_of(answer.result)) == (200, "sunny")
        methods = [method for method, _, _ in server.requests]
        assert methods[-1] == "DELETE"
        later = server.requests[2:]
        assert {headers.get("mcp-session-id") for _, headers, _ in later} == {SESSION}
        assert {headers.get("MCP-Protocol-Version") for _, headers, _ in later} == {"2025-11-25"}
        assert {headers.get("Accept-Encoding") for _, headers, _ in server.requests} == {"identity"}
        assert own_faults(connection) == []
        assert rules(connection) == set()

    run(main())


def test_a_session_that_the_server_forgot_is_begun_anew() -> None:
    async def main() -> None:
        async with connected("forgetful") as (connection, _):
            before = connection.starts
            answer = await connection.call(CallRequest("weather", {}))
            again = await connection.call(CallRequest("weather", {}))
        assert (answer.ending, again.ending) == ("answered", "answered")
        assert connection.starts == before + 1
        assert own_faults(connection) == []

    run(main())


def test_the_headers_of_2026_07_28_repeat_the_request() -> None:
    async def main() -> None:
        async with connected("modern") as (connection, server):
            assert connection.revision == "2026-07-28"
            await connection.list_all("tools")
            await connection.call(CallRequest("weather", {"city": "Zürich"}))
        _, headers, message = server.requests[-1]
        assert headers["Mcp-Method"] == "tools/call"
        assert headers["Mcp-Name"] == "weather"
        assert headers["Mcp-Param-City"] == "=?base64?WsO8cmljaA==?="
        assert message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"]
        assert {method for method, _, _ in server.requests} == {"POST"}
        assert own_faults(connection) == []
        assert rules(connection) == set()

    run(main())


def test_input_is_declined_or_answered_from_examples() -> None:
    wanted = {"action": "accept", "content": {"city": "Rome"}}

    async def main() -> None:
        for answers, said in (
            ({}, {"action": "decline"}),
            ({"elicitation/create": wanted}, wanted),
        ):
            async with connected("modern-input", answers=answers) as (connection, _):
                answer = await connection.call(CallRequest("weather", {}))
            assert json.loads(text_of(answer.result)) == [{"which": said}, "state-1"]
            assert answer.rounds == 1
            assert own_faults(connection) == []

    run(main())


def test_a_server_that_always_wants_more_input_is_given_up() -> None:
    async def main() -> None:
        async with connected("modern-insatiable", bounds={"rounds": 3}) as (connection, server):
            answer = await connection.call(CallRequest("weather", {}))
        assert answer.result["resultType"] == "input_required"
        assert (answer.rounds, server.rounds) == (3, 4)
        assert [limit.name for limit in connection.limits()] == ["input-rounds"]

    run(main())


@pytest.mark.parametrize("how", ["bomb", "huge"])
def test_a_body_that_is_too_long_is_not_read_to_its_end(how: str) -> None:
    async def main() -> None:
        async with connected(how) as (connection, _):
            answer = await connection.call(CallRequest("weather", {}))
            assert (answer.ending, answer.result) == ("over_limit", None)
            assert answer.unread > 0
            assert (await connection.list_all("tools")).cut is None
        assert [limit.name for limit in connection.limits()] == ["undecoded-messages"]

    run(main())


@pytest.mark.parametrize("how", ["endless-comments", "hanging"])
def test_one_deadline_ends_what_never_ends(how: str) -> None:
    async def main() -> None:
        async with connected(how) as (connection, _):
            answer = await connection.call(CallRequest("weather", {}, seconds=0.5))
            assert answer.ending == "timed_out"
            assert answer.seconds < AT_ONCE
            assert (await connection.list_all("tools")).cut is None

    run(main())


@pytest.mark.parametrize(
    ("how", "ending", "status"),
    [("broken", "http_status", 500), ("no-answer", "closed", 200)],
)
def test_an_exchange_without_a_message_says_how_it_ended(
    how: str, ending: str, status: int
) -> None:
    async def main() -> None:
        async with connected(how) as (connection, _):
            answer = await connection.call(CallRequest("weather", {}))
        assert (answer.ending, answer.status) == (ending, status)

    run(main())


@pytest.mark.parametrize(("how", "status"), [("locked", 401), ("elsewhere", 307)])
def test_who_is_not_let_in_learns_the_status(how: str, status: int) -> None:
    async def main() -> None:
        with pytest.raises(NotReached) as caught:
            async with connected(how):
                pass
        assert caught.value.status == status
        assert str(status) in str(caught.value)

    run(main())


def test_a_server_that_is_not_there_says_so() -> None:
    async def main() -> None:
        async with serving() as (url, _):
            pass
        with pytest.raises(NotReached, match="refused"):
            await connect(Endpoint(url=url), options())

    run(main())


def test_a_server_that_went_away_is_reported() -> None:
    async def main() -> None:
        async with serving() as (url, _):
            connection = await connect(Endpoint(url=url), options())
        answer = await connection.call(CallRequest("weather", {}))
        assert (answer.ending, answer.exit and answer.exit.how) == ("died", "unreachable")
        await connection.close()

    run(main())


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://", "http://me:pass@localhost/mcp"])
def test_what_is_no_url_of_a_server_is_refused(url: str) -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="URL"):
            await connect(Endpoint(url=url), options())

    run(main())


def test_the_headers_of_the_user_are_sent_and_written_nowhere(tmp_path: Path) -> None:
    trace, secret = tmp_path / "trace.jsonl", "plain-words-of-the-user"

    async def main() -> None:
        recording = Recording(str(trace), Redactor([secret]))
        headers = {"X-Notes": secret}
        async with connected(headers=headers, recording=recording) as (connection, server):
            await connection.call(CallRequest("weather", {}))
        recording.close()
        assert {headers.get("X-Notes") for _, headers, _ in server.requests} == {secret}

    run(main())
    assert "weather" in trace.read_text()
    assert secret not in trace.read_text()
    assert SESSION not in trace.read_text()
