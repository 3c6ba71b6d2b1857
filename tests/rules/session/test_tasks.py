"""Tasks: how they begin, which steps they may take, and what stays open."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import PREFIX, c2s, notification, opening, request, s2c
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.message.patterns import TASK
from mcp_assay.session.tasks import FINAL, MOST_KEPT, STATUSES
from tests.rules.session.playing import JUNK, decided, left_open, reported

CAN: dict[str, Any] = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
OPENED = opening(server=CAN)
TEXT: dict[str, Any] = {"content": []}
SESSION = "TASK-002 TASK-003 TASK-004 TASK-009"


def listed(support: Any) -> list[Step]:
    tool = {"name": "report", "inputSchema": {"type": "object"}}
    tool |= {"execution": {"taskSupport": support}}
    return [c2s(request("tools/list", id=1)), s2c(answer({"tools": [tool]}, id=1))]


def made(given: Any = None, id: int = 2, task_id: Any = "task-7") -> list[Step]:
    given = {"task": {**TASK, "taskId": task_id}} if given is None else given
    asked = request("tools/call", {"name": "report", "task": {}}, id=id)
    return [c2s(asked), s2c(answer(given, id=id))]


def status(value: Any, delivery: Delivery | None = None, **more: Any) -> Step:
    params = {**TASK, "status": value, **more}
    return s2c(notification("notifications/tasks/status", params), delivery or Delivery())


def delivered(given: dict[str, Any], id: int = 5) -> list[Step]:
    meta = {"_meta": {f"{PREFIX}related-task": {"taskId": "task-7"}}}
    return [
        c2s(request("tasks/result", {"taskId": "task-7"}, id=id)),
        s2c(answer({**meta, **given}, id=id)),
    ]


@pytest.mark.parametrize(
    ("support", "rules"),
    [("optional", ["TASK-002"]), ("required", ["TASK-002"]), ("forbidden", []), (None, [])],
)
def test_only_a_tool_that_says_so_owes_a_task(support: Any, rules: list[str]) -> None:
    found = reported(OPENED, listed(support), made(TEXT), rules=SESSION)
    assert [rule for _, rule in found] == rules


def test_a_server_without_the_capability_answers_as_always() -> None:
    steps = (opening(server={"tools": {}}), listed("optional"), made(TEXT))
    assert reported(*steps, rules=SESSION) == []
    assert "TASK-002" in left_open(*steps)


def test_a_client_that_makes_tasks_owes_one() -> None:
    able: dict[str, Any] = {
        "sampling": {},
        "tasks": {"requests": {"sampling": {"createMessage": {}}}},
    }
    params = {"messages": [], "maxTokens": 9, "task": {}}
    given = {"role": "assistant", "content": {"type": "text", "text": ""}, "model": "m"}
    steps = (s2c(request("sampling/createMessage", params)), c2s(answer(given)))
    assert reported(opening(client=able), *steps, rules=SESSION) == [(4, "TASK-002")]
    assert reported(opening(client={"sampling": {}}), *steps, rules=SESSION) == []


@pytest.mark.parametrize(("before", "after"), sorted(product(STATUSES, STATUSES)))
def test_only_a_final_status_admits_no_other(before: str, after: str) -> None:
    found = reported(OPENED, made(), status(before), status(after), rules=SESSION)
    assert found == ([(6, "TASK-003")] if before in FINAL and after != before else [])


def test_a_status_that_was_written_earlier_is_no_step_back() -> None:
    steps = (
        OPENED,
        made(),
        status("completed", lastUpdatedAt="2025-11-25T10:30:09Z"),
        status("working", lastUpdatedAt="2025-11-25T10:30:05Z"),
    )
    assert reported(*steps, rules=SESSION) == []
    assert "TASK-003" in left_open(*steps)


def test_over_http_a_status_may_be_overtaken_by_another() -> None:
    overtaken = status("working", Delivery(exchange=3))
    assert reported(OPENED, made(), status("completed"), overtaken, rules=SESSION) == []
    later = status("working", Delivery(exchange=3), lastUpdatedAt="2025-11-25T10:30:59Z")
    found = reported(OPENED, made(), status("completed"), later, rules=SESSION)
    assert found == [(6, "TASK-003")]


def test_lists_report_the_status_of_each_task() -> None:
    asks = c2s(request("tasks/list", id=6))
    reports = s2c(answer({"tasks": ["?", TASK, {**TASK, "taskId": "other"}]}, id=6))
    steps = (opening(server={**CAN, "tasks": {**CAN["tasks"], "list": {}}}), made())
    assert reported(*steps, status("failed"), asks, reports, rules=SESSION) == [(7, "TASK-003")]


def test_tasks_of_the_two_sides_may_have_the_same_id() -> None:
    able: dict[str, Any] = {
        "sampling": {},
        "tasks": {"requests": {"sampling": {"createMessage": {}}}},
    }
    params = {"messages": [], "maxTokens": 9, "task": {}}
    theirs = (s2c(request("sampling/createMessage", params)), c2s(answer({"task": TASK})))
    assert reported(opening(server=CAN, client=able), made(), *theirs, rules=SESSION) == []


def test_a_status_may_come_before_the_answer_that_makes_the_task() -> None:
    asked, answered = made()
    assert reported(OPENED, asked, status("working"), answered, rules=SESSION) == []


def test_a_result_may_be_fetched_twice() -> None:
    steps = (made(), delivered(TEXT, 5), delivered(TEXT, 6), status("completed"))
    assert reported(OPENED, *steps, rules=SESSION) == []


def test_the_result_of_an_unknown_task_is_left_open() -> None:
    steps = (OPENED, delivered({}))
    assert reported(*steps, rules=SESSION) == []
    assert "TASK-009" in left_open(*steps)
    assert "TASK-009" not in decided(*steps)


def test_too_many_tasks_to_remember_give_no_findings() -> None:
    many = [step for id in range(2, MOST_KEPT + 10) for step in made(None, id, f"t{id}")]
    again = made(None, 99_999, f"t{MOST_KEPT + 5}")
    assert reported(OPENED, many, again, rules=SESSION) == []
    assert reported(OPENED, many, made(None, 99_999, "t2"), rules=SESSION) != []


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    strange = (
        listed(junk),
        [c2s(request("tools/list", id=11)), s2c(answer({"tools": junk}, id=11))],
        made({"task": junk}, 12),
        made({"task": {"taskId": junk, "status": junk}}, 13),
        [c2s(request("tools/call", {"task": junk}, id=14)), s2c(answer(junk, id=14))],
        [c2s(request("tasks/get", junk, id=15)), s2c(answer(junk, id=15))],
        [c2s(request("tasks/list", junk, id=16)), s2c(answer({"tasks": junk}, id=16))],
        [c2s(request("tasks/result", {"taskId": junk}, id=17)), s2c(answer(junk, id=17))],
        status(junk, lastUpdatedAt=junk),
        s2c(notification("notifications/tasks/status", junk)),
    )
    assert reported(OPENED, *strange, rules=SESSION) == []
