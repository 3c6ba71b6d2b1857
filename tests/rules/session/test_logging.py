"""Log messages: which level holds, from when, and for which stream."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    c2s,
    error,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.logging import LOG_LEVEL
from tests.rules.session.playing import JUNK, decided, left_open, reported

OPENED = opening(server={"logging": {}, "tools": {}})
TEXT: dict[str, Any] = {"content": []}
LOGS = "LOG-002 LOG-003 LOG-004"


def set_level(level: Any, id: int = 1) -> list[Step]:
    return [
        c2s(request("logging/setLevel", {"level": level}, id=id)),
        s2c(result({}, id=id)),
    ]


def log(level: Any, delivery: Delivery | None = None) -> Step:
    params = {"level": level, "data": "x"}
    return s2c(notification("notifications/message", params), delivery or Delivery())


def call(level: Any = None, id: int = 1, exchange: int | None = None) -> Step:
    meta = CLIENT_META if level is None else {**CLIENT_META, LOG_LEVEL: level}
    params = {"name": "search", "_meta": meta}
    return c2s(modern_request("tools/call", params, id=id), Delivery(exchange=exchange))


def done(id: int = 1, exchange: int | None = None) -> Step:
    return s2c(modern_result(TEXT, id=id), Delivery(exchange=exchange))


def test_without_a_level_the_server_chooses() -> None:
    assert reported(OPENED, log("debug"), rules=LOGS) == []
    assert "LOG-003" not in decided(OPENED, log("debug"))


def test_the_last_level_holds() -> None:
    steps = (OPENED, set_level("error", 1), set_level("info", 2))
    assert reported(*steps, log("info"), rules=LOGS) == []
    assert reported(*steps, log("debug"), rules=LOGS) == [(7, "LOG-003")]


def test_a_lower_level_holds_as_soon_as_it_is_asked_for() -> None:
    asks, confirms = set_level("debug", 2)
    assert reported(OPENED, set_level("error"), asks, log("debug"), confirms, rules=LOGS) == []


def test_a_refused_level_does_not_hold() -> None:
    asks, refuses = set_level("error")[0], s2c(error(-32602, "No", id=1))
    assert reported(OPENED, asks, refuses, log("debug"), rules=LOGS) == []


@pytest.mark.parametrize(("seconds", "rules"), [(1.0, []), (9.0, ["LOG-003"])])
def test_over_http_a_message_may_have_been_on_its_way(seconds: float, rules: list[str]) -> None:
    asks = c2s(request("logging/setLevel", {"level": "error"}), Delivery(exchange=1, at=0.0))
    confirms = s2c(result({}), Delivery(exchange=1, at=0.0))
    late = log("info", Delivery(exchange=2, at=seconds))
    found = reported(OPENED, asks, confirms, late, rules=LOGS)
    assert [rule for _, rule in found] == rules


def test_on_a_pipe_the_request_that_asked_for_most_sets_the_measure() -> None:
    steps = (call("debug", 1), call("error", 2), log("debug"), done(1), done(2))
    assert reported(*steps, rules=LOGS) == []


def test_on_a_pipe_a_message_may_belong_to_an_answered_request() -> None:
    assert (
        reported(call("debug", 1), done(1), call(None, 2), log("debug"), done(2), rules=LOGS) == []
    )


def test_a_level_that_nobody_knows_forbids_nothing() -> None:
    assert reported(call("verbose"), log("debug"), done(), rules=LOGS) == []


def test_over_http_each_request_speaks_for_itself() -> None:
    loud, quiet = call("debug", 1, exchange=1), call(None, 2, exchange=2)
    received = reported(
        loud, quiet, log("debug", Delivery(exchange=2)), done(1, 1), done(2, 2), rules=LOGS
    )
    assert received == [(2, "LOG-002")]


def test_a_stream_whose_request_was_not_seen_is_left_open() -> None:
    steps = (log("debug", Delivery(exchange=2)), call(None, 1, exchange=1), done(1, 1))
    assert reported(*steps[1:], steps[0], rules=LOGS) == []
    assert left_open(*steps[1:], steps[0]) >= {"LOG-002", "LOG-003", "LOG-004"}


def test_a_listen_stream_carries_no_logs() -> None:
    listens = modern_request("subscriptions/listen", {"notifications": {}})
    steps = (c2s(listens, Delivery(exchange=1)), log("error", Delivery(exchange=1)))
    assert reported(*steps, rules="LOG-004") == [(1, "LOG-004")]


def test_a_cut_session_decides_nothing_about_logs() -> None:
    assert reported(call(), log("debug"), done(), rules=LOGS, partial=True) == []


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    message = s2c(notification("notifications/message", junk))
    assert reported(OPENED, set_level(junk), log(junk), message, rules=LOGS) == []
    assert reported(call("error"), call(junk, 2), log(junk), done(1), done(2), rules=LOGS) == []
