"""A response finds the one request that it answers, and what is kept of requests is bounded."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from mcp_assay.model.entry import Direction
from mcp_assay.rules.engine.samples import request
from mcp_assay.session.correlation import Cancellations, Pending, RequestOutline
from mcp_assay.spec.revisions import R2025_11_25


class Under(NamedTuple):
    revision: str


WAYS: tuple[Direction | None, ...] = ("c2s", "s2c", None)
UNDER = Under(R2025_11_25)
LONGEST = "x" * 256
TOO_LONG = "x" * 257
PENDING = 100_000


def asked(
    pending: Pending[Under],
    value: dict[str, Any],
    direction: Direction | None = "c2s",
    size: int = 0,
) -> None:
    pending.ask(direction, (value["method"], UNDER, value, 7), size)


@pytest.mark.parametrize("id", [1, 0, -1, "1", "", LONGEST])
@pytest.mark.parametrize(("sender", "answerer"), [("c2s", "s2c"), ("s2c", "c2s"), (None, None)])
def test_an_answer_comes_from_the_other_side_with_the_same_id(
    id: Any, sender: Direction | None, answerer: Direction | None
) -> None:
    pending = Pending[Under]()
    ping = request("ping", id=id)
    asked(pending, ping, sender)
    assert [pending.answered(way, id) for way in WAYS if way != answerer] == [None, None]
    assert pending.answered(answerer, "another") is None
    assert pending.answered(answerer, id) == ("ping", UNDER, ping, 7)
    assert pending.answered(answerer, id) is None


@pytest.mark.parametrize(("id", "other"), [(1, "1"), ("1", 1), (1, True), (1, 1.0), (0, False)])
def test_an_id_of_another_type_is_another_id(id: Any, other: Any) -> None:
    pending = Pending[Under]()
    asked(pending, request("ping", id=id))
    assert pending.answered("s2c", other) is None
    assert pending.answered("s2c", id) is not None


@pytest.mark.parametrize("id", [None, True, 1.0, [1], TOO_LONG])
def test_a_request_with_an_illegible_id_waits_for_nothing(id: Any) -> None:
    pending = Pending[Under]()
    asked(pending, request("ping", id=id))
    assert list(pending.waiting()) == []
    assert pending.answered("s2c", id) is None


@pytest.mark.parametrize(("method", "is_kept"), [(LONGEST, True), (TOO_LONG, False)])
def test_a_request_with_a_very_long_method_is_forgotten(method: str, is_kept: bool) -> None:
    pending = Pending[Under]()
    asked(pending, request(method))
    assert [one.method for one in pending.waiting()] == ([method] if is_kept else [])
    assert pending.forgetful is not is_kept


def test_what_still_waits_is_reported_by_side_and_in_order() -> None:
    pending = Pending[Under]()
    for id, direction in ((1, "s2c"), (2, "c2s"), (3, "c2s")):
        asked(pending, request("ping", id=id), "c2s" if direction == "c2s" else "s2c")
    pending.answered("s2c", 2)
    asked(pending, request("ping", id=2))
    reported = [(one.value["id"], one.direction, one.kind, one.place) for one in pending.waiting()]
    assert reported == [
        (3, "c2s", "request", 7),
        (2, "c2s", "request", 7),
        (1, "s2c", "request", 7),
    ]
    assert {(one.method, one.revision) for one in pending.waiting()} == {("ping", R2025_11_25)}


def test_a_request_is_kept_whole_unless_it_is_large() -> None:
    for size, is_whole in ((0, True), (1 << 14, True), ((1 << 14) + 1, False)):
        pending = Pending[Under]()
        call = request("tools/call", {"name": "save", "arguments": {"text": "tea"}})
        asked(pending, call, size=size)
        (kept,) = pending.waiting()
        assert (kept.value is call) is is_whole
        assert kept.params == ({**call["params"]} if is_whole else {"name": "save"})


def test_of_each_side_the_first_64_requests_are_kept_whole() -> None:
    pending = Pending[Under]()
    for id in range(65):
        asked(pending, request("ping", {"list": []}, id=id))
    asked(pending, request("ping", {"list": []}, id=65), "s2c")
    outlined = [one.value["id"] for one in pending.waiting() if "list" not in one.params]
    assert outlined == [64]


def test_when_very_many_wait_the_oldest_tenth_is_forgotten() -> None:
    pending = Pending[Under]()
    for id in range(PENDING):
        asked(pending, {"id": id, "method": "ping"})
    assert (len(pending.sent["c2s"]), pending.forgetful) == (PENDING, False)
    asked(pending, {"id": PENDING, "method": "ping"})
    assert (len(pending.sent["c2s"]), pending.forgetful) == (PENDING - PENDING // 10 + 1, True)
    assert list(pending.sent["c2s"]) == [*range(PENDING // 10, PENDING + 1)]


def test_an_outline_has_the_short_members_only() -> None:
    value = {
        "id": 1,
        "ratio": 0.5,
        "flag": True,
        "short": LONGEST,
        "long": TOO_LONG,
        "nothing": None,
        "list": [1],
        "params": {
            "name": "save",
            "long": TOO_LONG,
            "object": {"a": 1},
            "_meta": {"progressToken": "t", "long": TOO_LONG, "list": []},
        },
    }
    assert RequestOutline.of(value) == {
        "id": 1,
        "ratio": 0.5,
        "flag": True,
        "short": LONGEST,
        "params": {"name": "save", "_meta": {"progressToken": "t"}},
    }


@pytest.mark.parametrize("params", [None, [], "text", 1])
def test_an_outline_of_odd_params_has_at_most_their_short_value(params: Any) -> None:
    kept = {"params": params} if isinstance(params, str | int) else {}
    assert RequestOutline.of({"id": 1, "params": params}) == {"id": 1, **kept}


def test_an_outline_has_32_members_of_each_object() -> None:
    many = {f"m{n:02}": n for n in range(40)}
    few = {f"m{n:02}": n for n in range(32)}
    outline = RequestOutline.of({"params": {"_meta": many, **many}, **many})
    assert {**outline, "params": {}} == {**{name: few[name] for name in [*few][:31]}, "params": {}}
    assert outline["params"]["_meta"] == few
    assert {**outline["params"], "_meta": {}} == {
        **{name: few[name] for name in [*few][:31]},
        "_meta": {},
    }


def test_a_cancellation_is_of_one_side_and_one_id() -> None:
    cancelled = Cancellations()
    cancelled.add("c2s", 1)
    cancelled.add(None, "x")
    assert cancelled.has("c2s", 1)
    assert cancelled.has(None, "x")
    assert not cancelled.has("s2c", 1)
    assert not cancelled.has("c2s", 2)
    assert not cancelled.has("c2s", "1")


def test_ten_thousand_cancellations_are_remembered() -> None:
    cancelled = Cancellations()
    for id in range(10_001):
        cancelled.add("c2s", id)
    assert cancelled.has("c2s", 9_999)
    assert not cancelled.has("c2s", 10_000)
