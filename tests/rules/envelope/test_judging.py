"""Responses by the profile: places, bounds, texts with something odd in them, JSON-RPC around."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.faults import MOST_KEPT
from mcp_assay.rules.envelope.checker import judge_response, judge_text
from mcp_assay.rules.envelope.results import ENVELOPE_KEY, unfolded
from mcp_assay.rules.envelope.rule import failure, success, text, without
from mcp_assay.rules.envelope.session import MOST_ASKED, EnvelopeChecker, OpenToolCalls, is_jsonrpc
from mcp_assay.wire.reader import read


def rules(response: Any) -> list[str]:
    reading = read(json.dumps(response).encode())
    return [one.rule for one in judge_response(reading.value, reading).findings]


def received(*messages: Any, decided_rules: DecidedRules | None = None) -> list[tuple[str, str]]:
    checker = EnvelopeChecker(decided_rules or DecidedRules())
    found = [one for message in messages for one in checker.check(json.dumps(message).encode())]
    return [(one.rule, one.pointer) for one in found]


def call(id: int, method: str = "tools/call") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": "search"}}


def answer(id: int, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def test_faults_come_in_the_order_of_their_places() -> None:
    found = rules({"success": False, "content": [{"text": "a"}, {"type": "text"}]})
    assert found == ["ENV-103", "ENV-104", "ENV-110", "ENV-114", "ENV-108"]


def test_each_bad_item_is_reported_with_its_index() -> None:
    response = success(text("a"), {"text": "b"}, "c", {"type": "text"})
    reading = read(json.dumps(response).encode())
    places = [one.pointer for one in judge_response(response, reading).findings]
    assert places == ["/content/1/type", "/content/2", "/content/3/text"]


def test_of_very_many_faults_some_are_listed_and_all_are_counted() -> None:
    found = rules(success(*["x"] * 1000))
    assert found.count("ENV-103") == MOST_KEPT
    assert found.count("LIMIT-003") == 1


@pytest.mark.parametrize(
    ("seconds", "good"),
    [("00", True), ("60", True), ("61", False), ("00.5", True), ("00.", False), ("0", False)],
)
def test_seconds_are_as_rfc_3339_has_them(seconds: str, good: bool) -> None:
    assert (rules({**success(), "timestamp": f"2026-03-01T09:30:{seconds}Z"}) == []) is good


@pytest.mark.parametrize(
    ("offset", "good"),
    [("Z", True), ("z", True), ("+02:00", True), ("-00:00", True), ("+0200", False), ("", False)],
)
def test_an_offset_is_needed_and_may_be_any(offset: str, good: bool) -> None:
    assert (rules({**success(), "timestamp": f"2026-03-01T09:30:00{offset}"}) == []) is good


@pytest.mark.parametrize("data", [None, False, 0, "", [], {}, [None], {"a": [1]}])
def test_data_and_details_may_be_of_any_type(data: Any) -> None:
    error = {"code": "GONE", "message": "Note 7 not found", "details": data}
    assert rules(success(data=data)) == []
    assert rules(failure(error=error)) == []


@pytest.mark.parametrize(
    "words", ["[]", '{"a": 1}', json.dumps(list(range(99)), indent=1), "x" * 200]
)
def test_text_that_people_can_read_is_no_dump(words: str) -> None:
    data = json.loads(words) if words[0] in "[{" else words
    assert rules(success(text(words), data=data)) == []


def test_json_text_beside_structured_content_is_what_mcp_recommends() -> None:
    data = {"numbers": list(range(99))}
    dump = json.dumps(data)
    assert rules(success(text(dump), data=data)) == ["ENV-121"]
    assert rules(success(text(dump), data=data, structuredContent=data)) == []


def test_a_status_beside_success_is_no_other_flag() -> None:
    assert rules(success(status="running", result=3)) == []


def test_what_is_odd_in_the_text_is_reported_once_and_breaks_both() -> None:
    reading = read(json.dumps(success()).encode()[:-1] + b',"success":true,"data":NaN}')
    reported = judge_text(reading)
    assert [one.rule for one in reported] == ["JSONRPC-018"]
    assert reported[0].details == {"breaks": "both"}
    judged = judge_response(reading.value, reading)
    assert [one.rule for one in judged.findings] == ["ENV-111"]


def test_rules_count_as_decided_only_where_something_could_have_broken_them() -> None:
    reading = read(json.dumps(success()).encode())
    decided = judge_response(success(), reading).decided
    assert {"ENV-101", "ENV-104", "ENV-109"} <= decided
    assert decided.isdisjoint({"ENV-105", "ENV-106", "ENV-110", "ENV-111", "ENV-122"})


def test_the_results_of_tool_calls_are_known_by_their_ids() -> None:
    assert received(call(1), answer(1, {})) == [
        ("ENV-101", "/result/content"),
        ("ENV-107", "/result/success"),
        ("ENV-108", "/result/timestamp"),
    ]
    assert received(call(1, "tools/list"), answer(1, {"content": []})) == []


@pytest.mark.parametrize(
    ("result", "is_a_tools"),
    [
        ({"content": []}, True),
        ({"isError": False}, True),
        ({"success": "yes"}, True),
        ({"tools": []}, False),
        ({"role": "assistant", "model": "m", "content": [{"type": "text", "text": "a"}]}, False),
        ("text", False),
    ],
)
def test_a_result_without_its_request_is_known_by_its_looks(result: Any, is_a_tools: bool) -> None:
    assert bool(received(answer(1, result))) is is_a_tools


def test_each_result_in_a_batch_is_judged_in_its_place() -> None:
    batch = [answer(1, success()), answer(2, {**success(), "content": []})]
    assert received([call(1), call(2)], batch) == [("ENV-102", "/1/result/content")]


def test_requests_errors_and_notifications_are_passed_over() -> None:
    decided_rules = DecidedRules()
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}
    assert (
        received(call(1), error, {"jsonrpc": "2.0", "method": "x"}, decided_rules=decided_rules)
        == []
    )
    assert decided_rules.session_rules == set()


def test_an_unreadable_text_is_reported() -> None:
    assert [one.rule for one in EnvelopeChecker(DecidedRules()).check(b"{")] == ["JSONRPC-001"]


def test_calls_that_are_never_answered_do_not_pile_up() -> None:
    calls = OpenToolCalls()
    for id in range(MOST_ASKED + 1):
        assert list(calls.responses(call(id))) == []
    assert list(calls.responses(answer(0, {"tools": []}))) == []
    assert [one.tool for one in calls.responses(answer(1, {"tools": []}))] == ["search"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"jsonrpc": "2.0"}, True),
        ([{"jsonrpc": "2.0"}], True),
        ([], False),
        ({}, False),
        (1, False),
    ],
)
def test_jsonrpc_is_known_by_its_member(value: Any, expected: bool) -> None:
    assert is_jsonrpc(value) is expected


def test_a_result_that_keeps_its_envelope_in_meta_is_judged_as_that_envelope() -> None:
    kept = {"success": True, "timestamp": "2026-03-01T09:30:00Z"}
    result = {"content": [text("a")], "structuredContent": {"n": 1}, "_meta": {ENVELOPE_KEY: kept}}
    assert unfolded(result)["data"] == {"n": 1}
    assert received(answer(1, result)) == []


@pytest.mark.parametrize("meta", [None, 3, {}, {ENVELOPE_KEY: None}, {ENVELOPE_KEY: [1]}])
def test_a_result_with_any_other_meta_is_judged_as_it_is(meta: Any) -> None:
    result = {**without(success(), "success"), "_meta": meta}
    assert unfolded(result) == result


def follow(*lines: tuple[Direction, Any]) -> list[Finding]:
    checker = EnvelopeChecker(DecidedRules())
    return [
        one
        for direction, message in lines
        for one in checker.check(json.dumps(message).encode(), direction)
    ]


def test_both_sides_may_use_the_same_ids() -> None:
    asked: list[tuple[Direction, Any]] = [("s2c", call(1, "roots/list")), ("c2s", call(1))]
    answered: list[tuple[Direction, Any]] = [("c2s", answer(1, {})), ("s2c", answer(1, {}))]
    for lines in ([*asked, *answered], [*asked, *reversed(answered)]):
        assert [one.rule for one in follow(*lines)] == ["ENV-101", "ENV-107", "ENV-108"]
    assert follow(*asked, answered[0]) == []


def test_a_task_and_a_question_are_no_responses_yet() -> None:
    task = {"task": {"taskId": "7", "status": "working"}}
    assert follow(("c2s", call(1)), ("s2c", answer(1, task))) == []
    question = {"resultType": "input_required", "inputRequests": {}, "isError": False}
    assert follow(("c2s", call(1)), ("s2c", answer(1, question))) == []
    assert follow(("s2c", answer(1, question))) == []


def test_what_a_task_gave_is_a_response_of_its_tool() -> None:
    task = {"task": {"taskId": "7", "status": "working"}}
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": {"taskId": "7"}}
    given = answer(2, {**success(), "content": []})
    [found] = follow(("c2s", call(1)), ("s2c", answer(1, task)), ("c2s", ask), ("s2c", given))
    assert (found.rule, found.where.tool) == ("ENV-102", "search")
    assert [one.rule for one in follow(("c2s", ask), ("s2c", given))] == ["ENV-102"]
    spoken = answer(2, {"role": "assistant", "model": "m", "content": [text("a")]})
    assert follow(("s2c", ask), ("c2s", spoken)) == []


def test_the_same_fault_of_another_tool_is_another_finding() -> None:
    empty, other = {**success(), "content": []}, {**call(2), "params": {"name": "save"}}
    asked: list[tuple[Direction, Any]] = [("c2s", call(1)), ("c2s", other), ("c2s", call(3))]
    answered: list[tuple[Direction, Any]] = [("s2c", answer(id, empty)) for id in (1, 2, 3)]
    first, second, third = follow(*asked, *answered)
    assert [one.where.tool for one in (first, second, third)] == ["search", "save", "search"]
    assert first.fingerprint == third.fingerprint != second.fingerprint
    assert first.cause == third.cause != second.cause


def test_what_mcp_refuses_is_reported_once_and_only_if_nothing_else_says_so() -> None:
    audio = {"type": "audio"}
    assert rules(success(audio, audio, isError="yes")) == ["ENV-123"]
    assert rules(success(audio, {"type": "table"})) == ["ENV-112"]
    assert rules({**success(audio), "success": 1}) == ["ENV-123", "ENV-107"]
