"""Progress: which tokens are in use, and what is silently in order."""

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
from mcp_assay.rules.message.patterns import TASK
from mcp_assay.session.tokens import FEW_FOLLOWED
from mcp_assay.spec.revisions import REVISIONS
from tests.rules.session.playing import JUNK, decided, left_open, reported

OPENED = opening(
    server={"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}, client={"sampling": {}}
)
TEXT: dict[str, Any] = {"content": []}
ALL = "PROG-001 PROG-002 PROG-003 PROG-004"


def call(id: Any, token: Any, delivery: Delivery | None = None, **more: Any) -> Step:
    params = {"name": "search", "_meta": {"progressToken": token}, **more}
    return c2s(request("tools/call", params, id=id), delivery or Delivery())


def done(id: Any) -> Step:
    return s2c(result(TEXT, id=id))


def progress(token: Any, value: Any = 1, delivery: Delivery | None = None) -> Step:
    params = {"progressToken": token, "progress": value}
    return s2c(notification("notifications/progress", params), delivery or Delivery())


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_tokens_are_matched_in_every_revision_with_sessions(revision: str) -> None:
    opened = opening(server={"tools": {}}, revision=revision)
    assert reported(opened, call(1, "a"), progress("a"), done(1), rules="PROG") == []
    assert reported(opened, call(1, "a"), progress("b"), done(1), rules="PROG") == [(4, "PROG-002")]


def test_tokens_are_matched_in_stateless_sessions() -> None:
    meta = {**CLIENT_META, "progressToken": 1}
    asked = c2s(modern_request("tools/call", {"name": "search", "_meta": meta}))
    answered = s2c(modern_result(TEXT))
    assert reported(asked, progress(1), answered, rules="PROG") == []
    assert reported(asked, answered, progress(1), rules="PROG") == [(2, "PROG-004")]


def test_each_side_has_tokens_of_its_own() -> None:
    params = {"messages": [], "maxTokens": 9, "_meta": {"progressToken": 1}}
    asks = s2c(request("sampling/createMessage", params, id=1))
    reports = c2s(notification("notifications/progress", {"progressToken": 1, "progress": 1}))
    reply = c2s(result({"role": "user", "content": {"type": "text", "text": ""}, "model": "m"}))
    both = (OPENED, call(1, 1), asks, reports, progress(1), reply, done(1))
    assert reported(*both, rules=ALL) == []
    assert reported(OPENED, call(1, 1), reports, done(1), rules=ALL) == [(4, "PROG-002")]


def test_a_token_may_be_used_again_once_its_request_was_cancelled() -> None:
    cancels = c2s(notification("notifications/cancelled", {"requestId": 1}))
    assert reported(OPENED, call(1, "t"), cancels, call(2, "t"), done(2), rules=ALL) == []


def test_a_token_may_be_used_again_once_its_request_failed() -> None:
    failed = s2c(error(-32603, "No", id=1))
    assert (
        reported(OPENED, call(1, "t"), failed, call(2, "t"), progress("t"), done(2), rules=ALL)
        == []
    )


def test_progress_begins_anew_with_a_new_request() -> None:
    first = (call(1, "t"), progress("t", 5), done(1))
    assert reported(OPENED, *first, call(2, "t"), progress("t", 1), done(2), rules=ALL) == []


def test_tokens_of_finished_requests_are_known_long_after() -> None:
    many = [step for id in range(1, 5 * FEW_FOLLOWED) for step in (call(id, id), done(id))]
    after = 3 + len(many)
    assert reported(OPENED, many, progress(1), rules=ALL) == [(after, "PROG-004")]
    assert reported(OPENED, many, progress(9999), rules=ALL) == [(after, "PROG-002")]


def test_open_requests_are_followed_however_many_there_are() -> None:
    ids = range(1, 5 * FEW_FOLLOWED)
    asked, answered = [call(id, id) for id in ids], [done(id) for id in ids]
    reported_of = [progress(id) for id in ids]
    assert reported(OPENED, asked, reported_of, answered, rules=ALL) == []


def test_a_token_too_long_to_remember_is_left_open() -> None:
    steps = (OPENED, call(1, "t" * 300), progress("t" * 300), done(1))
    assert reported(*steps, rules=ALL) == []
    assert "PROG-002" in left_open(*steps)


def test_progress_of_a_task_goes_on_until_the_task_is_over() -> None:
    made = (call(1, "t", task={}), s2c(result({"task": TASK}, id=1)), progress("t", 1))
    over = s2c(notification("notifications/tasks/status", {**TASK, "status": "completed"}))
    assert reported(OPENED, *made, rules=ALL) == []
    assert reported(OPENED, *made, over, progress("t", 2), rules=ALL) == [(7, "PROG-004")]


def test_progress_of_a_task_that_was_not_seen_is_left_open() -> None:
    steps = (OPENED, call(1, "t", task={}), done(1), progress("t"))
    assert reported(*steps, rules=ALL) == []
    assert "PROG-004" in left_open(*steps)


def test_over_http_only_the_stream_of_the_request_has_an_order() -> None:
    asked, answer = call(1, "t", Delivery(exchange="a")), s2c(result(TEXT), Delivery(exchange="a"))
    same, other = progress("t", 1, Delivery(exchange="a")), progress("t", 1, Delivery(exchange="b"))
    assert reported(OPENED, asked, answer, same, rules=ALL) == [(5, "PROG-004")]
    assert reported(OPENED, asked, answer, other, rules=ALL) == []
    assert "PROG-004" in left_open(OPENED, asked, answer, other)


def test_progress_from_two_streams_is_not_compared() -> None:
    one, two = progress("t", 2, Delivery(exchange="a")), progress("t", 1, Delivery(exchange="b"))
    assert reported(OPENED, call(1, "t"), one, two, done(1), rules=ALL) == []


def test_numbers_too_large_to_report_apart_are_not_compared() -> None:
    steps = (call(1, "t"), progress("t", 1e300), progress("t", 1e300), done(1))
    assert reported(OPENED, *steps, rules=ALL) == []


def test_a_cut_session_decides_nothing_about_tokens_from_before() -> None:
    assert reported(progress("t"), rules=ALL, partial=True) == []
    assert left_open(progress("t"), partial=True) >= {"PROG-002"}


def test_a_session_without_tokens_decides_nothing() -> None:
    plain = c2s(request("tools/call", {"name": "search"}, id=1))
    assert not decided(OPENED, plain, done(1)) & set(ALL.split())


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    strange = (
        c2s(request("tools/call", junk, id=1)),
        c2s(request("tools/call", {"_meta": junk}, id=2)),
        call(3, junk),
        call(junk, "t"),
        s2c(notification("notifications/progress", junk)),
        progress("t", junk),
        progress(junk, junk),
    )
    rules = {rule for _, rule in reported(OPENED, *strange, rules=ALL)}
    assert rules <= {"PROG-002", "PROG-003", "PROG-004"}
