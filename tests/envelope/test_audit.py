"""The auditor: it tells what is wrong, changes nothing, and cannot break anything."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import logging
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from mcp_assay.envelope import audit_mcp_response, to_call_tool_result, wrap_with_audit
from mcp_assay.envelope.audit import MOST_RESPONSE_SHOWN
from mcp_assay.rules.envelope.rule import IMAGE, failure, success, text, without
from tests.envelope.odd_values import Stubborn

NO_OBJECT = ["Missing success field", "Missing content array", "Missing timestamp"]


def issues(response: Any) -> list[str]:
    events: list[dict[str, Any]] = []
    audit_mcp_response("search", response, events.append)
    return [issue for event in events for issue in event["issues"]]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({}, NO_OBJECT),
        (None, NO_OBJECT),
        ("text", NO_OBJECT),
        ({**success(), "success": "true"}, ["Missing success field"]),
        ({**success(), "content": {}}, ["Missing content array"]),
        ({**success(), "content": []}, ["Empty content array"]),
        (success(text("a"), {}), ["Content item 1 missing type field"]),
        ({**success(), "timestamp": ""}, ["Missing timestamp"]),
        (without(failure(), "error", "isError"), ["Error response missing error object"]),
        (
            {"content": [{}, {"type": ""}], "success": 1},
            [
                "Missing success field",
                "Content item 0 missing type field",
                "Content item 1 missing type field",
                "Missing timestamp",
            ],
        ),
        (
            {**success({"type": "text"}), "timestamp": 7},
            [
                "The text of a text item is missing; that breaks the profile and MCP.",
                "timestamp is an integer, not a string; that breaks the profile, not MCP.",
            ],
        ),
        (success(None), ["Content item 0 missing type field"]),
    ],
)
def test_each_issue_has_its_name(response: Any, expected: list[str]) -> None:
    assert sorted(issues(response)) == sorted(expected)


def test_the_issues_with_fixed_names_come_first_in_their_order() -> None:
    assert issues({"content": [{"type": "text"}]}) == [
        "Missing success field",
        "Missing timestamp",
        "The text of a text item is missing; that breaks the profile and MCP.",
    ]


@pytest.mark.parametrize(
    "response", [success(), failure(), success(IMAGE), without(failure(), "isError")]
)
def test_no_event_is_made_of_a_response_that_keeps_the_profile(response: Any) -> None:
    assert issues(response) == []


def test_hints_and_what_breaks_mcp_alone_are_still_given_back() -> None:
    assert [one.rule for one in audit_mcp_response("t", success(IMAGE))] == ["ENV-113"]


def test_issues_are_logged_and_reported_with_the_response(caplog: pytest.LogCaptureFixture) -> None:
    events: list[dict[str, Any]] = []
    with caplog.at_level(logging.WARNING, "mcp_assay.envelope"):
        audit_mcp_response("search", {**success(), "content": []}, events.append)
    assert caplog.messages == ["MCP response format issues in search: ['Empty content array']"]
    [event] = events
    assert event["event"] == "mcp_response_format_issue"
    assert event["toolName"] == "search"
    assert json.loads(event["response"]) == {**success(), "content": []}


def test_the_response_is_shown_without_its_secrets_and_not_at_length() -> None:
    events: list[dict[str, Any]] = []
    response = {"password": "hunter2hunter2", "notes": "tea" * MOST_RESPONSE_SHOWN}
    audit_mcp_response("search", response, events.append)
    assert "hunter2" not in events[0]["response"]
    assert len(events[0]["response"].encode()) == MOST_RESPONSE_SHOWN


CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE
DEEP: list[Any] = []
for _ in range(5_000):
    DEEP = [DEEP]


@pytest.mark.parametrize("response", [CYCLE, DEEP, b"x", Stubborn(), {1: 2}, "\ud800", 10**400])
def test_the_auditor_survives_every_response(response: Any) -> None:
    events: list[dict[str, Any]] = []
    assert audit_mcp_response("search", response, events.append)
    assert isinstance(events[0]["response"], str)


def test_a_sink_that_fails_breaks_nothing() -> None:
    def fail(event: dict[str, Any]) -> None:
        raise RuntimeError("no monitoring today")

    assert audit_mcp_response("search", None, fail)


@pytest.mark.parametrize("response", [success(), {"content": [{"type": 3}]}, None])
def test_the_response_is_given_on_as_it_is(response: Any) -> None:
    before = copy.deepcopy(response)
    audited = wrap_with_audit("search", lambda: response)
    assert audited() is response
    assert response == before


def test_async_functions_are_audited_when_they_are_done() -> None:
    async def search(query: str) -> dict[str, Any]:
        """Search for something."""
        return {"found": query}

    events: list[dict[str, Any]] = []
    audited = wrap_with_audit("search", search, events.append)
    assert inspect.signature(audited) == inspect.signature(search)
    assert audited.__doc__ == "Search for something."
    assert asyncio.run(audited("tea")) == {"found": "tea"}
    assert [event["issues"] for event in events] == [NO_OBJECT]


def test_what_must_be_awaited_is_audited_when_it_is_there() -> None:
    async def search(query: str) -> dict[str, Any]:
        return {}

    events: list[dict[str, Any]] = []
    audited = wrap_with_audit("search", lambda: search("tea"), events.append)
    assert asyncio.run(audited()) == {}
    assert [event["issues"] for event in events] == [NO_OBJECT]


def test_an_object_that_nobody_may_look_at_is_given_on() -> None:
    class Shy:
        @property
        def structured_content(self) -> None:
            raise RuntimeError("do not look")

    shy = Shy()
    assert wrap_with_audit("search", lambda: shy)() is shy


def test_what_a_function_raises_passes_through() -> None:
    def fail() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        wrap_with_audit("search", fail)()


class Model(BaseModel):
    success: bool = True
    timestamp: str = "2026-03-01T09:30:00Z"
    content: list[dict[str, Any]] = [text("a")]


@dataclass
class Data:
    success: bool
    timestamp: str
    content: list[dict[str, Any]]


@pytest.mark.parametrize("kind", [Model, Data])
def test_objects_are_judged_by_what_is_sent(kind: Any) -> None:
    members = success(text("a"))
    assert issues(kind(**members)) == []
    events: list[dict[str, Any]] = []
    audit_mcp_response("search", kind(**{**members, "content": []}), events.append)
    assert events[0]["issues"] == ["Empty content array"]
    assert json.loads(events[0]["response"])["content"] == []


def test_a_result_object_is_audited_as_it_was_returned() -> None:
    events: list[dict[str, Any]] = []
    bare = CallToolResult(content=[TextContent(type="text", text="a")])
    assert wrap_with_audit("search", lambda: bare, events.append)() is bare
    assert [event["issues"] for event in events] == [["Missing success field", "Missing timestamp"]]
    whole = CallToolResult.model_validate(to_call_tool_result(success()))
    wrap_with_audit("search", lambda: whole, events.append)()
    assert len(events) == 1


@pytest.mark.parametrize("thing", [None, "search", classmethod(print)])
def test_what_cannot_be_called_cannot_be_audited(thing: Any) -> None:
    with pytest.raises(TypeError, match="expected a function"):
        wrap_with_audit("search", thing)
