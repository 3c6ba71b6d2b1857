"""Exchanges are followed in bounded memory, whatever the lines of a trace hold."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.protocol import Session
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    modern_request,
    notification,
    request,
    result,
    s2c,
)
from mcp_assay.rules.engine.session_rules import SessionLine
from mcp_assay.rules.session.http_exchanges import follow_exchange
from mcp_assay.rules.session.http_samples import http_opening, post, reply
from mcp_assay.session.correlation import Pending
from mcp_assay.session.exchanges import (
    LONGEST_VALUE,
    MOST_HEADERS,
    MOST_OPEN,
    Exchanges,
    headers,
)
from mcp_assay.session.state import RunState, SessionState
from tests.rules.session.playing import JUNK, decided
from tests.rules.test_scripts import received

METHODS = ("POST", "GET", "DELETE", "PUT", "post", "")
STATUSES = (0, 99, 200, 202, 301, 400, 401, 404, 405, 500, 10**5000)
NAMES = ("Accept", "Content-Type", "Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method", "X")
VALUES = ("application/json", "text/event-stream", "2025-11-25", "2026-07-28", "", "=?base64?x?=")
MESSAGES: tuple[Any, ...] = (
    None,
    request("tools/list"),
    modern_request("tools/call", {"name": "x"}),
    notification("notifications/initialized"),
    result({}),
    [request("ping")],
    b"noise",
)


def test_the_oldest_exchanges_are_forgotten() -> None:
    exchanges = Exchanges()
    for key in range(MOST_OPEN + 10):
        exchanges.of(Delivery(exchange=key, http={"method": "POST"}), "c2s")
    assert exchanges.known(Delivery(exchange=9)) is None
    assert exchanges.known(Delivery(exchange=10)) is not None


def test_an_exchange_without_a_key_is_not_kept() -> None:
    exchanges = Exchanges()
    exchanges.of(Delivery(http={"method": "POST"}), "c2s")
    assert exchanges.known(Delivery(http={"method": "POST"})) is None


def test_keys_of_different_types_are_different_exchanges() -> None:
    exchanges = Exchanges()
    number, text = Delivery(exchange=1), Delivery(exchange="1")
    assert exchanges.of(number, "c2s") is not exchanges.of(text, "c2s")
    assert exchanges.of(number, "s2c") is exchanges.of(number, "s2c")


@pytest.mark.parametrize(("status", "is_over"), [(401, True), (503, True), (200, False)])
def test_a_request_that_a_status_refused_is_given_up(status: int, is_over: bool) -> None:
    session = SessionState(RunState(), Pending())
    for step in (post(request("tools/list")), reply(status=status)):
        text = None if step.message is None else b""
        line = SessionLine(step.direction, step.delivery, text=text, value=step.message)
        assert follow_exchange(session, line) is not None
    assert session.recall(Exchanges).has_given_up(1) is is_over


def test_headers_that_nobody_asks_for_are_not_kept() -> None:
    assert headers({"Cookie": "a", "ACCEPT": " b ", "Mcp-Param-City": "c"}) == {
        "accept": "b",
        "mcp-param-city": "c",
    }


@pytest.mark.parametrize("junk", JUNK[:-2])
def test_what_are_no_headers_is_unknown(junk: object) -> None:
    assert headers(junk) is None


def test_headers_that_are_too_large_are_unknown() -> None:
    assert headers({"Accept": "a" * (LONGEST_VALUE + 1)}) is None
    assert headers({f"X-{n}": "a" for n in range(MOST_HEADERS + 1)}) is None
    assert headers({"Accept": ["a"], "Content-Type": None, "Mcp-Name": 7}) == {}


def test_an_ordinary_conversation_decides_only_what_it_could_have_broken() -> None:
    listed = (post(request("tools/list")), reply(result({"tools": []})))
    judged = decided(http_opening(server={"tools": {}}), listed)
    assert {"HTTP-001", "HTTP-002", "HTTP-005", "HTTP-007", "HTTP-027"} <= judged
    never = {"HTTP-006", "HTTP-021", "HTTP-023", "HTTP-024", "HTTP-025", "HTTP-028", "HTTP-043"}
    assert not never & judged
    assert not {rule for rule in judged if rule.startswith(("SSE", "STDIO", "AUTH"))}


def test_a_session_of_the_api_judges_each_line_by_itself() -> None:
    session = Session()
    asked = {"method": "POST", "request_headers": {"Accept": "application/json"}, "status": 200}
    found = session.feed("c2s", notification("notifications/initialized"), http=asked)
    assert {one.rule for one in found} >= {"HTTP-002", "HTTP-004", "HTTP-005"}
    primed = session.feed("s2c", notification("notifications/x"), sse={"id": "1"})
    assert not {one.rule for one in primed} & {"HTTP-010", "HTTP-018", "HTTP-020"}


def chosen(dice: random.Random, *sensible: Any) -> Any:
    return dice.choice(JUNK) if dice.random() < 0.2 else dice.choice(sensible)


def some_headers(dice: random.Random) -> Any:
    known = {dice.choice(NAMES): chosen(dice, *VALUES) for _ in range(4)}
    return chosen(dice, known)


def some_step(dice: random.Random) -> Step:
    """A line as a careless recorder might write it."""
    http = {
        "method": chosen(dice, *METHODS),
        "path": chosen(dice, "/mcp", "/sse?x=y", ""),
        "status": chosen(dice, *STATUSES),
        "request_headers": some_headers(dice),
        "response_headers": some_headers(dice),
    }
    part = {name: http[name] for name in http if dice.random() < 0.6}
    delivery = Delivery(
        transport=dice.choice((None, "http", "http", "sse", "stdio")),
        exchange=dice.choice((None, 1, 2, "1")),
        http=dice.choice((None, part)),
        sse=dice.choice((None, {"id": chosen(dice, "a", "b"), "event": chosen(dice, "message")})),
        end=dice.random() < 0.1,
        exact=dice.random() < 0.2,
    )
    message = dice.choice(MESSAGES)
    return c2s(message, delivery) if dice.random() < 0.5 else s2c(message, delivery)


@pytest.mark.parametrize("seed", range(20))
def test_no_line_makes_a_rule_fail(seed: int) -> None:
    dice = random.Random(seed)
    checker = SessionChecker(sessions=True)
    steps = [*http_opening(), *(some_step(dice) for _ in range(200))]
    findings = [one for place, step in enumerate(steps) for one in received(checker, step, place)]
    findings += [one for _, one in checker.close()]
    assert all(one.message.endswith(".") for one in findings)
