"""Subscriptions: what a client listens for, and what must not be taken for a fault."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import NO_DELIVERY, Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import PREFIX, c2s, modern_request, notification, s2c
from tests.rules.session.playing import JUNK, left_open, reported

ID = f"{PREFIX}subscriptionId"
TOOLS = "notifications/tools/list_changed"
UPDATED = "notifications/resources/updated"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def listen(id: Any = 7, delivery: Delivery = NO_DELIVERY, **wanted: Any) -> Step:
    return c2s(modern_request("subscriptions/listen", {"notifications": wanted}, id=id), delivery)


def sent(method: str, id: Any = 7, delivery: Delivery = NO_DELIVERY, **params: Any) -> Step:
    return s2c(notification(method, {"_meta": {ID: id}, **params}), delivery)


def granted(id: Any = 7, **filter: Any) -> Step:
    return sent(ACKNOWLEDGED, id, notifications=filter)


def test_two_subscriptions_are_distinguished_by_the_type_of_their_ids() -> None:
    steps = [
        listen(1, toolsListChanged=True),
        listen("1", promptsListChanged=True),
        granted("1", promptsListChanged=True),
        granted(1, toolsListChanged=True),
        sent(TOOLS, 1),
        sent(TOOLS, "1"),
    ]
    assert reported(steps, rules="SUB") == [(5, "SUB-003")]


@pytest.mark.parametrize(
    ("uri", "known"),
    [("file:///a", True), ("file:///a/b.txt", True), ("file:///b", False)],
)
def test_parts_of_a_resource_belong_to_it(uri: str, known: bool) -> None:
    steps = [
        listen(resourceSubscriptions=["file:///a"]),
        granted(resourceSubscriptions=["file:///a"]),
        sent(UPDATED, uri=uri),
    ]
    assert reported(steps, rules="SUB") == ([] if known else [(2, "SUB-005")])


def test_a_server_may_grant_less_than_was_asked_for() -> None:
    steps = [listen(toolsListChanged=True, promptsListChanged=True), granted(toolsListChanged=True)]
    assert reported(steps, rules="SUB") == []


def test_a_subscription_of_another_connection_is_not_unknown() -> None:
    over_http = Delivery(transport="http", exchange=3)
    begun = [listen(toolsListChanged=True), granted(toolsListChanged=True)]
    assert reported(begun, sent(TOOLS, 99, over_http), rules="SUB") == []
    assert reported(begun, sent(TOOLS, 99), rules="SUB", partial=True) == []
    assert reported(begun, sent(TOOLS, 99), rules="SUB") == [(2, "SUB-002")]
    assert "SUB-002" in left_open(begun, sent(TOOLS, 99), partial=True)


def test_a_client_that_closes_the_stream_has_ended_it_itself() -> None:
    stream = Delivery(transport="http", exchange=3)
    closed = Delivery(transport="http", exchange=3, end=True)
    begun = [listen(delivery=stream, toolsListChanged=True)]
    assert reported(begun, c2s(delivery=closed), rules="SUB") == []
    assert reported(begun, s2c(delivery=closed), rules="SUB") == []
    assert "SUB-008" in left_open(begun, s2c(delivery=closed))


def test_a_pipe_is_closed_by_the_side_whose_end_comes_first() -> None:
    closed = Delivery(transport="stdio", end=True)
    begun = [listen(toolsListChanged=True), granted(toolsListChanged=True)]
    assert reported(begun, s2c(delivery=closed), rules="SUB") == [(2, "SUB-008")]
    assert reported(begun, c2s(delivery=closed), s2c(delivery=closed), rules="SUB") == []


def test_over_http_clients_may_listen_under_the_same_id() -> None:
    one, other = (Delivery(transport="http", exchange=key) for key in (1, 2))
    steps = [
        listen(delivery=one, toolsListChanged=True),
        sent(ACKNOWLEDGED, delivery=one, notifications={"toolsListChanged": True}),
        listen(delivery=other, promptsListChanged=True),
        sent(ACKNOWLEDGED, delivery=other, notifications={"promptsListChanged": True}),
        sent(TOOLS, delivery=one),
    ]
    assert reported(steps, rules="SUB") == []
    assert reported(steps, sent(TOOLS, delivery=other), rules="SUB") == [(5, "SUB-003")]


def test_a_uri_may_be_spelt_otherwise_than_the_client_did() -> None:
    steps = [
        listen(resourceSubscriptions=["https://Notes.example"]),
        granted(resourceSubscriptions=["https://notes.example/"]),
        sent(UPDATED, uri="https://notes.example:443/1"),
    ]
    assert reported(steps, rules="SUB") == []


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_is_borne(junk: Any) -> None:
    steps = [
        c2s(modern_request("subscriptions/listen", {"notifications": junk}, id=7)),
        listen(junk, toolsListChanged=junk, resourceSubscriptions=junk),
        granted(junk, toolsListChanged=junk, resourceSubscriptions=junk),
        sent(ACKNOWLEDGED, notifications=junk),
        sent(TOOLS, junk),
        sent(UPDATED, uri=junk),
        s2c(notification(TOOLS, junk)),
    ]
    wanted = [listen(50, promptsListChanged=True), granted(50, promptsListChanged=True)]
    assert reported(steps, wanted, sent(TOOLS, 50), rules="SUB")[-1] == (len(steps) + 2, "SUB-003")
