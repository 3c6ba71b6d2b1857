"""What real servers list has no error; what is recommended and not done is all that is said."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from mcp_assay.lint import LintOptions, lint
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25
from tests.patience import LONGEST
from tests.real.servers import npm_server, python_server

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
SERVERS = ("mcp", "fastmcp", "everything", "memory", "filesystem")
RECOMMENDED = {"TOOL-019"}
"""What the newest revisions recommend, and many servers do not do."""


def command_of(name: str, folder: Path) -> list[str]:
    if name in ("mcp", "fastmcp"):
        return python_server(name)
    arguments = [str(folder)] if name == "filesystem" else []
    return npm_server(f"server-{name}", *arguments)


class Peer:
    """A server behind pipes, asked one thing after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, id: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout is not None
        self.send(id=id, method=method, params=params)
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line) if line.startswith("{") else {}
            if message.get("id") == id and "method" not in message:
                return message
        raise AssertionError(f"The server ended before it answered {method}.")


def listed(command: list[str], revision: str) -> dict[str, Any]:
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    watchdog = Timer(LONGEST, process.kill)
    watchdog.start()
    try:
        peer = Peer(process)
        client = {"name": "inspector", "version": "1.0"}
        hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
        peer.ask(0, "initialize", hello)
        peer.send(method="notifications/initialized")
        answers = {method: peer.ask(1, method, {}).get("result", {}) for method in LISTS}
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()
    return {name: answers[method].get(name, []) for method, name in LISTS.items()}


@pytest.mark.parametrize("revision", [R2025_06_18, R2025_11_25])
@pytest.mark.parametrize("name", SERVERS)
def test_real_definitions_are_not_found_fault_with(
    name: str, revision: str, tmp_path: Path
) -> None:
    path = tmp_path / "surface.json"
    path.write_text(json.dumps(listed(command_of(name, tmp_path), revision)), "utf-8")
    report = lint(str(path), LintOptions(revision=revision, ignore=("SCHEMA-005",)))
    assert report.summary.tools_listed > 0
    warned = {one.rule for one in report.findings if one.severity != "info"}
    assert warned <= RECOMMENDED
