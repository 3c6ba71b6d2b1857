"""A request that fails only with one changed header fails for that header, however it fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.truth.http_peer import Asked, Handler, assessed, run, serving

RIGHT = {"HTTP-039": 403, "HTTP-024": 404, "HTTP-028": 400}
"""The status with which a server refuses what the rule is about."""
CHANGED: dict[str, Callable[[Asked, set[str]], bool]] = {
    "HTTP-039": lambda asked, ended: "127.0.0.1" not in asked.headers.get("origin", "127.0.0.1"),
    "HTTP-024": lambda asked, ended: not _is_known(asked.headers.get("mcp-session-id"), ended),
    "HTTP-028": lambda asked, ended: asked.headers.get("mcp-protocol-version", "2") < "2",
}
SILENT, RESET = 0, 1


def _is_known(session: str | None, ended: set[str]) -> bool:
    return session is None or (session.startswith("session-") and session not in ended)


async def outcomes(refusals: dict[str, int], otherwise: int | None = None) -> dict[str, str]:
    """What becomes of the rules where each such request is refused so."""

    ended: set[str] = set()

    async def handler(asked: Asked) -> None:
        status = otherwise if asked.method == "ping" else None
        for rule, refusal in refusals.items():
            status = refusal if CHANGED[rule](asked, ended) else status
        if asked.verb == "DELETE":
            ended.add(asked.headers.get("mcp-session-id", ""))
        if status is None:
            await peer.usual(asked)
        elif status in (SILENT, RESET):
            asked.reset() if status == RESET else await asked.close()
        else:
            asked.respond(status)

    methods = ("initialize", "ping", "tools__list", "tools__call", "notifications__initialized")
    handlers: dict[str, Handler] = dict.fromkeys((*methods, "GET", "DELETE"), handler)
    async with serving(**handlers) as (url, peer):
        report, _ = await assessed(url, select=("HTTP",), calls="none")
    return {one.rule: one.outcome for one in report.checks if one.rule in RIGHT}


@pytest.mark.parametrize("refusal", [500, 501, SILENT, RESET])
@pytest.mark.parametrize("rule", ["HTTP-024", "HTTP-028"])
def test_a_failure_that_comes_only_so_is_no_refusal(rule: str, refusal: int) -> None:
    found = run(outcomes({**RIGHT, rule: refusal}))
    assert found[rule] in ("failed", "warned")
    assert {found[other] for other in RIGHT if other != rule} == {"passed"}


@pytest.mark.parametrize("rule", RIGHT)
def test_the_right_status_is_a_refusal(rule: str) -> None:
    assert run(outcomes(RIGHT))[rule] == "passed"


@pytest.mark.parametrize("rule", RIGHT)
def test_what_is_served_is_not_refused(rule: str) -> None:
    refusals = {other: status for other, status in RIGHT.items() if other != rule}
    assert run(outcomes(refusals))[rule] == "failed"


@pytest.mark.parametrize("always", [500, 503, RESET])
@pytest.mark.parametrize("rule", ["HTTP-024", "HTTP-028"])
def test_a_failure_that_comes_always_tells_nothing(rule: str, always: int) -> None:
    assert run(outcomes({**RIGHT, rule: 500}, otherwise=always))[rule] == "undecided"
