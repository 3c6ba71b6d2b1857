"""Cancellations: what counts as crossing on the way, and whose requests they may name."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    c2s,
    initialize,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.rules.message.patterns import TASK
from mcp_assay.rules.session.after_cancellation import MOST_FOLLOWED
from tests.rules.session.playing import JUNK, decided, left_open, reported

TASKS: dict[str, Any] = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
OPENED = opening(server={"tools": {}}, client={"roots": {}})
TEXT: dict[str, Any] = {"content": []}


def call(id: Any, delivery: Delivery | None = None, **more: Any) -> Step:
    return c2s(request("tools/call", {"name": "search", **more}, id=id), delivery or Delivery())


def done(id: Any, delivery: Delivery | None = None) -> Step:
    return s2c(result(TEXT, id=id), delivery or Delivery())


def cancelled(id: Any, delivery: Delivery | None = None) -> Step:
    return c2s(notification("notifications/cancelled", {"requestId": id}), delivery or Delivery())


def modern_call(id: int, **meta: Any) -> Step:
    params = {"name": "search", "_meta": {**CLIENT_META, **meta}}
    return c2s(modern_request("tools/call", params, id=id))


def modern_done(id: int) -> Step:
    return s2c(modern_result(TEXT, id=id))


def test_a_side_cancels_its_own_requests_only() -> None:
    asks = s2c(request("roots/list", id=7))
    reply = c2s(result({"roots": []}, id=7))
    assert reported(OPENED, asks, cancelled(7), reply, rules="CANC") == [(4, "CANC-001")]


def test_a_cancellation_may_come_after_the_answer() -> None:
    assert reported(OPENED, call(1), done(1), cancelled(1), cancelled(1), rules="CANC") == []


def test_what_came_before_a_cut_session_may_be_cancelled() -> None:
    assert reported(cancelled(1), rules="CANC", partial=True) == []
    assert "CANC-001" in left_open(cancelled(1), partial=True)


def test_a_cancellation_without_a_request_id_is_no_matter_of_the_session() -> None:
    empty = c2s(notification("notifications/cancelled", {}))
    assert reported(OPENED, empty, rules="CANC") == []


def test_an_answer_to_an_older_request_does_not_show_that_a_cancellation_was_read() -> None:
    steps = (call(1), call(2), cancelled(1), done(2), done(1))
    assert reported(OPENED, *steps, rules="CANC") == []
    assert "CANC-002" in left_open(OPENED, *steps)


def test_over_http_an_answer_to_a_newer_request_shows_nothing() -> None:
    first, second = Delivery(exchange="a"), Delivery(exchange="b")
    steps = (call(1, first), cancelled(1), call(2, second), done(2, second), done(1, first))
    assert reported(OPENED, *steps, rules="CANC") == []


@pytest.mark.parametrize(("seconds", "rules"), [(1.0, []), (5.0, []), (5.1, ["CANC-002"])])
def test_an_answer_may_cross_a_cancellation_for_a_few_seconds(
    seconds: float, rules: list[str]
) -> None:
    late = done(1, Delivery(at=100.0 + seconds))
    steps = (OPENED, call(1), cancelled(1, Delivery(at=100.0)), late)
    assert [rule for _, rule in reported(*steps, rules="CANC")] == rules


def test_too_many_cancellations_to_follow_give_no_findings() -> None:
    ids = range(1, MOST_FOLLOWED + 10)
    asked, given_up = [call(id) for id in ids], [cancelled(id) for id in ids]
    newer = (call(999), done(999))
    late = [done(id) for id in ids]
    found = reported(OPENED, asked, given_up, newer, late, rules="CANC")
    assert len(found) == MOST_FOLLOWED


def test_initialize_is_matched_by_the_type_of_its_id() -> None:
    opened = [c2s(initialize(id="0")), *opening()[1:]]
    assert reported(opened, cancelled("0"), rules="CANC-003") == [(3, "CANC-003")]
    assert reported(opened, cancelled(0), rules="CANC-003") == []


@pytest.mark.parametrize(
    ("server", "rules"), [(TASKS, ["CANC-004"]), ({"tools": {}, "tasks": {}}, [])]
)
def test_a_request_for_a_task_is_one_only_where_the_server_makes_tasks(
    server: dict[str, Any], rules: list[str]
) -> None:
    steps = (opening(server=server), call(1, task={}), cancelled(1))
    assert [rule for _, rule in reported(*steps, rules="CANC")] == rules


def test_a_task_that_runs_is_not_cancelled_by_notification() -> None:
    made = s2c(result({"task": TASK}, id=1))
    steps = (opening(server=TASKS), call(1, task={}), made, cancelled(1))
    assert reported(*steps, rules="CANC") == [(5, "CANC-004")]


def test_tasks_are_undecided_where_the_capabilities_were_not_seen() -> None:
    steps = (call(1, task={}), cancelled(1))
    assert reported(*steps, rules="CANC", partial=True) == []
    assert "CANC-004" in left_open(*steps, partial=True)


def test_a_server_may_have_ended_a_subscription_that_is_already_answered() -> None:
    ends = s2c(notification("notifications/cancelled", {"requestId": 1}))
    steps = (modern_call(1), modern_done(1), ends)
    assert reported(*steps, rules="CANC") == []
    assert "CANC-005" in left_open(*steps)


def test_a_server_cancels_nothing_that_nobody_asked() -> None:
    ends = s2c(notification("notifications/cancelled", {"requestId": 5}))
    assert reported(modern_call(1), ends, modern_done(1), rules="CANC") == [(1, "CANC-005")]


def test_a_token_may_belong_to_a_newer_request() -> None:
    reports = s2c(notification("notifications/progress", {"progressToken": "t", "progress": 1}))
    first = (modern_call(1, progressToken="t"), cancelled(1))
    newer = (modern_call(2), modern_done(2), modern_call(3, progressToken="t"))
    assert reported(*first, *newer, reports, modern_done(3), rules="CANC") == []


def test_progress_may_cross_a_cancellation() -> None:
    reports = s2c(notification("notifications/progress", {"progressToken": "t", "progress": 1}))
    assert reported(modern_call(1, progressToken="t"), cancelled(1), reports, rules="CANC") == []


def test_a_session_without_cancellations_decides_nothing() -> None:
    rules = decided(OPENED, call(1), done(1))
    assert not [rule for rule in rules if rule.startswith("CANC")]


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    strange = (
        call(1, task=junk),
        c2s(notification("notifications/cancelled", junk)),
        cancelled(junk),
        s2c(notification("notifications/cancelled", {"requestId": junk})),
        c2s(request("tools/call", junk, id=2)),
        cancelled(2),
        done(junk),
    )
    rules = {rule for _, rule in reported(OPENED, *strange, rules="CANC")}
    assert rules <= {"CANC-001", "CANC-003"}
