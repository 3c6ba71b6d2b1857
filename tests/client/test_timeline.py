"""The timeline tells when each message passed, and never trusts what is in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.client.timeline import LONGEST_WORD, Timeline
from mcp_assay.model.entry import Direction, Entry

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "search"}}


def received(direction: Direction, at: float, message: Any, **more: Any) -> Entry:
    text = message if isinstance(message, bytes | None) else json.dumps(message).encode()
    return Entry(direction=direction, at=at, conn="c", text=text, **more)


def forget_suspects(*all: Entry) -> list[tuple[float, str, float | None]]:
    line = Timeline()
    for one in all:
        line.add(one)
    return [(one.at, one.what, one.milliseconds) for one in line.messages()]


def test_an_answer_says_what_it_answers_and_how_long_it_took() -> None:
    assert forget_suspects(
        received("c2s", 100.0, CALL),
        received("s2c", 100.1, {"method": "notifications/message"}),
        received("s2c", 100.25, {"id": 7, "result": {}}),
    ) == [
        (0.0, "tools/call search", None),
        (0.1, "notifications/message", None),
        (0.25, "answer to tools/call search", 250.0),
    ]


def test_questions_of_the_server_are_not_taken_for_ours() -> None:
    said = forget_suspects(
        received("c2s", 1.0, CALL),
        received("s2c", 1.5, {"id": 7, "method": "ping"}),
        received("c2s", 1.75, {"id": 7, "result": {}}),
        received("s2c", 2.0, {"id": 7, "error": {}}),
    )
    assert [what for _, what, _ in said] == [
        "tools/call search",
        "ping",
        "answer to ping",
        "answer to tools/call search",
    ]


@pytest.mark.parametrize(
    ("direction", "message", "what"),
    [
        ("s2c", b"\xff{", "not readable"),
        ("s2c", b"[" * 5000, "not readable"),
        ("s2c", {"id": {}, "result": 1}, "answer"),
        ("s2c", {"id": 99, "result": 1}, "answer"),
        ("s2c", {"id": 1, "method": 5}, "not readable"),
        ("s2c", {"method": "x" * 5000}, "x" * LONGEST_WORD),
        ("c2s", {"id": 1, "method": "a", "params": [1]}, "a"),
        ("c2s", b"not json", "not readable"),
    ],
)
def test_odd_messages_are_reported_as_such(direction: Direction, message: Any, what: str) -> None:
    assert [said for _, said, _ in forget_suspects(received(direction, 1.0, message))] == [what]


def test_a_clock_that_is_set_back_gives_no_time_below_nothing() -> None:
    said = forget_suspects(
        received("c2s", 9.0, CALL), received("s2c", 5.0, {"id": 7, "result": {}})
    )
    assert [(at, took) for at, _, took in said] == [(0.0, None), (0.0, 0.0)]


def test_of_very_many_messages_the_first_are_reported_and_the_rest_counted() -> None:
    line = Timeline(3)
    for number in range(10):
        line.add(received("s2c", number, {"method": "m"}))
        line.add(received("s2c", number, None, end=True))
    assert (len(line.messages()), line.left_out) == (3, 7)
    assert [(limit.name, limit.count) for limit in line.limits()] == [("timed-messages", 7)]


def test_of_a_message_that_was_too_long_its_size_is_reported() -> None:
    line = Timeline()
    line.add(received("s2c", 1.0, None, unread=10**9))
    (one,) = line.messages()
    assert (one.bytes, one.what) == (10**9, "too long to be named")
