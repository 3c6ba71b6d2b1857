"""The older transport HTTP+SSE: its own rules apply, and those of Streamable HTTP do not."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery, Transport
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    initialize,
    initialized,
    notification,
    request,
    result,
    s2c,
)
from tests.rules.session.playing import decided, left_open, reported

RULES = "SSE"
LIST: dict[str, Any] = {"tools": []}


def opened(transport: Transport | None = "sse", endpoint: bytes | None = None) -> list[Step]:
    asked = {"method": "GET", "path": "/sse", "request_headers": {"Accept": "text/event-stream"}}
    head = {"status": 200, "response_headers": {"Content-Type": "text/event-stream"}}
    sse = {"event": "endpoint"}
    return [
        c2s(delivery=Delivery(transport=transport, exchange=0, http=asked)),
        s2c(endpoint, Delivery(transport=transport, exchange=0, http=head, sse=sse)),
    ]


def sent(message: Any, exchange: int, transport: Transport | None = "sse", **http: Any) -> Step:
    known = {"method": "POST", "path": "/messages", "status": 202, "request_headers": {}, **http}
    return c2s(message, Delivery(transport=transport, exchange=exchange, http=known))


def reported_by_server(message: Any, transport: Transport | None = "sse", **sse: Any) -> Step:
    return s2c(message, Delivery(transport=transport, exchange=0, sse={"event": "message", **sse}))


def exchanged(revision: str, transport: Transport | None = "sse") -> list[Step]:
    return [
        sent(initialize(revision=revision), 1, transport),
        reported_by_server(initialized({"tools": {}}, revision), transport),
        sent(notification("notifications/initialized"), 2, transport),
        sent(request("tools/list"), 3, transport),
        reported_by_server(result(LIST), transport),
    ]


@pytest.mark.parametrize("transport", ["sse", None])
def test_the_older_transport_is_judged_by_its_own_rules(transport: Transport | None) -> None:
    steps = [*opened(transport), *exchanged("2024-11-05", transport)]
    assert reported(steps, rules="HTTP SSE") == []
    assert {"SSE-002", "SSE-003", "SSE-004"} <= decided(steps)


def test_under_a_newer_revision_it_is_deprecated_and_said_once() -> None:
    steps = [*opened(), *exchanged("2025-11-25")]
    assert reported(steps, rules="HTTP SSE") == [(4, "SSE-004")]


def test_the_first_event_is_the_endpoint() -> None:
    first = s2c(delivery=Delivery(transport="sse", exchange=0, sse={"event": "message"}))
    assert reported([opened()[0], first], rules=RULES) == [(1, "SSE-001")]
    assert reported([opened()[0], first], rules=RULES, partial=True) == [(1, "SSE-001")]


@pytest.mark.parametrize("type", [None, "", "message"])
def test_message_is_the_type_of_an_event_without_one(type: str | None) -> None:
    steps = [*opened(), sent(initialize(revision="2024-11-05"), 1)]
    assert (
        reported(steps, reported_by_server(initialized({}, "2024-11-05"), event=type), rules=RULES)
        == []
    )


@pytest.mark.parametrize("data", [b"hello", b"7", b"null"])
def test_the_data_of_a_message_is_json(data: bytes) -> None:
    assert reported(opened(), reported_by_server(data), rules=RULES) == [(2, "SSE-002")]


def test_messages_are_posted_to_the_path_that_the_server_gave() -> None:
    given = opened(endpoint=b"/messages/?session=1")
    steps = [*given, sent(initialize(revision="2024-11-05"), 1)]
    assert reported(steps, rules=RULES) == []
    elsewhere = [*given, sent(initialize(revision="2024-11-05"), 1, path="/other")]
    assert reported(elsewhere, rules=RULES) == [(2, "SSE-003")]


def test_where_the_path_is_not_known_it_stays_open() -> None:
    steps = [*opened(), *exchanged("2024-11-05")]
    assert "SSE-003" in left_open(steps)
