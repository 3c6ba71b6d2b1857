"""Sessions between real peers, recorded by the proxy: none of them gives a false error."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.report import Report
from mcp_assay.validate import validate
from tests.patience import LONGEST
from tests.real.servers import npm_server, python_server

mcp = pytest.importorskip("mcp", reason="mcp is not installed")

NOTES = [
    ("get_note", {"number": 1}),
    ("count_notes", {}),
    ("get_note", {"number": "many"}),
    ("get_note", {"number": 99}),
]
EVERYTHING: list[tuple[str, dict[str, Any]]] = [
    ("echo", {"message": "hello"}),
    ("get-sum", {"a": 1, "b": 2}),
    ("get-annotated-message", {"messageType": "success", "includeImage": True}),
    ("get-structured-content", {"location": "Chicago"}),
    ("get-tiny-image", {}),
    ("get-resource-links", {"count": 2}),
    ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
    ("trigger-long-running-operation", {"duration": 1, "steps": 3}),
    ("get-sum", {"a": "one"}),
]
FILES: list[tuple[str, dict[str, Any]]] = [
    ("list_allowed_directories", {}),
    ("list_directory", {"path": "."}),
    ("write_file", {"path": "note.txt", "content": "tea"}),
    ("read_text_file", {"path": "note.txt"}),
    ("read_text_file", {"path": "missing.txt"}),
]
MEMORY: list[tuple[str, dict[str, Any]]] = [
    (
        "create_entities",
        {"entities": [{"name": "Anna", "entityType": "person", "observations": ["drinks tea"]}]},
    ),
    ("read_graph", {}),
    ("search_nodes", {"query": "tea"}),
]


async def _received(*_: Any) -> None:
    """Take a log message, or progress, and do nothing with it."""


async def converse(command: list[str], mode: str, calls: list[tuple[str, Any]]) -> None:
    """Let the official client list and use all that the server offers."""
    server = mcp.StdioServerParameters(command=command[0], args=command[1:])
    async with mcp.Client(server, mode=mode, logging_callback=_received) as client:
        await client.list_tools()
        offered = client.server_capabilities
        if offered.resources is not None:
            await client.list_resource_templates()
            for resource in (await client.list_resources()).resources[:2]:
                await client.read_resource(resource.uri)
        if offered.prompts is not None:
            await client.list_prompts()
        for name, arguments in calls:
            await client.call_tool(name, arguments, progress_callback=_received)


def recorded(command: list[str], mode: str, calls: list[tuple[str, Any]], trace: Path) -> Report:
    """What is found in the session, which the proxy writes down."""
    proxied = [sys.executable, "-m", "mcp_assay", "proxy", "--record", str(trace), "--", *command]
    asyncio.run(asyncio.wait_for(converse(proxied, mode, calls), LONGEST))
    return validate([str(trace)])


def errors(report: Report) -> list[tuple[str, int | None, str]]:
    return [
        (one.rule, one.where.line, one.message)
        for one in report.findings
        if one.severity == "error"
    ]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("library", ["mcp", "fastmcp"])
def test_the_official_client_and_python_servers(library: str, mode: str, tmp_path: Path) -> None:
    report = recorded(python_server(library), mode, NOTES, tmp_path / "trace.jsonl")
    assert errors(report) == []
    assert report.revision == ("2026-07-28" if mode == "auto" else "2025-11-25")
    assert report.summary.messages >= 2 * len(NOTES)
    assert report.summary.sessions == 1


NPM: list[tuple[str, Callable[[Path], list[str]], list[tuple[str, Any]]]] = [
    ("everything", lambda _: npm_server("server-everything", "stdio"), EVERYTHING),
    ("filesystem", lambda folder: npm_server("server-filesystem", str(folder)), FILES),
    ("memory", lambda _: npm_server("server-memory"), MEMORY),
]


@pytest.mark.parametrize(("name", "command", "calls"), NPM, ids=[name for name, _, _ in NPM])
def test_the_official_client_and_servers_from_npm(
    name: str,
    command: Callable[[Path], list[str]],
    calls: list[tuple[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMORY_FILE_PATH", str(tmp_path / "memory.json"))
    report = recorded(command(tmp_path), "auto", calls, tmp_path / "trace.jsonl")
    assert errors(report) == []
    assert report.summary.messages >= 2 * len(calls)
