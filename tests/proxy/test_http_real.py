"""The official client talks to real servers through the proxy as it does without it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from mcp_assay.client.frames import Frame
from mcp_assay.client.http_frames import HttpMessages
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.proxy.enforcement import Enforcement
from mcp_assay.rules.engine.checker import SessionChecker
from tests.patience import LONGEST
from tests.proxy.http_peers import proxied

ROOT = Path(__file__).resolve().parents[2]
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""How the client connects, each with the revision that it comes to speak."""
SERVERS = [["mcp"], ["mcp", "json", "stateless"], ["fastmcp"]]

pytestmark = pytest.mark.skipif(
    find_spec("mcp") is None or find_spec("fastmcp") is None,
    reason="mcp and fastmcp are not installed",
)


@asynccontextmanager
async def real_server(*words: str) -> AsyncIterator[str]:
    """The URL of a server in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.proxy.peers.http_server", *words),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LONGEST):
            yield (await process.stdout.readline()).decode().strip()
    finally:
        process.kill()
        await process.wait()


async def conversation(client: Any) -> list[Any]:
    """What a client receives."""
    reported: list[Any] = []

    async def note(progress: float, total: float | None, _: str | None) -> None:
        reported.append((progress, total))

    async with client:
        tools = await client.list_tools()
        reported.append([tool.name for tool in tools.tools])
        reported.append(await client.call_tool("get_note", {"number": 1}))
        reported.append(await client.call_tool("get_note", {"number": 99}))
        reported.append(await client.call_tool("read_all", {}, progress_callback=note))
        reported.append(await client.list_prompts())
    return reported


def received(frames: Iterable[Frame]) -> list[Entry]:
    messages = HttpMessages()
    return [one for frame in frames for one in messages.feed(frame)]


def judged(all_received: Iterable[Entry]) -> tuple[dict[str, SessionChecker], list[Finding]]:
    """The conversations, and what is found when each is judged to its end."""
    conversations: dict[str, SessionChecker] = defaultdict(SessionChecker)
    found: list[Finding] = []
    for one in all_received:
        checker = conversations[one.conn]
        if one.text is None:
            found += checker.hear(one.direction, delivery=one)
        else:
            found += checker.check(one.text, one.direction, delivery=one)
    for checker in conversations.values():
        found += [finding for _, finding in checker.close()]
    return conversations, found


def errors(found: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(one.rule, one.message) for one in found if one.severity == "error"]


class Reported(Struct):
    """What a client received without and with the proxy, and what the validator received."""

    directly: list[Any]
    through: list[Any]
    held: list[Any]
    received: list[Entry]


async def both_ways(url: str, client: Callable[[str], Any]) -> Reported:
    directly = await conversation(client(url))
    async with proxied(url) as between:
        through = await conversation(client(between.url))
    async with proxied(url, Enforcement()) as guarded:
        held = await conversation(client(guarded.url))
    return Reported(directly, through, held, received(between.tap.frames))


def run(words: list[str], clients: Iterable[Callable[[str], Any]]) -> list[Reported]:
    """What each client received from a server of this kind."""

    async def in_turn() -> list[Reported]:
        async with real_server(*words) as url:
            return [await both_ways(url, client) for client in clients]

    return asyncio.run(in_turn())


@pytest.mark.parametrize("words", SERVERS, ids="-".join)
def test_a_real_client_and_a_real_server_do_not_notice_the_proxy(words: list[str]) -> None:
    from mcp import Client  # noqa: PLC0415  not everybody has it

    clients = [partial(Client, mode=mode) for mode in MODES]
    for revision, reported in zip(MODES.values(), run(words, clients), strict=True):
        assert reported.held == reported.through == reported.directly
        assert sum(one.text is not None for one in reported.received) >= 12
        conversations, found = judged(reported.received)
        assert [checker.revision for checker in conversations.values()] == [revision]
        assert errors(found) == []


def test_the_transport_of_the_first_revision_is_one_conversation() -> None:
    from mcp import Client  # noqa: PLC0415  not everybody has it
    from mcp.client.sse import sse_client  # noqa: PLC0415

    (reported,) = run(["mcp", "sse"], [lambda url: Client(sse_client(url), mode="legacy")])
    assert reported.held == reported.through == reported.directly
    kinds = {(one.conn, one.transport) for one in reported.received if one.text}
    assert kinds == {("http-1", "sse")}
    assert errors(judged(reported.received)[1]) == []
