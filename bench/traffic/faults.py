"""The faults planted in the traffic: what each one does, and to which messages it can be done."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from bench.traffic.conversation import OPPOSITE, Draft

Change: TypeAlias = Callable[[dict[str, Any]], None]
Rewrite: TypeAlias = Callable[[bytes, Random], bytes]
Step: TypeAlias = str | int

MARK: Final = "@mark@"
"""Stands in a message where its text will be spoiled once it is written."""

ANY: Final = ("request", "notification", "result", "error")
ONE_WAY: Final = ("tools/call", "initialize", "notifications/message", "roots/list")


class Fault(NamedTuple):
    """One kind of fault: the messages it fits, and how it spoils them."""

    name: str
    kinds: tuple[str, ...]
    methods: tuple[str, ...] = ()
    """Empty: every method."""
    has: tuple[Step, ...] = ()
    """A path that the message must have."""
    change: Change | None = None
    rewrite: Rewrite | None = None
    turned: bool = False
    """Sent by the wrong side."""
    weight: int = 1

    def fits(self, draft: Draft) -> bool:
        """Whether this fault can be done to this message."""
        return (
            draft.kind in self.kinds
            and (not self.methods or draft.method in self.methods)
            and _has(draft.message, self.has)
        )

    def spoil(self, draft: Draft) -> Draft:
        """A spoilt copy of the message; the text is still to be rewritten."""
        message = copy.deepcopy(draft.message)
        if self.change is not None:
            self.change(message)
        direction = OPPOSITE[draft.direction] if self.turned else draft.direction
        return Draft(message, direction, draft.kind, draft.method, draft.session)


def _has(value: Any, path: tuple[Step, ...]) -> bool:
    try:
        _follow(value, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _follow(value: Any, path: tuple[Step, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def put(value: Any, *path: Step) -> Change:
    """Set what is at this path."""

    def change(message: dict[str, Any]) -> None:
        _follow(message, path[:-1])[path[-1]] = value

    return change


def drop(*path: Step) -> Change:
    """Remove what is at this path."""

    def change(message: dict[str, Any]) -> None:
        del _follow(message, path[:-1])[path[-1]]

    return change


def mark_with(replacement: bytes, *, quoted: bool = False) -> Rewrite:
    """Replace the mark in the written text, with its quotes where `quoted`."""
    target = orjson.dumps(MARK) if quoted else MARK.encode()
    return lambda raw, _: raw.replace(target, replacement)


def _cut(raw: bytes, rng: Random) -> bytes:
    return raw[: rng.randrange(len(raw) * 3 // 10, len(raw) - 1)]


def _as_python(raw: bytes, _: Random) -> bytes:
    return repr(orjson.loads(raw)).encode()


CALL: Final = ("tools/call",)
CONTENT: Final = ("result", "content")
BLOCK: Final = (*CONTENT, 0)
PROGRESS: Final = ("notifications/progress",)

FAULTS: Final = (
    # Not JSON, or not as JSON should be sent.
    Fault("truncated", ANY, rewrite=_cut, weight=3),
    Fault("trailing comma", ANY, rewrite=lambda raw, _: raw[:-1] + b",}", weight=3),
    Fault(
        "NaN",
        ("notification",),
        PROGRESS,
        change=put(MARK, "params", "progress"),
        rewrite=mark_with(b"NaN", quoted=True),
        weight=3,
    ),
    Fault(
        "bad UTF-8",
        ("result",),
        CALL,
        (*BLOCK, "text"),
        put(f"caf{MARK} is open", *BLOCK, "text"),
        mark_with(b"\xe9"),
        weight=3,
    ),
    Fault(
        "raw tab in a string",
        ("request",),
        CALL,
        change=put(f"a{MARK}b", "params", "arguments", "note"),
        rewrite=mark_with(b"\t"),
    ),
    Fault(
        "lone surrogate",
        ("result",),
        CALL,
        (*BLOCK, "text"),
        put(f"half a rocket: {MARK}", *BLOCK, "text"),
        mark_with(rb"\ud83d"),
    ),
    Fault("byte order mark", ANY, rewrite=lambda raw, _: b"\xef\xbb\xbf" + raw),
    Fault("bytes after the message", ANY, rewrite=lambda raw, _: raw + b" OK"),
    Fault("written as Python", ANY, rewrite=_as_python),
    Fault("batch", ANY, rewrite=lambda raw, _: b"[" + raw + b"]", weight=4),
    Fault("duplicate member", ANY, rewrite=lambda raw, _: raw[:-1] + b',"jsonrpc":"2.0"}'),
    # The envelope.
    Fault("jsonrpc missing", ANY, change=drop("jsonrpc")),
    Fault("jsonrpc of another version", ANY, change=put("1.0", "jsonrpc")),
    Fault("id is a boolean", ("request",), change=put(True, "id")),
    Fault("id is null", ("request", "result"), change=put(None, "id")),
    Fault("id is a fraction", ("request",), change=put(1.5, "id")),
    Fault("notification with an id", ("notification",), change=put("extra-1", "id")),
    Fault("method is not a string", ("request",), change=put(7, "method")),
    Fault("params is an array", ("request",), CALL, change=put(["read_issue", 4], "params")),
    Fault("result and error", ("result",), change=put({"code": -32603, "message": "No"}, "error")),
    Fault("neither result nor error", ("result",), change=drop("result")),
    Fault("result with a method", ("result",), change=put("tools/call", "method")),
    Fault("result is null", ("result",), change=put(None, "result")),
    Fault("unknown member", ANY, change=put(1731700000, "timestamp")),
    Fault("error code is a string", ("error",), change=put("-32603", "error", "code")),
    Fault("error without a message", ("error",), change=drop("error", "message")),
    Fault(
        "stack trace as error message",
        ("error",),
        change=put("Traceback:\n  File 'a.py', line 3\nKeyError: 'id'", "error", "message"),
    ),
    # The method and its direction.
    Fault("unknown method", ("request",), CALL, change=put("tools/invoke", "method")),
    Fault("wrong direction", ("request", "notification"), ONE_WAY, turned=True),
    # Parameters.
    Fault("call without a tool name", ("request",), CALL, change=drop("params", "name")),
    Fault("arguments as text", ("request",), CALL, change=put("{}", "params", "arguments")),
    Fault(
        "token is a boolean",
        ("request",),
        CALL,
        ("params", "_meta"),
        put(True, "params", "_meta", "progressToken"),
    ),
    Fault(
        "client without a version",
        ("request",),
        ("initialize",),
        change=drop("params", "clientInfo", "version"),
    ),
    Fault("progress as text", ("notification",), PROGRESS, change=put("1", "params", "progress")),
    Fault(
        "progress above total", ("notification",), PROGRESS, change=put(99, "params", "progress")
    ),
    Fault(
        "unknown log level",
        ("notification",),
        ("notifications/message",),
        change=put("fatal", "params", "level"),
    ),
    Fault(
        "prompt argument is a number",
        ("request",),
        ("prompts/get",),
        change=put(3, "params", "arguments", "topic"),
    ),
    Fault(
        "unknown reference type",
        ("request",),
        ("completion/complete",),
        change=put("ref/tool", "params", "ref", "type"),
    ),
    # Results.
    Fault("result without content", ("result",), CALL, CONTENT, drop(*CONTENT)),
    Fault("isError as text", ("result",), CALL, change=put("no", "result", "isError")),
    Fault(
        "unknown block type", ("result",), CALL, (*BLOCK, "text"), put("markdown", *BLOCK, "type")
    ),
    Fault("bad base64", ("result",), CALL, (*BLOCK, "data"), put("iVBOR!w0KGgo", *BLOCK, "data")),
    Fault(
        "picture that is text",
        ("result",),
        CALL,
        (*BLOCK, "data"),
        put("text/plain", *BLOCK, "mimeType"),
    ),
    Fault("bad URI", ("result",), CALL, (*BLOCK, "uri"), put("not a uri", *BLOCK, "uri")),
    Fault(
        "priority above one",
        ("result",),
        CALL,
        (*BLOCK, "annotations", "priority"),
        put(3, *BLOCK, "annotations", "priority"),
    ),
    Fault(
        "structured content is an array",
        ("result",),
        CALL,
        ("result", "structuredContent"),
        put([1], "result", "structuredContent"),
    ),
    Fault(
        "field of a later revision",
        ("result",),
        ("tools/list", "resources/list", "prompts/list"),
        change=put(60_000, "result", "ttlMs"),
    ),
    Fault(
        "tool without input schema",
        ("result",),
        ("tools/list",),
        change=drop("result", "tools", 0, "inputSchema"),
    ),
    Fault("bad key in _meta", ("result",), CALL, change=put({"-bad key-": 1}, "result", "_meta")),
    Fault(
        "cursor is null",
        ("result",),
        ("resources/list",),
        change=put(None, "result", "nextCursor"),
    ),
    Fault(
        "unknown role",
        ("result",),
        ("prompts/get",),
        change=put("system", "result", "messages", 0, "role"),
    ),
    Fault(
        "too many completions",
        ("result",),
        ("completion/complete",),
        change=put({"values": ["a"] * 101}, "result", "completion"),
    ),
)
