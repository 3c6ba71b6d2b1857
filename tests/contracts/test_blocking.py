"""A tool that keeps the thread of its server, or any thread: the run ends, and says what it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Event

import pytest

from mcp_assay.client import memory_link
from mcp_assay.contracts import loop_thread
from mcp_assay.contracts.loop_thread import Held, Host, Stuck
from tests.client.living import eventually
from tests.contracts.projects import Project, failed, outcomes, says

SHOP = '''
import time
from pathlib import Path
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("shop", version="1")
READS = ToolAnnotations(readOnlyHint=True)

@server.tool(annotations=READS)
def quick() -> str:
    """Answer at once."""
    return "done"

@server.tool(annotations=READS)
{}def slow() -> str:
    """Keep a thread."""
    for _ in range(6_000):
        if Path("released").exists():
            break
        time.sleep(0.05)
    return "done"
'''


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project whose slow tool keeps its thread until the end of the test."""
    monkeypatch.setattr(loop_thread, "LISTENING_SECONDS", 2.0)
    monkeypatch.setattr(loop_thread, "BRIEFLY", 0.01)
    monkeypatch.setattr(memory_link, "FAREWELL_SECONDS", 0.1)
    project = Project(pytester)
    project.configure("timeout = 2")
    yield project
    project.put("released", "")


def test_a_tool_that_keeps_the_thread_of_the_server_fails_and_the_rest_is_open(
    project: Project,
) -> None:
    project.write(shop=SHOP.format("async "))
    result = project.run("-v", "-k", "succeeds or sample", "-rs")
    assert len(failed(result)) == 1
    assert says(result, "during slow({}) the server blocks its thread")
    assert says(result, "an earlier call still blocks the thread of the server")


def test_a_tool_that_keeps_another_thread_is_not_waited_for(project: Project) -> None:
    project.write(shop=SHOP.format(""))
    result = project.run("-v", "-k", "succeeds")
    assert failed(result) == {"slow::a-valid-call-succeeds"}
    assert outcomes(result)["quick::a-valid-call-succeeds"] == "passed"
    assert says(result, "slow({}) timed out")


def test_a_thread_that_comes_back_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    host, released = Host(0.05), Event()

    async def block() -> str:
        released.wait()
        return "done"

    def comes_back() -> bool:
        with suppress(Held):
            return host.run(block()) == "done"
        return False

    with monkeypatch.context() as impatient:
        impatient.setattr(loop_thread, "LISTENING_SECONDS", 0.05)
        with pytest.raises(Stuck):
            host.run(block())
        with pytest.raises(Held):
            host.run(block())
    released.set()
    assert eventually(comes_back)
    host.close()
