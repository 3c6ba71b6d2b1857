"""Lists and calls must not depend on the connection: played servers keep state of many kinds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.probe import Anew, Ask, OpenStep, Reply, Step
from mcp_assay.rules import load
from mcp_assay.rules.probe.lists import lists_stay_the_same
from mcp_assay.rules.probe.rule import Known, StartDialogue
from mcp_assay.rules.probe.versions import fresh_connection
from mcp_assay.spec.revisions import R2026_07_28

load("probe")
READS = {"readOnlyHint": True}
HOURS = {"name": "hours", "inputSchema": {"type": "object"}, "annotations": READS}
REFUSED = Reply(error={"code": -32600, "message": "Not initialized"})
FAILED = Reply(result={"content": [{"type": "text", "text": "Log in first"}], "isError": True})
DONE = Reply(result={"content": [{"type": "text", "text": "9 to 17"}]})


class Played:
    """A server, as a probe sees it: connections, the requests on each, and those of all time."""

    def __init__(self) -> None:
        self.connection = self.asked_here = self.asked = self.calls_here = self.calls = 0
        self.opened: list[bool] = []
        """Of every connection, whether it began with a handshake."""

    def begin(self, step: Anew) -> None:
        self.connection += 1
        self.asked_here = self.calls_here = 0
        self.opened.append(step.with_handshake)

    def note(self, step: Ask) -> None:
        self.asked += 1
        self.asked_here += 1
        is_call = step.method == "tools/call"
        self.calls += is_call
        self.calls_here += is_call


Behaviour = Callable[[Played, Ask], Reply]


def listed(*names: str) -> Reply:
    return Reply(result={"tools": [{**HOURS, "name": name} for name in names]})


def lists(choose: Callable[[Played], tuple[str, ...]]) -> Behaviour:
    return lambda it, step: DONE if step.method == "tools/call" else listed(*choose(it))


def by_request(*forms: tuple[str, ...]) -> Behaviour:
    """One list after the other, whoever asks."""
    return lists(lambda it: forms[it.asked % len(forms)])


def known(*names: str) -> Known:
    tools = [{**HOURS, "name": name} for name in names]
    return Known(
        revision=R2026_07_28,
        offered=[R2026_07_28],
        capabilities={"tools": {}},
        tools=tools,
        callable=list(names),
    )


def outcome(start: StartDialogue, behaviour: Behaviour, server: Known, rule: str) -> str:
    """What becomes of a rule on such a server."""
    played, dialogue = Played(), start(server)

    def reply(step: Step) -> Reply:
        if isinstance(step, Anew):
            played.begin(step)
            return Reply()
        assert isinstance(step, Ask)
        played.note(step)
        return behaviour(played, step)

    try:
        step = next(dialogue)
        for _ in range(100):
            step = dialogue.send(reply(step))
    except StopIteration as end:
        said = {one.rule: one for one in end.value}
        found = said.get(rule)
        if found is None:
            return "passed"
        return found.outcome if isinstance(found, OpenStep) else "failed"
    raise AssertionError("the dialogue has no end")


A, B, C = ("hours", "prices"), ("hours", "prices", "seats"), ("hours",)


def shuffled(seed: int) -> Behaviour:
    """Two instances, of which any may answer."""
    chance = random.Random(seed)
    order = [A, B, *(chance.choice((A, B)) for _ in range(5)), A, B, A, B]
    return lists(lambda it: order[min(it.asked, len(order)) - 1])


LISTS: dict[str, tuple[Behaviour, str]] = {
    "two in turns": (by_request(A, B), "failed"),
    "three in turns": (by_request(A, B, C), "failed"),
    "two, of which one comes twice as often": (by_request(A, B, A), "failed"),
    "another one on every second connection": (
        lists(lambda it: A if it.connection % 2 else B),
        "failed",
    ),
    "more after a call": (lists(lambda it: B if it.calls_here else A), "failed"),
    "fewer after a call": (lists(lambda it: C if it.calls_here else A), "failed"),
    "two, of which any answers": (shuffled(1), "failed"),
    "always the same": (lists(lambda it: A), "passed"),
    "in another order": (lists(lambda it: A if it.asked % 2 else A[::-1]), "passed"),
    "changed once for all": (lists(lambda it: A if it.asked < 2 else B), "undecided"),
    "changed for all by a call": (lists(lambda it: B if it.calls else A), "undecided"),
    "growing": (
        lists(lambda it: (*A, *(f"tool-{number}" for number in range(it.asked)))),
        "undecided",
    ),
    "no answer": (lambda it, step: Reply(ending="timed_out"), "undecided"),
    "changed, and changed back": (lists(lambda it: B if it.asked == 2 else A), "undecided"),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_depends_on_who_answers_is_told(name: str) -> None:
    behaviour, expected = LISTS[name]
    before = behaviour(Played(), Ask("tools/list")).result or {"tools": []}
    server = known(*(tool["name"] for tool in before["tools"]))
    assert outcome(lists_stay_the_same, behaviour, server, "TOOL-031") == expected


def state(is_refused: Callable[[Played, Ask], bool], refusal: Reply = REFUSED) -> Behaviour:
    """A server that serves all but some requests."""

    def behaviour(it: Played, step: Ask) -> Reply:
        if is_refused(it, step):
            return refusal
        return DONE if step.method == "tools/call" else listed("hours")

    return behaviour


def is_call(step: Ask) -> bool:
    return step.method == "tools/call"


CALLS: dict[str, tuple[Behaviour, str]] = {
    "a list needs another request before": (
        state(lambda it, step: bool(it.connection) and it.asked_here == 1),
        "undecided",
    ),
    "a list needs a handshake": (
        state(lambda it, _: it.opened[-1:] == [False]),
        "failed",
    ),
    "a call needs a handshake": (
        state(lambda it, step: is_call(step) and it.opened[-1:] == [False]),
        "failed",
    ),
    "a call needs a list before": (
        state(lambda it, step: is_call(step) and it.asked_here == 1),
        "failed",
    ),
    "a call says so without a JSON-RPC error": (
        state(lambda it, step: is_call(step) and it.asked_here == 1, FAILED),
        "failed",
    ),
    "the first request of a connection is cut": (
        state(lambda it, _: it.opened[-1:] == [False], Reply(ending="http_status", status=400)),
        "failed",
    ),
    "nothing": (state(lambda it, _: False), "passed"),
    "one connection fails": (state(lambda it, _: it.connection == 1), "undecided"),
    "calls never succeed": (state(lambda it, step: is_call(step)), "undecided"),
    "lists never come": (state(lambda it, step: not is_call(step)), "undecided"),
    "slow on a new connection": (
        state(lambda it, _: it.opened[-1:] == [False], Reply(ending="timed_out")),
        "undecided",
    ),
    "later calls of a connection fail": (
        state(lambda it, step: is_call(step) and it.calls_here > 1),
        "passed",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_request_that_needs_others_before_is_told(name: str) -> None:
    behaviour, expected = CALLS[name]
    assert outcome(fresh_connection, behaviour, known("hours"), "VER-014") == expected


@pytest.mark.parametrize("change", [{"callable": []}, {"tools": []}])
def test_without_a_call_it_is_not_passed(change: dict[str, Any]) -> None:
    behaviour, _ = CALLS["nothing"]
    server = replace(known("hours"), **change)
    assert outcome(fresh_connection, behaviour, server, "VER-014") == "undecided"
