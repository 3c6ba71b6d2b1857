"""Real servers, over every transport and in both eras, are talked to without a false word."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Command, Endpoint, Target, allowed
from tests.client.connected import options, own_faults, run
from tests.patience import LONGEST
from tests.real.servers import npm_server, python_server

ROOT = Path(__file__).parents[2]
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
ENDS = ["auto", REVISIONS[0], REVISIONS[-1]]
"""FastMCP stands on the library that is talked to in every revision."""
LIBRARIES = ["mcp", "fastmcp"]
ON_PURPOSE = "CALL-010"
"""The rule about arguments that do not fit, which some of ours do not."""


def command(words: list[str]) -> Command:
    return Command(command=tuple(words), environment=allowed(os.environ, {}))


async def all_said(target: Target, revision: str) -> Connection:
    """A conversation in which everything is listed, and notes are read."""
    async with await connect(target, options(revision=revision)) as connection:
        for kind in ("tools", "resources", "templates", "prompts"):
            if connection.declares(kind):
                assert (await connection.list_all(kind)).cut is None
        for arguments in ({"number": 1}, {"number": 99}, {"number": "many"}):
            answer = await connection.call(CallRequest("get_note", arguments))
            assert answer.ending == "answered"
            assert answer.is_result
    return connection


def blameless(connection: Connection) -> None:
    errors = [(one.rule, one.message) for one in connection.findings() if one.severity == "error"]
    assert errors == []
    assert [fault for fault in own_faults(connection) if not fault.startswith(ON_PURPOSE)] == []
    assert connection.limits() == []


@pytest.mark.parametrize(
    ("library", "revision"),
    [("mcp", "auto"), *(("mcp", it) for it in REVISIONS), *(("fastmcp", it) for it in ENDS)],
)
def test_over_stdio(library: str, revision: str) -> None:
    connection = run(all_said(command(python_server(library)), revision))
    blameless(connection)
    assert connection.starts == 1
    assert connection.endings[0].code == 0


@contextmanager
def http_server(*words: str) -> Iterator[str]:
    """A server on a real library over HTTP."""
    if find_spec(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    line = [sys.executable, "-m", "tests.proxy.peers.http_server", *words]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], LONGEST)[0]
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("style", ["", "json", "stateless"])
def test_over_streamable_http(library: str, style: str) -> None:
    with http_server(library, style) as url:
        for revision in ("auto", "2025-11-25", "2025-06-18"):
            connection = run(all_said(Endpoint(url=url), revision))
            blameless(connection)


@pytest.mark.parametrize("library", LIBRARIES)
def test_over_the_transport_of_2024_11_05(library: str) -> None:
    async def twice(url: str) -> Connection:
        async with await connect(Endpoint(url=url), options()) as connection:
            await connection.restart()
            assert (await connection.call(CallRequest("get_note", {"number": 1}))).is_result
        return connection

    with http_server(library, "sse") as url:
        connection = run(all_said(Endpoint(url=url), "auto"))
        blameless(connection)
        assert connection.observations.decided_rules.messages.keys() >= {"2024-11-05"}
        blameless(run(twice(url)))


@pytest.mark.parametrize("revision", ["auto", "2024-11-05", "2025-06-18"])
@pytest.mark.parametrize("name", ["server-everything", "server-memory", "server-filesystem"])
def test_servers_from_npm(name: str, revision: str, tmp_path: Path) -> None:
    folder = [str(tmp_path)] if name == "server-filesystem" else []

    async def main() -> Connection:
        target = command(npm_server(name, *folder))
        async with await connect(target, options(revision=revision)) as connection:
            assert (await connection.list_all("tools")).items
        return connection

    blameless(run(main()))
