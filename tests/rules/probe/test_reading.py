"""What can be said of a resource or prompt by what came when it was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.probe import Reply
from mcp_assay.rules.probe.reads import Having, ReadOutcome, get_prompt, read_filled_in, read_listed

URI = "library://hours"
ERROR = Reply(error={"code": -32603, "message": "Internal error"})
MESSAGE = {"role": "user", "content": {"type": "text", "text": "Hello"}}


def came(*contents: Any) -> Reply:
    return Reply(result={"contents": list(contents)})


def text(words: str, uri: str = URI) -> Reply:
    return came({"uri": uri, "text": words})


def listed(size: int) -> Reply:
    return Reply(result={"resources": [{"uri": URI, "name": "hours", "size": size}]})


def had(having: Having, *replies: Reply) -> ReadOutcome:
    """What a dialogue says in the end; every reply is used."""
    next(having)
    for number, reply in enumerate(replies):
        try:
            having.send(reply)
        except StopIteration as end:
            assert number == len(replies) - 1
            result: ReadOutcome = end.value
            return result
    raise AssertionError("the dialogue wants more replies")


def rules(had: ReadOutcome) -> list[str]:
    return [found.rule for found in had.faults]


@pytest.mark.parametrize(
    ("reply", "status", "broken"),
    [
        (text("9 to 17"), "fully_working", []),
        (text("9 to 17", "library://hours/monday"), "fully_working", []),
        (text("9 to 17", "LIBRARY://hours/"), "fully_working", []),
        (came({"uri": URI, "blob": "AAEC"}), "fully_working", []),
        (text("9 to 17", "library://hoursandmore"), "partially_working", ["RES-011"]),
        (came({"uri": URI, "blob": "not base64"}), "partially_working", []),
        (came({"uri": URI}), "partially_working", []),
        (came({"text": "9 to 17"}), "partially_working", []),
        (came("9 to 17"), "partially_working", []),
        (came(), "unproven", []),
        (Reply(result={"text": "9 to 17"}), "broken", []),
        (ERROR, "broken", ["RES-011"]),
        (Reply(ending="died"), "broken", ["RESP-020"]),
        (Reply(ending="timed_out"), "broken", ["RESP-020"]),
        (Reply(ending="http_status", status=503), "unproven", []),
        (Reply(ending="http_status", status=400), "broken", ["RES-011"]),
        (Reply(unread=3_000_000), "unproven", []),
        (Reply(result={"resultType": "input_required"}), "unproven", []),
    ],
)
def test_a_listed_resource_is_judged_by_its_read(
    reply: Reply, status: str, broken: list[str]
) -> None:
    verdict = had(read_listed({"uri": URI, "name": "hours"}), reply)
    assert (verdict.status, rules(verdict)) == (status, broken)
    assert verdict.reason


@pytest.mark.parametrize(
    ("reply", "status", "broken"),
    [
        (text("9 to 17"), "fully_working", []),
        (ERROR, "unproven", []),
        (Reply(ending="died"), "broken", ["RESP-020"]),
    ],
)
def test_a_made_up_uri_may_be_refused(reply: Reply, status: str, broken: list[str]) -> None:
    verdict = had(read_filled_in(URI), reply)
    assert (verdict.status, rules(verdict)) == (status, broken)


@pytest.mark.parametrize(
    ("size", "content"),
    [
        (7, {"text": "9 to 17"}),
        (7, {"text": "9 → 5"}),
        (3, {"blob": "AAEC"}),
        (1, {"blob": "AA=="}),
        (10, {"text": "9 to 17"}),
        (10, {"text": "9\nto 17\n"}),
    ],
)
def test_a_size_may_count_what_texts_lose(size: int, content: dict[str, str]) -> None:
    resource = {"uri": URI, "name": "hours", "size": size}
    verdict = had(read_listed(resource), came({"uri": URI, **content}))
    assert (verdict.status, rules(verdict)) == ("fully_working", [])


def test_a_size_that_differs_twice_is_reported() -> None:
    resource = {"uri": URI, "name": "hours", "size": 3}
    verdict = had(read_listed(resource), text("9 to 17"), listed(3), text("9 to 17"))
    assert (verdict.status, rules(verdict)) == ("partially_working", ["RES-005"])


@pytest.mark.parametrize(
    "replies",
    [
        (text("9 to 17"), listed(3), text("9 to 18.30")),
        (text("9 to 17"), listed(7), text("9 to 17")),
    ],
)
def test_a_resource_that_changes_has_no_wrong_size(replies: tuple[Reply, ...]) -> None:
    verdict = had(read_listed({"uri": URI, "name": "hours", "size": 3}), *replies)
    assert (verdict.status, rules(verdict)) == ("fully_working", [])


@pytest.mark.parametrize(
    ("arguments", "reply", "status", "broken"),
    [
        ({}, Reply(result={"messages": [MESSAGE]}), "fully_working", []),
        ({}, Reply(result={"messages": [{"role": "user"}]}), "partially_working", []),
        ({}, Reply(result={"messages": [{**MESSAGE, "role": "system"}]}), "partially_working", []),
        ({}, Reply(result={"messages": []}), "broken", ["RESP-021"]),
        ({}, Reply(result={}), "broken", []),
        ({}, ERROR, "broken", ["RESP-021"]),
        ({"mood": "example"}, ERROR, "unproven", []),
        ({"mood": "example"}, Reply(ending="timed_out"), "broken", ["RESP-020"]),
    ],
)
def test_a_prompt_is_judged_by_what_comes(
    arguments: dict[str, str], reply: Reply, status: str, broken: list[str]
) -> None:
    verdict = had(get_prompt("recommend", arguments), reply)
    assert (verdict.status, rules(verdict)) == (status, broken)
