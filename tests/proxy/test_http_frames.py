"""Messages are put together from frames, whole or not at all, each in its conversation."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterable
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.client.frames import Frame, FrameKind
from mcp_assay.client.http_frames import MOST_OPEN, HttpMessages
from mcp_assay.client.http_sessions import Request, path_of
from mcp_assay.model.entry import Direction, Entry
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
GREETING = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'
JSON = {"Content-Type": "application/json; charset=utf-8"}
STREAM = {"Content-Type": "text/event-stream"}
MODERN = {"Mcp-Protocol-Version": "2026-07-28"}


class Wire:
    """Exchanges as frames, and what is received of them."""

    def __init__(self) -> None:
        self.messages = HttpMessages()
        self.numbers = count(1)

    def ask(
        self,
        body: bytes = PING,
        headers: dict[str, str] | None = None,
        *,
        method: str = "POST",
        path: str = "/mcp",
        conn: str = "a",
        endpoint: bool = True,
    ) -> Exchange:
        exchange = Exchange(self, next(self.numbers), conn)
        facts = {"method": method, "path": path, "request_headers": headers or {}}
        exchange.put("http", "c2s", facts={**facts, "is_endpoint": endpoint})
        return exchange.say("c2s", body).end("c2s", len(body))


class Exchange:
    """One exchange under way, and all that has been heard of it."""

    def __init__(self, wire: Wire, number: int, conn: str) -> None:
        self.wire = wire
        self.number = number
        self.conn = conn
        self.received: list[Entry] = []

    def put(self, kind: FrameKind, direction: Direction, **more: Any) -> Exchange:
        frame = Frame(
            kind=kind, direction=direction, at=7.0, conn=self.conn, exchange=self.number, **more
        )
        self.received += self.wire.messages.feed(frame)
        return self

    def say(self, direction: Direction, *pieces: bytes) -> Exchange:
        for piece in pieces:
            self.put("bytes", direction, payload=piece)
        return self

    def end(self, direction: Direction, size: int, *, whole: bool = True) -> Exchange:
        return self.put("end", direction, facts={"whole": whole, "size": size})

    def begin(self, headers: dict[str, str], status: int = 200) -> Exchange:
        return self.put("http", "s2c", facts={"status": status, "response_headers": headers})

    def answer(
        self, body: bytes = PONG, headers: dict[str, str] = JSON, status: int = 200
    ) -> Exchange:
        return self.begin(headers, status).say("s2c", body).end("s2c", len(body))

    @property
    def name(self) -> str:
        return self.received[0].conn


def texts(received: Iterable[Entry]) -> list[bytes | None]:
    return [one.text for one in received]


def test_a_request_and_its_answer_are_reported_with_their_heads() -> None:
    question, answer = Wire().ask(headers={"X-A": "b"}).answer().received
    assert question == Entry(
        direction="c2s",
        at=7.0,
        conn="http-1",
        text=PING,
        transport="http",
        exchange=1,
        http={"method": "POST", "path": "/mcp", "request_headers": {"X-A": "b"}},
        exact=True,
    )
    assert answer == Entry(
        direction="s2c",
        at=7.0,
        conn="http-1",
        text=PONG,
        transport="http",
        exchange=1,
        http={"status": 200, "response_headers": JSON},
        exact=True,
    )


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_request_without_a_message_is_reported_by_its_head_alone(method: str) -> None:
    question, answer = Wire().ask(b"", method=method).answer(b"", {}, 405).received
    assert (question.text, question.end, answer.text, answer.end) == (None, False, None, False)
    assert answer.http == {"status": 405, "response_headers": {}}


def test_the_head_of_a_stream_is_reported_at_once_and_its_events_as_they_come() -> None:
    exchange = Wire().ask().begin(STREAM)
    assert exchange.received[1].http == {"status": 200, "response_headers": STREAM}
    exchange.say("s2c", b": hi\n\nid: 1\ndata:\n\nevent: message\nid: 2\nretry: 9\nda")
    exchange.say("s2c", b"ta: " + PONG + b"\r\n\r", b"\ndata: {}\n\nevent: note\ndata: no\n\n")
    assert [(one.text, one.sse, one.http) for one in exchange.received[2:]] == [
        (None, {"id": "1"}, None),
        (PONG, {"event": "message", "id": "2", "retry": 9}, None),
        (b"{}", {}, None),
        (b"no", {"event": "note"}, None),
    ]
    last = exchange.end("s2c", 999).received[-1]
    assert (last.text, last.end, last.http) == (None, True, None)


@pytest.mark.parametrize("headers", [JSON, STREAM])
def test_an_answer_that_was_cut_is_not_judged(headers: dict[str, str]) -> None:
    begun = Wire().ask().begin(headers).say("s2c", b"data: " + PONG[:9])
    last = begun.end("s2c", 15, whole=False).received[-1]
    assert (last.text, last.unread, last.end) == (None, 0, True)
    heads = [one.http for one in begun.received if one.direction == "s2c" and one.http]
    assert heads == [{"status": 200, "response_headers": headers}]


def test_a_server_that_was_not_reached_ends_the_exchange() -> None:
    last = Wire().ask().end("s2c", 0, whole=False).received[-1]
    assert (last.text, last.http, last.end) == (None, None, True)


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(PONG, mtime=0)),
        ("GZIP ", gzip.compress(PONG, mtime=0)),
        ("deflate", zlib.compress(PONG)),
        ("identity", PONG),
        ("gzip", gzip.compress(PONG[:5], mtime=0) + gzip.compress(PONG[5:], mtime=0)),
        ("deflate, gzip", gzip.compress(zlib.compress(PONG), mtime=0)),
    ],
)
def test_packed_bodies_are_unpacked(coding: str, packed: bytes) -> None:
    fields = {"content-encoding": coding}
    exchange = Wire().ask(packed, fields).answer(packed, JSON | fields)
    assert texts(exchange.received) == [PONG, PONG]


def test_packed_streams_are_unpacked_as_they_come() -> None:
    packer = zlib.compressobj(wbits=31)
    pieces = [
        packer.compress(b"data: %d\n\n" % n) + packer.flush(zlib.Z_SYNC_FLUSH) for n in (1, 2)
    ]
    exchange = Wire().ask().begin(STREAM | {"content-encoding": "gzip"})
    assert texts(exchange.say("s2c", pieces[0]).received) == [PING, None, b"1"]
    assert texts(exchange.say("s2c", pieces[1]).received) == [PING, None, b"1", b"2"]


def test_what_is_packed_in_part_is_not_judged() -> None:
    packed = gzip.compress(PONG, mtime=0)[:-9]
    last = Wire().ask().answer(packed, JSON | {"content-encoding": "gzip"}).received[-1]
    assert (last.text, last.unread, last.lost) == (None, 0, 1)
    assert "ends before" in last.garbled


@pytest.mark.parametrize("coding", ["br", "gzip, gzip", "gzip"])
@pytest.mark.parametrize("headers", [JSON, STREAM])
def test_what_cannot_be_unpacked_is_counted_and_not_called_too_long(
    headers: dict[str, str], coding: str
) -> None:
    fields = headers | {"content-encoding": coding}
    received = Wire().ask().answer(b"no gzip", fields).received[1:]
    assert set(texts(received)) == {None}
    assert sum(one.lost for one in received) == 1
    assert not any(one.unread for one in received)
    assert [f'"{coding}"' in one.garbled for one in received if one.garbled] == [True]


def test_a_request_that_cannot_be_unpacked_is_not_called_too_long() -> None:
    asked = Wire().ask(b"no brotli", {"content-encoding": "br"}).answer().received[0]
    assert (asked.text, asked.unread, asked.lost, bool(asked.garbled)) == (None, 0, 1, True)


def test_a_message_that_is_too_long_is_counted_and_not_judged() -> None:
    half = b"x" * (MAX_MESSAGE_BYTES // 2)
    exchange = Wire().ask().begin(JSON).say("s2c", half, half)
    last = exchange.end("s2c", 3 * len(half)).received[-1]
    assert (last.text, last.unread) == (None, 3 * len(half))


def test_an_event_that_is_too_long_is_counted_and_the_next_one_judged() -> None:
    half = b"x" * (MAX_MESSAGE_BYTES // 2)
    exchange = Wire().ask().begin(STREAM)
    exchange.say("s2c", b"data: ", half, half, b"\n\ndata: 2\n\n")
    assert [(one.text, one.unread) for one in exchange.received[2:]] == [
        (None, MAX_MESSAGE_BYTES + 8),
        (b"2", 0),
    ]


def test_a_small_body_that_unpacks_to_very_much_costs_little_memory() -> None:
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    tracemalloc.start()
    last = Wire().ask().answer(bomb, JSON | {"content-encoding": "gzip"}).received[-1]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert last.text is None
    assert last.unread > MAX_MESSAGE_BYTES
    assert peak < 3 * MAX_MESSAGE_BYTES


def test_a_body_of_which_a_piece_is_missing_is_not_judged() -> None:
    exchange = Wire().ask().begin(JSON).say("s2c", PONG[:9])
    exchange.put("dropped", "s2c", facts={"frames": 3}).say("s2c", PONG[20:])
    lost, last = exchange.end("s2c", len(PONG)).received[1:]
    assert lost.lost == 3
    assert (last.text, last.unread) == (None, 0)


def test_after_a_missing_piece_a_stream_is_judged_from_the_next_whole_event_on() -> None:
    exchange = Wire().ask().begin(STREAM).say("s2c", b"data: 1\n\ndata: 2")
    exchange.put("dropped", "s2c", facts={"frames": 1})
    exchange.say("s2c", b"3\n", b"\ndata: 4\n\n")
    assert texts(exchange.received) == [PING, None, b"1", None, b"4"]


def test_an_exchange_of_which_the_beginning_is_missing_is_left_alone() -> None:
    exchange = Exchange(Wire(), 1, "a")
    exchange.put("dropped", "c2s", facts={"frames": 2}).say("c2s", PING).answer()
    assert exchange.received == []


def test_an_answer_that_comes_before_the_whole_question_was_sent_is_reported() -> None:
    exchange = Exchange(Wire(), 1, "a")
    facts = {"method": "POST", "path": "/mcp", "request_headers": {}, "is_endpoint": True}
    exchange.put("http", "c2s", facts=facts).say("c2s", PING[:9]).answer()
    exchange.end("c2s", 9, whole=False)
    question, answer = exchange.received
    assert (question.text, question.end) == (None, True)
    assert answer.text == PONG


@pytest.mark.parametrize(
    ("status", "kind", "body", "is_message"),
    [
        (200, "application/json", b"garbage", True),
        (200, "text/html", b"<p>hello", False),
        (400, "application/json", b'{"jsonrpc":"2.0","error":{}}', True),
        (401, "application/json", b'{"error":"invalid_token"}', False),
        (500, "text/plain", b"oh", False),
        (202, "application/json", b"", False),
    ],
)
def test_the_body_of_a_failure_is_a_message_only_if_it_looks_like_one(
    status: int, kind: str, body: bytes, is_message: bool
) -> None:
    last = Wire().ask().answer(body, {"content-type": kind}, status).received[-1]
    assert last.text == (body if is_message else None)
    assert last.unread == 0


@pytest.mark.parametrize(
    ("asked", "is_received"),
    [
        ({"path": "/mcp", "body": b"garbage"}, True),
        ({"path": "/mcp", "method": "OPTIONS", "body": b""}, False),
        ({"path": "/token", "endpoint": False, "body": b"grant_type=x"}, False),
        ({"path": "/.well-known/x", "endpoint": False, "method": "GET", "body": b""}, False),
        ({"path": "/elsewhere", "endpoint": False, "body": PING}, True),
    ],
)
def test_only_what_is_mcp_is_reported(asked: dict[str, Any], is_received: bool) -> None:
    exchange = Wire().ask(**asked).answer(b'{"issuer":"x"}')
    assert bool(exchange.received) == is_received


def test_a_session_id_makes_one_conversation_of_many_connections() -> None:
    wire, given = Wire(), {"mcp-session-id": "s-1"}
    begun = wire.ask(GREETING, conn="a").answer(PONG, JSON | given)
    later = wire.ask(headers={"Mcp-Session-Id": "s-1"}, conn="b").answer()
    other = wire.ask(GREETING, conn="a").answer(PONG, JSON | {"Mcp-Session-Id": "s-2"})
    last = wire.ask(b"", {"MCP-SESSION-ID": "s-1"}, method="DELETE", conn="a").answer(b"", {})
    unknown = wire.ask(headers={"Mcp-Session-Id": "s-0"}).answer()
    stranger = wire.ask(conn="c").answer()
    assert begun.name == later.name == last.name == "http-1"
    assert other.name == "http-2"
    assert unknown.name == "http-3"
    assert stranger.name == "http-4"


def test_a_connection_stays_with_its_session_though_a_request_leaves_the_id_out() -> None:
    wire = Wire()
    begun = wire.ask(GREETING).answer(PONG, JSON | {"mcp-session-id": "s-1"})
    assert wire.ask().answer().name == begun.name


def test_without_session_ids_each_initialize_begins_a_conversation() -> None:
    wire = Wire()
    first = [wire.ask(GREETING, conn="a").answer(), wire.ask(conn="b").answer()]
    second = [wire.ask(GREETING, conn="c").answer(), wire.ask(conn="d").answer()]
    third = [wire.ask(GREETING, conn="c").answer(), wire.ask(conn="c").answer()]
    again = wire.ask(conn="a").answer()
    assert [one.name for one in (*first, *second, *third, again)] == [
        *("http-1", "http-1", "http-2", "http-2", "http-3", "http-3", "http-1")
    ]


def test_without_handshake_all_connections_of_a_client_make_one_conversation() -> None:
    wire = Wire()
    listening = wire.ask(b'{"jsonrpc":"2.0","id":"listen"}', MODERN, conn="a").begin(STREAM)
    calling = wire.ask(PING, MODERN, conn="b").answer()
    assert listening.name == calling.name == "http-1"


def test_what_has_no_id_is_of_the_same_client() -> None:
    wire = Wire()
    stream = wire.ask(b"", method="GET", conn="a").begin(STREAM)
    noted = wire.ask(b'{"jsonrpc":"2.0","method":"notifications/initialized"}', conn="b").answer()
    assert stream.name == noted.name == "http-1"


def test_a_request_whose_id_waits_elsewhere_is_of_another_client() -> None:
    wire = Wire()
    waiting = wire.ask(PING, MODERN, conn="a")
    other = wire.ask(PING, MODERN, conn="b").answer()
    waiting.answer()
    third = wire.ask(PING, MODERN, conn="c").answer()
    assert (waiting.name, other.name, third.name) == ("http-1", "http-2", "http-2")


def test_a_client_that_tries_the_new_way_first_stays_in_its_conversation() -> None:
    wire = Wire()
    tried = wire.ask(PING, MODERN).answer(b"", {}, 400)
    greeted = wire.ask(GREETING).answer()
    assert tried.name == greeted.name == "http-1"


def test_a_stream_that_gives_out_a_path_is_the_transport_of_the_first_revision() -> None:
    wire = Wire()
    stream = wire.ask(b"", method="GET", path="/sse", conn="a").begin(STREAM)
    stream.say("s2c", b"event: endpoint\ndata: messages?id=7\n\n")
    posted = wire.ask(GREETING, path="/messages?id=7", conn="b", endpoint=False).answer(
        b"", {}, 202
    )
    stream.say("s2c", b"event: message\ndata: " + PONG + b"\n\n")
    reported = [(one.conn, one.transport, one.text) for one in (*stream.received, *posted.received)]
    assert reported == [
        ("http-1", "http", None),
        ("http-1", "http", None),
        ("http-1", "sse", None),
        ("http-1", "sse", PONG),
        ("http-1", "sse", GREETING),
        ("http-1", "sse", None),
    ]
    again = wire.ask(b"", method="GET", path="/sse", conn="c").begin(STREAM)
    again.say("s2c", b"event: endpoint\ndata: /messages?id=8\n\n")
    assert again.received[-1].conn == "http-2"


@pytest.mark.parametrize("endpoint", ["http://[", "mailto:x@y", "//evil.example/x", "\xff", ""])
def test_a_stream_may_give_out_any_nonsense(endpoint: str) -> None:
    wire = Wire()
    stream = wire.ask(b"", method="GET", path="/sse").begin(STREAM)
    stream.say("s2c", b"event: endpoint\ndata: " + endpoint.encode("latin-1") + b"\n\n")
    assert stream.received[-1].sse == {"event": "endpoint"}


@pytest.mark.parametrize(
    ("endpoint", "path"),
    [
        ("/messages?id=1", "/messages?id=1"),
        ("messages", "/a/messages"),
        ("http://elsewhere.invalid/x?y", "/x?y"),
        ("//elsewhere.invalid", "/"),
        ("@elsewhere.invalid/x", "/a/@elsewhere.invalid/x"),
        ("mailto:x@elsewhere.invalid", "/x@elsewhere.invalid"),
        ("http://[", "/a/sse"),
    ],
)
def test_a_path_that_was_given_out_never_leads_to_another_host(endpoint: str, path: str) -> None:
    request = Request(
        exchange=1, conn="a", method="GET", path="/a/sse", headers={}, is_endpoint=True
    )
    assert path_of(request, endpoint) == path


def test_of_too_many_open_exchanges_the_oldest_is_forgotten() -> None:
    wire = Wire()
    exchanges = [wire.ask() for _ in range(MOST_OPEN + 1)]
    assert len(exchanges[0].answer().received) == 1
    assert len(exchanges[1].answer().received) == 2


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["http", "bytes", "end", "dropped"]),
            st.sampled_from(["c2s", "s2c"]),
            st.integers(1, 3),
            st.binary(max_size=40)
            | st.sampled_from([PING, b"event: endpoint\ndata: http://[\n\n"]),
            st.sampled_from([JSON, STREAM, {"Content-Encoding": "gzip"} | JSON, {}]),
            st.integers(0, 40),
        )
    )
)
def test_no_order_of_frames_is_too_much(frames: list[tuple[Any, ...]]) -> None:
    wire = Wire()
    for kind, direction, number, payload, headers, size in frames:
        facts = {"method": "POST", "path": "/mcp", "is_endpoint": True, "status": 200}
        facts |= {"request_headers": headers, "response_headers": headers}
        facts |= {"whole": bool(size % 2), "size": size, "frames": 1}
        exchange = Exchange(wire, number, "a").put(kind, direction, payload=payload, facts=facts)
        assert all(one.exchange == number for one in exchange.received)
        assert all(one.text is None or not one.unread for one in exchange.received)
