"""How the truths about answers, drift and behaviour show."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.patience import LONGEST
from tests.servers.proof import changed, failed, said, shows
from tests.servers.raw_client import RawClient
from tests.servers.things import Object

QUIET = 0.3
"""Seconds for which a server that hangs is listened to."""


def call_shows(name: str, is_fault: Callable[[Any], bool], **changes: Any) -> None:
    """Register what the answer to a call looks like; unless it is changed, the call is usual."""

    @shows(name)
    def proof(client: RawClient) -> None:
        client.open()
        tool = (client.server.tools or ())[0]
        if changes:
            assert not failed(client.call(tool.name, tool.sample))
        assert is_fault(client.call(tool.name, changed(tool.sample, **changes)))


def fails_with(words: str) -> Callable[[Any], bool]:
    """Whether a call fails with these words."""
    return lambda result: failed(result) and words in said(result)


def succeeds_with(words: str) -> Callable[[Any], bool]:
    """Whether a call succeeds with these words."""
    return lambda result: not failed(result) and words in said(result)


def _disagrees(result: Any) -> bool:
    return bool(json.loads(said(result)) != result["structuredContent"])


works = succeeds_with("")

call_shows("empty-content", lambda result: result["content"] == [])
call_shows("text-differs-from-structured", _disagrees)
call_shows("error-inside-success", succeeds_with('"error"'))
call_shows("http-error-inside-success", succeeds_with("500"))
call_shows("failure-inside-success", succeeds_with("fetch failed"))
call_shows("refusal-inside-success", succeeds_with("no such book"))
call_shows("blank-answer", lambda result: works(result) and not said(result).strip())
call_shows("accident-of-serialization", succeeds_with("[object Object]"))
call_shows("not-implemented", succeeds_with("\x54ODO"))
call_shows("says-ok-to-everything", succeeds_with("ok"))
call_shows("success-flagged-as-error", fails_with('"success": true'))
call_shows("internal-error-on-valid-arguments", lambda error: error.get("code") == -32603)
call_shows("error-says-nothing", fails_with("Error"), limit=1)
call_shows("error-without-words", lambda result: failed(result) and not said(result), limit=1)
call_shows("dependency-unavailable", fails_with("ECONNREFUSED"))
call_shows("no-credentials", fails_with("LIBRARY_API_KEY"))
call_shows("always-crashes", fails_with("AttributeError"))
call_shows("refuses-everything", fails_with("No book"))
call_shows("unicode-crash", fails_with("UnicodeEncodeError"), title="é")
call_shows("empty-text-crash", fails_with("IndexError"), title="")
call_shows("long-text-crash", fails_with("IndexError"), title="x" * 101)
call_shows("negative-number-crash", fails_with("ValueError"), limit=-1)
call_shows("zero-crash", fails_with("ZeroDivisionError"), limit=0)
call_shows("missing-option-crash", fails_with("KeyError"), limit=...)
call_shows("wrong-type-crash", fails_with("TypeError"), limit="5")
call_shows("leaks-stack-trace", fails_with("Traceback"), limit=1)
call_shows("shows-its-logs", succeeds_with("Traceback"))
call_shows("leaks-absolute-path", succeeds_with("/home/"))
call_shows("leaks-secret", succeeds_with("api_key=sk-"))
call_shows("cannot-generate", fails_with("pattern"), code="135792466")
call_shows("failure-as-protocol-error", lambda error: error.get("code") == -32603, limit=1)

call_shows("enum-value-rejected", fails_with("Allowed values"), genre="drama")
call_shows("value-outside-enum-accepted", works, genre="recipes")
call_shows("rejection-lists-more", fails_with("essay"), genre="recipes")
call_shows("rejection-without-a-list", fails_with("Unsupported"), language="fr")
call_shows("wrong-type-accepted", works, limit="5")
call_shows("required-not-enforced", works, title=...)
call_shows("maximum-not-enforced", works, limit=51)
call_shows("length-not-enforced", works, title="x" * 201)
call_shows("pattern-not-enforced", works, isbn="none")
call_shows("items-not-enforced", works, years=[1, 2, 3, 4])
call_shows("unknown-argument-accepted", works, unknown=1)


@shows("nondeterministic")
def the_same_call_has_two_answers(client: RawClient) -> None:
    client.open()
    sample = (client.server.tools or ())[0].sample
    assert client.call("find_book", sample) != client.call("find_book", sample)


@shows("read-only-tool-changes", "idempotent-tool-adds-up")
def another_tool_counts_the_calls(client: RawClient) -> None:
    client.open()
    lists, adds = client.server.tools or ()
    counts = []
    for _ in range(3):
        counts.append(said(client.call(lists.name, {})))
        client.call(adds.name, adds.sample)
    assert counts == ["0 loans", "1 loans", "2 loans"]


def hints_of(client: RawClient, tool: str) -> Object:
    """The annotations of a tool, as they are listed now."""
    listed = {one["name"]: one for one in client.walk("tools/list")}
    return dict(listed[tool].get("annotations") or {})


@shows("becomes-destructive", "becomes-destructive-for-subscribers")
def the_second_call_would_be_one_too_many(client: RawClient) -> None:
    client.open()
    if client.modern:
        client.ask("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert hints_of(client, "find_book") == {"readOnlyHint": True}
    assert not failed(client.call("find_book", {"title": "Emma"}))
    assert b"notifications/tools/list_changed" in b"".join(line for _, line in client.lines)
    assert hints_of(client, "find_book")["destructiveHint"] is True
    ends_with(client, 9, "find_book", {"title": "Emma"})


@shows("tools-appear")
def tools_are_there_after_a_call(client: RawClient) -> None:
    client.open()
    assert len(list(client.walk("tools/list"))) == 1
    client.call("find_book", {"title": "Emma"})
    assert hints_of(client, "find_author") == {"readOnlyHint": True}
    assert hints_of(client, "shelve") == {}


@shows("changes-without-end")
def each_call_changes_the_schema(client: RawClient) -> None:
    client.open()
    seen = [list(client.walk("tools/list"))]
    for limit in range(1, 4):
        client.call("find_book", {"limit": limit})
        seen.append(list(client.walk("tools/list")))
    assert all(one != other for one, other in pairwise(seen))


@shows("changes-without-a-word")
def the_schema_changes_silently(client: RawClient) -> None:
    client.open()
    before = list(client.walk("tools/list"))
    for _ in range(3):
        assert list(client.walk("tools/list")) == before
        client.call("find_book", {"title": "Emma"})
    assert list(client.walk("tools/list")) != before
    assert b"list_changed" not in b"".join(line for _, line in client.lines)


@shows("other-tools-after-a-death")
def the_next_life_has_other_hints(client: RawClient) -> None:
    client.open()
    assert hints_of(client, "find_book") == {"readOnlyHint": True}
    ends_with(client, 7, "find_book", {"title": "é"})
    with RawClient("other-tools-after-a-death") as next_life:
        next_life.open()
        assert hints_of(next_life, "find_book")["destructiveHint"] is True


@shows("tool-without-hints", "destructive-tool", "read-only-by-name-alone", "name-with-lookalikes")
def a_call_would_be_noticed(client: RawClient) -> None:
    client.open()
    _, guarded = client.server.tools or ()
    is_read_only = (guarded.annotations or {}).get("readOnlyHint") is True
    assert not is_read_only or not guarded.name.isascii()
    assert client.stderr() == ""
    client.call(guarded.name, guarded.sample)
    assert client.stderr() == "CALLED WITHOUT PERMISSION\n"


def ends_with(client: RawClient, code: int, tool: str, arguments: Object) -> None:
    """Make a call that is never answered because the process ends."""
    client.ask("tools/call", {"name": tool, "arguments": arguments})
    assert client.hear() is None
    assert client.process.wait(LONGEST) == code


@shows("call-kills-server")
def the_call_ends_the_process(client: RawClient) -> None:
    client.open()
    ends_with(client, 7, "crash", {})


@shows("one-input-kills-server")
def only_one_input_ends_the_process(client: RawClient) -> None:
    client.open()
    assert not failed(client.call("find_book", {"title": "Emma"}))
    ends_with(client, -signal.SIGABRT, "find_book", {"title": "é"})


@shows("dies-after-three-calls")
def the_fourth_call_ends_the_process(client: RawClient) -> None:
    client.open()
    assert not any(failed(client.call("find_book", {"title": "Emma"})) for _ in range(3))
    ends_with(client, 5, "find_book", {"title": "Emma"})


@shows("dies-at-every-call")
def the_first_call_of_any_tool_ends_the_process(client: RawClient) -> None:
    client.open()
    ends_with(client, 5, "shelf_9", {})


def stays_silent(client: RawClient, tool: str, arguments: Object) -> None:
    """Make a call that is not answered, while the process lives."""
    client.ask("tools/call", {"name": tool, "arguments": arguments})
    with pytest.raises(TimeoutError):
        client.hear(QUIET)
    assert client.process.poll() is None


@shows("call-never-returns")
def the_call_is_not_answered(client: RawClient) -> None:
    client.open()
    stays_silent(client, "find_hours", {})


@shows("waits-alone")
def only_one_tool_is_not_answered(client: RawClient) -> None:
    client.open()
    assert not failed(client.call("find_book", {"title": "Emma"}))
    stays_silent(client, "find_delivery", {})


@shows("one-input-never-returns")
def only_one_input_is_not_answered(client: RawClient) -> None:
    client.open()
    assert not failed(client.call("find_book", {"limit": 3}))
    stays_silent(client, "find_book", {"limit": 0})


@shows("gets-slower")
def the_sixth_call_takes_long(client: RawClient) -> None:
    client.open()
    for _ in range(5):
        client.call("find_book", {"title": "Emma"})
    began = time.monotonic()
    client.call("find_book", {"title": "Emma"})
    assert time.monotonic() - began > 0.3


@shows("fails-after-five-calls")
def the_sixth_call_fails(client: RawClient) -> None:
    client.open()
    calls = [failed(client.call("find_book", {"title": "Emma"})) for _ in range(6)]
    assert calls == [False] * 5 + [True]


@shows("queue-behind-a-call")
def other_calls_wait_and_pings_do_not(client: RawClient) -> None:
    client.open()
    assert not failed(client.call("find_book", {"title": "Emma"}))
    stays_silent(client, "find_archive", {})
    stays_silent(client, "find_book", {"title": "Emma"})
    assert client.answer_to("ping")["result"] == {}


@shows("waits-as-long-as-asked")
def it_waits_as_long_as_it_is_told_to(client: RawClient) -> None:
    client.open()
    began = time.monotonic()
    assert not failed(client.call("wait_for_delivery", {"seconds": 0.5}))
    assert time.monotonic() - began >= 0.5
    stays_silent(client, "wait_for_delivery", {"seconds": 3600})


@shows("waits-by-design")
def it_waits_in_vain(client: RawClient) -> None:
    client.open()
    stays_silent(client, "wait_for_delivery", {})


@shows("five-tools-of-the-sdk")
def two_of_the_five_crash(client: RawClient) -> None:
    client.open()
    crashed = [tool.name for tool in client.server.tools or ()
               if failed(client.call(tool.name, tool.sample))]  # fmt: skip
    assert crashed == ["average_rating", "get_loan"]
    assert "ZeroDivisionError" in client.stderr()
    assert "KeyError" in client.stderr()


@shows("unreachable-fifty-tools")
def every_tool_lacks_its_service(client: RawClient) -> None:
    client.open()
    tools = client.server.tools or ()
    assert len(tools) == 50
    assert all("ECONNREFUSED" in said(client.call(tool.name, {"query": "a"})) for tool in tools)
