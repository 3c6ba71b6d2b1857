"""Ids, answers and their absence: distinguished by side, value and JSON type."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import END
from mcp_assay.rules.engine.samples import (
    c2s,
    error,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.session.ids import IdBudget, Ids
from tests.rules.session.playing import left_open, reported

TOOLS: dict[str, Any] = {"tools": {}}
EMPTY: dict[str, Any] = {"tools": []}


def test_both_sides_may_use_the_same_ids() -> None:
    lines = [c2s(request("ping", id=1)), s2c(request("ping", id=1))]
    answers = [c2s(result({}, id=1)), s2c(result({}, id=1))]
    assert reported(opening(), lines, answers, rules="JSONRPC") == []


@pytest.mark.parametrize("id", [1, "1", "a-1", "7f0c", -3, 10**15], ids=repr)
def test_every_kind_of_id_is_known_again(id: Any) -> None:
    exchange = [c2s(request("ping", id=id)), s2c(result({}, id=id))]
    found = reported(opening(), exchange, exchange, rules="JSONRPC")
    assert found == [(5, "JSONRPC-021")]


def test_an_answer_after_a_message_that_nobody_could_read_may_be_its_own() -> None:
    lines = [c2s(b'{"jsonrpc":"2.0","id":5,"method":"ping",}'), s2c(result({}, id=5))]
    assert reported(opening(), lines, rules="JSONRPC-02") == []
    assert "JSONRPC-023" in left_open(opening(), lines)


def test_a_gap_makes_a_session_partial_from_there_on() -> None:
    lines = [c2s(delivery=Delivery(lost=1)), s2c(result({}, id=5)), c2s(request("ping", id=6))]
    assert reported(opening(), lines, rules="JSONRPC") == []


def test_requests_of_a_closed_connection_owe_no_answer() -> None:
    asked = c2s(request("ping", id=1))
    assert reported(opening(), asked, rules="JSONRPC") == [(END, "JSONRPC-026")]
    assert reported(opening(), asked, s2c(delivery=Delivery(end=True)), rules="JSONRPC") == []


def test_a_cancelled_request_owes_no_answer() -> None:
    lines = [
        c2s(request("tools/list", id=1)),
        c2s(notification("notifications/cancelled", {"requestId": 1})),
    ]
    assert reported(opening(server=TOOLS), lines, rules="JSONRPC") == []


def test_over_http_only_a_session_id_holds_the_requests_of_a_client_together() -> None:
    delivery = Delivery(transport="http", exchange=1)
    exchange = [c2s(request("ping", id=1), delivery), s2c(result({}, id=1), delivery)]
    assert reported(opening(), exchange, exchange, rules="JSONRPC") == []
    assert "JSONRPC-021" in left_open(opening(), exchange, exchange)


def test_a_second_answer_is_reported_from_one_to_nobody() -> None:
    lines = [
        c2s(request("tools/list", id=1)),
        s2c(result(EMPTY, id=1)),
        s2c(result(EMPTY, id=1)),
        s2c(error(-32000, "Busy", id=2)),
    ]
    found = reported(opening(server=TOOLS), lines, rules="JSONRPC")
    assert found == [(5, "JSONRPC-024"), (6, "JSONRPC-023")]


IDS: list[int | str] = [
    *range(20),
    *map(str, range(20)),
    *(f"a-{number}" for number in range(20)),
    *("x", "01", "a-007", -3, "", "é9", "9" * 30),
]


@pytest.mark.parametrize("seed", range(100))
def test_ids_are_known_exactly_in_whatever_order_they_come(seed: int) -> None:
    rng, ids, seen = Random(seed), Ids(IdBudget()), set[tuple[type, int | str]]()
    for id in rng.choices(IDS, k=80):
        assert ids.add(id) == ((type(id), id) in seen)
        seen.add((type(id), id))
    assert [id in ids for id in IDS] == [(type(id), id) in seen for id in IDS]


def test_counted_ids_take_no_room_and_others_give_it_back() -> None:
    room = IdBudget(10)
    ids = Ids(room)
    assert not any(ids.add(number) or ids.add(f"r{number}") for number in range(1000))
    assert room.left == 10
    assert not any(ids.add(f"{number}-") for number in range(20))
    assert (room.left, room.refused, ids.forgetful) == (0, 10, True)
    ids.release()
    assert room.left == 10
