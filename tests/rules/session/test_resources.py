"""Updates of resources: what is part of what, and when a subscription begins and ends."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import SessionExample, Step
from mcp_assay.rules.engine.samples import (
    c2s,
    error,
    kept,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.resources import LONGEST_KEPT, MOST_KEPT
from tests.rules.session.playing import JUNK, left_open, reported
from tests.rules.test_scripts import played

OPENED = opening(server={"resources": {"subscribe": True}})
RULE = "RES-009"


def asks(verb: str, uri: Any, id: int = 1) -> list[Step]:
    return [
        c2s(request(f"resources/{verb}", {"uri": uri}, id=id)),
        s2c(result({}, id=id)),
    ]


def update(uri: Any, delivery: Delivery | None = None) -> Step:
    return s2c(
        notification("notifications/resources/updated", {"uri": uri}), delivery or Delivery()
    )


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("file:///a", "file:///a"),
        ("file:///a/", "file:///a"),
        ("file:///a", "file:///a/b/c"),
        ("file:///a/", "file:///a/b"),
        ("note://1", "note://1#line-3"),
        ("note://1", "note://1?page=2"),
        ("https://Notes.Example", "https://notes.example/"),
        ("https://notes.example:443/1", "https://notes.example/1"),
        ("file:///C:/My%20notes", "file:///c%3A/My%20notes/1"),
        ("file:///a/../b", "file:///b"),
        ("note:1", "note:1/2"),
    ],
)
def test_a_subscription_covers_the_parts_of_a_resource(whole: str, part: str) -> None:
    assert reported(OPENED, asks("subscribe", whole), update(part), rules=RULE) == []


@pytest.mark.parametrize(
    ("subscribed", "updated", "severity"),
    [
        ("file:///a", "file:///ab", "error"),
        ("file:///a/b", "file:///a", "error"),
        ("file:///a", "note://a", "error"),
        ("notes://all", "notes://one", "warning"),
    ],
)
def test_another_resource_is_less_certain_where_the_scheme_is_their_own(
    subscribed: str, updated: str, severity: str
) -> None:
    script: SessionExample = kept(OPENED, asks("subscribe", subscribed), update(updated))
    found = [one.severity for _, one in played(script) if one.rule == RULE]
    assert found == [severity]


def test_an_update_may_come_before_the_subscription_is_confirmed() -> None:
    asked, confirmed = asks("subscribe", "file:///a")
    assert reported(OPENED, asked, update("file:///a"), confirmed, rules=RULE) == []


def test_a_refused_unsubscribe_ends_nothing() -> None:
    refused = (asks("unsubscribe", "file:///a", 2)[0], s2c(error(-32603, "No", id=2)))
    steps = (asks("subscribe", "file:///a"), refused, update("file:///a"))
    assert reported(OPENED, *steps, rules=RULE) == []


def test_over_http_an_update_may_have_been_on_its_way() -> None:
    ended = (asks("subscribe", "file:///a", 1), asks("unsubscribe", "file:///a", 2))
    late = update("file:///a", Delivery(exchange=3))
    assert reported(OPENED, *ended, late, rules=RULE) == []
    assert RULE in left_open(OPENED, *ended, late)


def test_who_subscribes_again_is_reported_again() -> None:
    uri = "file:///a"
    steps = (asks("subscribe", uri, 1), asks("unsubscribe", uri, 2), asks("subscribe", uri, 3))
    assert reported(OPENED, *steps, update(uri), rules=RULE) == []


def test_too_many_subscriptions_to_remember_are_left_open() -> None:
    many = [step for id in range(1, MOST_KEPT + 2) for step in asks("subscribe", f"n:{id}", id)]
    assert reported(OPENED, many, update("file:///other"), rules=RULE) == []
    long = "file:///" + "a" * LONGEST_KEPT
    assert reported(OPENED, asks("subscribe", long), update("file:///other"), rules=RULE) == []


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    bare = s2c(notification("notifications/resources/updated", junk))
    steps = (asks("subscribe", junk, 1), asks("unsubscribe", junk, 2), bare, update(junk))
    assert {rule for _, rule in reported(OPENED, *steps, rules=RULE)} <= {RULE}


def test_a_client_may_subscribe_again_before_it_hears_that_it_is_unsubscribed() -> None:
    uri = {"uri": "file:///a"}
    steps = [
        *asks("subscribe", "file:///a", 1),
        c2s(request("resources/unsubscribe", uri, id=2)),
        c2s(request("resources/subscribe", uri, id=3)),
        s2c(result({}, id=2)),
        s2c(result({}, id=3)),
    ]
    assert reported(OPENED, steps, update("file:///a"), rules=RULE) == []
    gone = asks("unsubscribe", "file:///a", 4)
    assert reported(OPENED, steps, gone, update("file:///a"), rules=RULE) == [(11, RULE)]


@pytest.mark.parametrize("uri", ["", ":", "http://[", "//", "%", "%ff", "\x00", "a:b:c", "é://É"])
def test_any_text_can_be_subscribed_to(uri: str) -> None:
    assert reported(OPENED, asks("subscribe", uri), update(uri), rules=RULE) == []


@pytest.mark.parametrize(
    "delivery",
    [
        Delivery(exchange=9),
        Delivery(sse={}),
        Delivery(http={"status": 200}),
        Delivery(transport="http"),
    ],
)
def test_over_http_an_update_may_cross_the_end_of_its_subscription(delivery: Delivery) -> None:
    steps = [*OPENED, *asks("subscribe", "file:///a", 1), *asks("unsubscribe", "file:///a", 2)]
    assert reported(steps, update("file:///a", delivery), rules=RULE) == []
    assert RULE in left_open(steps, update("file:///a", delivery))


def test_an_update_of_a_server_without_subscriptions_is_reported_as_undeclared_alone() -> None:
    opened = opening(server={"resources": {}})
    reported_of = reported(opened, update("file:///a"), rules="RES-009 CAP-006")
    assert [rule for _, rule in reported_of] == ["CAP-006"]
