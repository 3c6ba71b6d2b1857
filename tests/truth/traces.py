"""Lines of traces in both eras, over HTTP and over pipes, and what is said about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.report import Report
from mcp_assay.validate import Options, validate

Line: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]

PREFIX: Final = "io.modelcontextprotocol/"
HANDSHAKE: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
WHO: Final = {"name": "notes", "version": "1.0.0"}
META: Final = {
    f"{PREFIX}protocolVersion": MODERN,
    f"{PREFIX}clientInfo": WHO,
    f"{PREFIX}clientCapabilities": {},
}
ACCEPT: Final = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
READY: Final[Message] = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LISTED: Final = {"tools": [], "ttlMs": 0, "cacheScope": "private"}


def ask(id: object, method: str, params: dict[str, Any] | None = None) -> Message:
    """A request of the handshake era."""
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    return message if params is None else {**message, "params": params}


def tell(id: object, result: dict[str, Any]) -> Message:
    """A result of the handshake era."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def refuse(id: object, code: int, data: object = None) -> Message:
    """An error; without an id where that is None."""
    error = {"code": code, "message": "No."} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0"} | ({} if id is None else {"id": id}) | {"error": error}


def ask_now(id: object, method: str, meta: dict[str, Any] | None = None, **params: Any) -> Message:
    """A request of 2026-07-28."""
    return ask(id, method, {"_meta": {**META, **(meta or {})}, **params})


def tell_now(id: object, result: dict[str, Any], type: str = "complete") -> Message:
    """A result of 2026-07-28."""
    return tell(id, {"_meta": {f"{PREFIX}serverInfo": WHO}, "resultType": type, **result})


def c2s(message: Message, **more: Any) -> Line:
    """What a client writes to a pipe."""
    return {"dir": "c2s", "message": message, **more}


def s2c(message: Message, **more: Any) -> Line:
    """What a server writes to a pipe."""
    return {"dir": "s2c", "message": message, **more}


INITIALIZE: Final = ask(
    0, "initialize", {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": WHO}
)
INITIALIZED: Final = tell(
    0,
    {"protocolVersion": HANDSHAKE, "capabilities": {"tools": {}, "tasks": {}}, "serverInfo": WHO},
)
PIPED: Final = (c2s(INITIALIZE), s2c(INITIALIZED), c2s(READY))


def post(
    message: Message, session: str | None = "s-1", version: str | None = HANDSHAKE, **more: Any
) -> Line:
    """A POST of the handshake era."""
    named = {"MCP-Protocol-Version": version, "Mcp-Session-Id": session}
    headers = ACCEPT | {name: value for name, value in named.items() if value is not None}
    return c2s(message, http={"method": "POST", "path": "/mcp", "request_headers": headers}, **more)


def reply(
    message: Message | None = None,
    status: int = 200,
    session: str | None = None,
    type: str = JSON,
    **more: Any,
) -> Line:
    """The response to a POST."""
    headers = {"Content-Type": type} | ({} if session is None else {"Mcp-Session-Id": session})
    line: Line = {"dir": "s2c", "http": {"status": status, "response_headers": headers}, **more}
    return line if message is None else {**line, "message": message}


def opened(session: str = "s-1") -> list[Line]:
    """A session over HTTP, begun."""
    return [
        post(INITIALIZE, None, None),
        reply(INITIALIZED, session=session),
        post(READY, session),
        reply(status=202),
    ]


def post_now(message: Message, headers: dict[str, str | None] | None = None, **more: Any) -> Line:
    """A POST of 2026-07-28."""
    given: dict[str, str | None] = {
        **ACCEPT,
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": message["method"],
        "Mcp-Name": message.get("params", {}).get("name"),
        **(headers or {}),
    }
    kept = {name: value for name, value in given.items() if value is not None}
    return c2s(message, http={"method": "POST", "path": "/mcp", "request_headers": kept}, **more)


def listed_now(id: object = 1, **more: Any) -> list[Line]:
    """A client of 2026-07-28 asks for the tools."""
    return [post_now(ask_now(id, "tools/list"), **more), reply(tell_now(id, LISTED), **more)]


def stream(message: Message, **more: Any) -> Line:
    """An event of a stream, which tells of the head of the response too."""
    headers = {"Content-Type": STREAM, "X-Accel-Buffering": "no"}
    return s2c(message, http={"status": 200, "response_headers": headers}, sse={}, **more)


class Case(Struct, frozen=True, kw_only=True):
    """A trace, the faults in it by line and rule, and what becomes of some rules."""

    name: str
    lines: Sequence[Line]
    found: Sequence[tuple[int, str]] = ()
    outcomes: dict[str, str] = {}
    partial: bool = False


def judge(folder: Path, lines: Iterable[Line], *, partial: bool = False) -> Report:
    """The report on a trace of one file."""
    path = folder / "trace.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return validate([str(path)], Options(partial=partial))


def require(folder: Path, case: Case) -> None:
    """Demand that the faults are named, at their lines, and nothing else is said."""
    report = judge(folder, case.lines, partial=case.partial)
    found = sorted((one.where.line or 0, one.rule) for one in report.findings)
    assert found == sorted(case.found), [one.message for one in report.findings]
    outcomes = {one.rule: one.outcome for one in report.checks if one.rule in case.outcomes}
    assert outcomes == case.outcomes
    errors = any(one.severity == "error" for one in report.findings)
    assert report.summary.outcome == ("fail" if errors else "pass")
