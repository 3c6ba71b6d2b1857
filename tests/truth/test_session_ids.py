"""Session ids: each session has its own, it stays, and a 404 for one is no crash."""

from __future__ import annotations

import pytest

from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Bounds
from tests.truth.http_peer import TEXT, Asked, Handler, Peer, assessed, connected, run, serving

SELECTED = ("LINT-005", "LINT-006", "RESP", "HTTP-024")


async def outcomes(handlers: dict[str, Handler]) -> dict[str, str]:
    async with serving(**handlers) as (url, _):
        report, _ = await assessed(url, revision="2025-11-25", select=SELECTED)
    return {check.rule: check.outcome for check in report.checks}


def greets(id: str | None) -> Handler:
    """Answer initialize with this session id."""

    async def handler(asked: Asked) -> None:
        asked.answer(Peer({}).greeting(), **({"Mcp_Session_Id": id} if id else {}))

    return handler


def calls(id: str | None) -> Handler:
    """Answer a call with this session id, or with that of the request."""

    async def handler(asked: Asked) -> None:
        given = asked.headers["mcp-session-id"] if id == "same" else id
        asked.answer(TEXT, **({"Mcp_Session_Id": given} if given else {}))

    return handler


@pytest.mark.parametrize(
    ("handlers", "shared", "changed"),
    [
        ({}, "passed", "undecided"),
        ({"tools__call": calls("same")}, "passed", "passed"),
        ({"tools__call": calls(None)}, "passed", "undecided"),
        ({"initialize": greets(None)}, "not_testable", "undecided"),
        ({"initialize": greets("always")}, "warned", "undecided"),
        ({"initialize": greets("0"), "tools__call": calls("0")}, "warned", "passed"),
        ({"tools__call": calls("another")}, "passed", "warned"),
        ({"tools__call": calls("session-1 ")}, "passed", "passed"),
        ({"initialize": greets("a"), "tools__call": calls("b")}, "warned", "warned"),
        ({"tools__call": calls("SESSION-1")}, "passed", "warned"),
    ],
)
def test_ids_are_compared(handlers: dict[str, Handler], shared: str, changed: str) -> None:
    async def main() -> None:
        found = await outcomes(handlers)
        assert (found["LINT-005"], found["LINT-006"]) == (shared, changed)

    run(main())


def forgetting(every: int) -> Handler:
    """Forget the session at every so many calls."""
    seen = [0]

    async def handler(asked: Asked) -> None:
        seen[0] += 1
        if seen[0] % every == 0:
            asked.respond(404)
        else:
            asked.answer(TEXT)

    return handler


@pytest.mark.parametrize("every", [2, 3, 4, 5])
def test_a_session_that_is_over_is_no_crash(every: int) -> None:
    async def main() -> None:
        async with serving(tools__call=forgetting(every)) as (url, peer):
            report, refusal = await assessed(url, revision="2025-11-25", select=SELECTED)
        assert refusal is None
        assert {call.ending for call in report.calls} == {"answered"}
        assert "RESP-010" not in {finding.rule for finding in report.findings}
        assert peer.sessions > 1

    run(main())


def test_many_lost_sessions_are_not_many_starts() -> None:
    async def main() -> None:
        async with connected(tools__call=forgetting(2)) as (connection, _):
            endings = {(await connection.call(CallRequest("hours", {}))).ending for _ in range(25)}
        assert endings == {"answered"}
        assert connection.starts > Bounds().starts
        assert connection.limits() == []

    run(main())


def test_a_path_that_is_never_there_is_told_as_a_status() -> None:
    async def gone(asked: Asked) -> None:
        asked.respond(404)

    async def main() -> None:
        async with connected(tools__call=gone) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
        assert (answer.ending, answer.status) == ("http_status", 404)

    run(main())
