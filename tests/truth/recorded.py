"""Recorded sessions for tests: lines of a trace, and what `validate` makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Check, Report
from mcp_assay.validate import Options, validate

Line = dict[str, Any]

CLIENT: Final = {"name": "editor", "version": "1.0"}
SERVER: Final = {"name": "notes", "version": "1.0"}
META: Final = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
LISTS: Final = {
    "tools": "tools/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "prompts": "prompts/list",
}


def c2s(message: Any, **more: Any) -> Line:
    return {"dir": "c2s", "message": {"jsonrpc": "2.0", **message}, **more}


def s2c(message: Any, **more: Any) -> Line:
    return {"dir": "s2c", "message": {"jsonrpc": "2.0", **message}, **more}


def opened(revision: str = "2025-11-25", **capabilities: Any) -> list[Line]:
    """The handshake: three lines."""
    asked = {"protocolVersion": revision, "capabilities": {}, "clientInfo": CLIENT}
    declared = capabilities or {"tools": {}, "resources": {}, "prompts": {}}
    agreed = {"protocolVersion": revision, "capabilities": declared, "serverInfo": SERVER}
    return [
        c2s({"id": 0, "method": "initialize", "params": asked}),
        s2c({"id": 0, "result": agreed}),
        c2s({"method": "notifications/initialized"}),
    ]


def asked(id: int, method: str, params: Any = None, answer: Any = None) -> list[Line]:
    """A request and its result: two lines."""
    sent = {"id": id, "method": method} | ({} if params is None else {"params": params})
    return [c2s(sent), s2c({"id": id, "result": {} if answer is None else answer})]


def page(
    id: int, member: str, definitions: Any, *, cursor: Any = None, following: Any = None
) -> list[Line]:
    """A page of a list: the request for it and the answer."""
    params = None if cursor is None else {"cursor": cursor}
    more = {} if following is None else {"nextCursor": following}
    return asked(id, LISTS[member], params, {member: definitions, **more})


def told(method: str, **params: Any) -> list[Line]:
    """A notification of the server."""
    return [s2c({"method": f"notifications/{method}", **({"params": params} if params else {})})]


def tool(name: Any = "get_note", **members: Any) -> dict[str, Any]:
    """A tool about which there is nothing to say, but for what is given."""
    properties = {"id": {"type": "integer", "description": "The number of the note"}}
    usual = {
        "name": name,
        "description": "Reads one note",
        "inputSchema": {"type": "object", "properties": properties},
        "annotations": {"openWorldHint": False},
    }
    return {key: value for key, value in {**usual, **members}.items() if value is not None}


def judged(folder: Path, lines: Iterable[Line], **options: Any) -> Report:
    """What `validate` says about a trace of these lines."""
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return validate([str(path)], Options(**options))


def found(report: Report, *rules: str) -> list[tuple[str, int | None, str]]:
    """Rule, line and pointer of the findings, of these rules where some are named."""
    wanted = [one for one in report.findings if not rules or one.rule in rules]
    return [(one.rule, one.where.line, one.pointer) for one in wanted]


def the(report: Report, rule: str) -> Finding:
    """The only finding of a rule."""
    (finding,) = [one for one in report.findings if one.rule == rule]
    return finding


def check(report: Report, rule: str) -> Check:
    """What became of a rule."""
    (row,) = [one for one in report.checks if one.rule == rule]
    return row
