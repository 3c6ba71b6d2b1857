"""The small parts that links and connections are made of."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.client_requests import inputs, reply
from mcp_assay.client.connection import connect
from mcp_assay.client.era import Era, message
from mcp_assay.client.links import Tail
from mcp_assay.client.observer import Observations
from mcp_assay.client.pending_requests import PendingRequest, Queue
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Endpoint, allowed
from mcp_assay.client.trace_file import Recording
from mcp_assay.model.entry import Entry
from mcp_assay.session.exchanges import decoded, encoded
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate import validate
from tests.client.connected import connected, options, run
from tests.client.servers.web import serving


def test_a_tail_keeps_the_end_and_counts_all() -> None:
    tail = Tail(longest=4)
    for piece in (b"ab", b"cdefgh", b"", b"ij"):
        tail.add(piece)
    assert (tail.total, tail.since()) == (10, "ghij")
    assert (tail.since(8), tail.since(10)) == ("ij", "")


def test_a_tail_shows_bytes_that_are_no_text() -> None:
    tail = Tail()
    tail.add(b"\xff!")
    assert tail.since() == "�!"


def test_a_server_gets_what_is_named_and_little_else() -> None:
    ours = {"PATH": "/bin", "HOME": "/root", "TOKEN": "secret", "COLUMNS": "80"}
    assert allowed(ours, {"KEY": "1", "LANG": "C"}) == {
        "PATH": "/bin",
        "HOME": "/root",
        "COLUMNS": "200",
        "NO_COLOR": "1",
        "KEY": "1",
        "LANG": "C",
    }


@pytest.mark.parametrize("text", ["plain", "", "Zürich", " edge ", "a\nb", "=?base64?x?=", "\t"])
def test_header_values_survive_their_encoding(text: str) -> None:
    assert encoded(text).isascii()
    assert "\n" not in encoded(text)
    assert decoded(encoded(text)) == text


def test_older_requests_are_sent_as_they_are() -> None:
    era = Era("2025-03-26", {})
    assert era.params({"name": "x"}, None) == {"name": "x"}
    assert era.params(None, None) is None
    assert era.params({"name": "x"}, 7) == {"name": "x", "_meta": {"progressToken": 7}}
    assert era.headers("tools/list", None) == {}


def test_answers_for_the_server_are_declared_as_capabilities() -> None:
    assert Era("2025-11-25", {"roots/list": {}, "ping": {}}).capabilities == {"roots": {}}


def test_any_argument_can_be_sent() -> None:
    odd = {"big": 2**70, "lone": "\ud800", "line": "a\nb\u2028"}
    raw = message("tools/call", {"name": "x", "arguments": odd}, 1)
    assert b"\n" not in raw
    assert json.loads(raw)["params"]["arguments"] == odd


def test_requests_are_matched_by_value_and_type() -> None:
    async def main() -> None:
        queue, waiting = Queue(), PendingRequest("ping", 5, 5)
        queue.put(1, waiting)
        assert queue.get(1) is waiting
        assert [queue.get(id) for id in ("1", 1.0, True, None, [1], 2)] == [None] * 6
        waiting.end("answered")
        waiting.end("timed_out")
        assert await waiting.ending() == "answered"
        assert queue.get(1) is None, "what is answered waits no longer"

    run(main())


def test_time_is_up_even_if_nothing_else_happens() -> None:
    async def main() -> None:
        waiting = PendingRequest("ping", 0.05, 0.15)
        assert await asyncio.wait_for(waiting.ending(), 5) == "timed_out"

    run(main())


def test_input_that_cannot_be_refused_is_not_given() -> None:
    asked = {"a": {"method": "roots/list"}, "b": {"method": "sampling/createMessage"}}
    assert inputs(asked, {}) is None
    assert inputs(asked, {"sampling/createMessage": {"role": "user"}}) == {
        "a": {"roots": []},
        "b": {"role": "user"},
    }
    assert inputs(None, {}) == {}
    odd: list[Any] = [[], {"a": 1}, {"a": {"method": ["x"]}}]
    assert [inputs(one, {}) for one in odd] == [None] * 3


def test_a_ping_is_answered_whatever_its_id() -> None:
    assert reply("x", "ping", {}) == {"jsonrpc": "2.0", "id": "x", "result": {}}
    assert reply(1, ["odd"], {})["error"]["code"] == -32601


def said(text: bytes) -> Entry:
    return Entry(direction="s2c", at=0, transport="stdio", text=text, exact=True)


def test_equal_findings_are_folded_and_others_bounded() -> None:
    observed = Observations(Redactor(), most=1, largest=1000)
    conversation = observed.begin("s")
    for text in (b"one", b"two", b"three", b'{"jsonrpc":"1.0","id":1,"result":{}}'):
        conversation.hear(said(text))
    (finding,) = observed.findings()
    assert (finding.rule, finding.count, len(finding.examples)) == ("STDIO-001", 3, 2)
    assert [limit.name for limit in observed.limits()] == ["max-findings"]


def test_what_is_discarded_was_never_found() -> None:
    observed = Observations(Redactor(), most=10, largest=1000)
    conversation = observed.begin("s")
    conversation.hear(said(b"noise"))
    conversation.discard()
    conversation.close()
    assert observed.findings() == []


def test_a_secret_that_we_were_reported_is_in_no_finding() -> None:
    observed = Observations(Redactor(["tea-and-cake"]), most=10, largest=1000)
    conversation = observed.begin("s")
    conversation.hear(said(b"key tea-and-cake here"))
    assert any("[redacted]" in finding.message for finding in observed.findings())
    assert not any("tea-and-cake" in str(finding) for finding in observed.findings())


@pytest.mark.parametrize("how", ["noise", "wrong-ids", "two-answers"])
def test_a_recording_read_again_says_the_same(how: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"

    async def main() -> tuple[set[str], set[str]]:
        recording = Recording(str(trace), Redactor())
        async with connected(how, recording=recording) as connection:
            await connection.call(CallRequest("echo", {}))
        recording.close()
        reported_once = set(connection.observations.unsaid)
        return {finding.fingerprint for finding in connection.findings()}, reported_once

    live, reported_once = run(main())
    again = [one for one in validate([str(trace)]).findings if one.subject != "client"]
    assert live == {one.fingerprint for one in again if one.rule not in reported_once}
    assert live


def test_a_recording_over_http_read_again_has_no_faults(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"

    async def main() -> None:
        recording = Recording(str(trace), Redactor())
        async with serving("modern") as (url, _):
            given = options(recording=recording)
            async with await connect(Endpoint(url=url), given) as connection:
                await connection.list_all("tools")
                await connection.call(CallRequest("weather", {"city": "Rome"}))
        recording.close()

    run(main())
    assert [one.message for one in validate([str(trace)]).findings] == []
