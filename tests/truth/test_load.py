"""HTTP statuses about load are the surroundings of a tool, and accuse no probe."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mcp_assay.client.response import CallRequest
from mcp_assay.session.retry_after import seconds_until
from tests.truth.http_peer import TEXT, Asked, Handler, assessed, connected, run, serving

LOAD = (429, 502, 503, 504)


def refusing(status: int, first: int = 1_000_000, **headers: str) -> Handler:
    """Refuse so many calls with this status, then answer."""
    left = [first]

    async def handler(asked: Asked) -> None:
        left[0] -= 1
        if left[0] >= 0:
            asked.respond(status, **headers)
        else:
            asked.answer(TEXT)

    return handler


@pytest.mark.parametrize("status", LOAD)
def test_a_tool_behind_an_overloaded_server_is_not_broken(status: int) -> None:
    async def main() -> None:
        async with serving(tools__call=refusing(status)) as (url, _):
            report, _ = await assessed(url, select=("RESP",))
        assert [tool.status for tool in report.tools] == ["connectivity_only"]
        assert {(call.ending, call.trouble) for call in report.calls} == {
            ("http_status", "environment")
        }
        assert report.summary.outcome == "incomplete"
        assert "RESP-001" not in {finding.rule for finding in report.findings}
        (said,) = (one for one in report.findings if one.rule == "RESP-007")
        assert f"HTTP status {status}" in said.message

    run(main())


@pytest.mark.parametrize("status", LOAD)
@pytest.mark.parametrize("code", [-32603, -32000])
def test_an_error_that_comes_with_a_status_about_load_is_about_load(status: int, code: int) -> None:
    async def overloaded(asked: Asked) -> None:
        error = {"code": code, "message": "Not now"}
        body = {"jsonrpc": "2.0", "id": asked.message["id"], "error": error}
        asked.respond(status, json.dumps(body).encode(), Content_Type="application/json")

    async def main() -> None:
        async with serving(tools__call=overloaded) as (url, _):
            report, _ = await assessed(url, shrink=False)
        assert [tool.status for tool in report.tools] == ["connectivity_only"]
        assert {call.ending for call in report.calls} == {"http_status"}
        found = {finding.rule for finding in report.findings}
        assert found & {"RESP-007", "CALL-009", "CALL-006", "JSONRPC-034"} == {"RESP-007"}

    run(main())


@pytest.mark.parametrize("status", [400, 404, 500, 501])
def test_other_statuses_are_the_tools_own(status: int) -> None:
    async def main() -> None:
        async with serving(tools__call=refusing(status)) as (url, _):
            report, _ = await assessed(url, select=("RESP",), shrink=False)
        assert [tool.status for tool in report.tools] == ["broken"]
        assert "RESP-001" in {finding.rule for finding in report.findings}

    run(main())


@pytest.mark.parametrize(
    ("retry_after", "times"), [("0", 1), ("1", 1), ("0", 3)], ids=["at once", "later", "thrice"]
)
def test_retry_after_is_honoured(retry_after: str, times: int) -> None:
    async def main() -> None:
        handler = refusing(503, times, Retry_After=retry_after)
        async with connected(tools__call=handler) as (connection, peer):
            answer = await connection.call(CallRequest("hours", {}))
        assert (answer.ending, answer.result) == ("answered", TEXT)
        assert peer.count("tools/call") == times + 1
        ids = [one.message["id"] for one in peer.asked if one.method == "tools/call"]
        assert len(set(ids)) == len(ids)

    run(main())


@pytest.mark.parametrize("retry_after", ["", "soon", "3600", "-1", "9" * 40])
def test_what_cannot_be_waited_for_is_not(retry_after: str) -> None:
    async def main() -> None:
        handler = refusing(503, Retry_After=retry_after)
        async with connected(5.0, tools__call=handler) as (connection, peer):
            answer = await connection.call(CallRequest("hours", {}))
        assert (answer.ending, answer.status) == ("http_status", 503)
        assert peer.count("tools/call") == 1

    run(main())


def test_a_date_is_read_as_a_date() -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    later = format_datetime(now + timedelta(seconds=90), usegmt=True)
    assert seconds_until(later, now.timestamp()) == 90
    assert seconds_until(later, now.timestamp() + 500) == 0
    assert seconds_until("120", now.timestamp()) == 120
    assert seconds_until("half past nine", now.timestamp()) is None


@pytest.mark.parametrize("every", [2, 3])
def test_a_flapping_server_accuses_no_probe(every: int) -> None:
    seen = [0]

    def flapping(usual: Handler) -> Handler:
        async def handler(asked: Asked) -> None:
            seen[0] += 1
            if seen[0] % every == 0:
                asked.respond(503)
            else:
                await usual(asked)

        return handler

    async def main() -> None:
        async with serving() as (url, peer):
            report, _ = await assessed(url, revision="2025-11-25", calls="none")
            usual = {(one.rule, one.message) for one in report.findings}
            calm = ("initialize", "notifications/initialized", "tools/list")
            peer.handlers = {
                method: flapping(peer.usual)
                for method in ("ping", "mcp-assay/no-such-method", "tools/call", "POST", "")
                if method not in calm
            }
            report, _ = await assessed(url, revision="2025-11-25", calls="none")
        assert {(one.rule, one.message) for one in report.findings} <= usual

    run(main())


@pytest.mark.parametrize("status", LOAD)
def test_a_server_that_is_overloaded_at_the_start_says_so(status: int) -> None:
    async def main() -> None:
        handler = refusing(status)
        async with serving(initialize=handler, server__discover=handler) as (url, _):
            report, refusal = await assessed(url)
        assert refusal is not None
        assert (refusal.kind, refusal.status) == ("refused", status)
        assert (report.summary.reason or "").startswith("The server opened no session: ")

    run(main())
