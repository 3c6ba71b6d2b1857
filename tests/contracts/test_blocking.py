"""A tool that keeps the thread of its server, or any thread: the run ends, and says what it was."""

from __future__ import annotations

import time

import pytest

from mcp_assay.contracts import hosting
from mcp_assay.contracts.hosting import Held, Host, Stuck
from mcp_assay.transport import memory_link
from tests.contracts.projects import Project, failed, outcomes, says

SHOP = '''
import time
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
    time.sleep(2)
    return "done"
'''


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(hosting, "LISTENING_SECONDS", 0.3)
    monkeypatch.setattr(hosting, "BRIEFLY", 0.01)
    monkeypatch.setattr(memory_link, "FAREWELL_SECONDS", 0.1)
    project = Project(pytester)
    project.configure("timeout = 0.3")
    return project


def test_a_tool_that_keeps_the_thread_of_the_server_fails_and_the_rest_is_open(
    project: Project,
) -> None:
    project.write(shop=SHOP.format("async "))
    began = time.monotonic()
    result = project.run("-v", "-k", "succeeds or sample", "-rs")
    assert time.monotonic() - began < 60
    assert len(failed(result)) == 1
    assert says(result, "during slow({}) the server blocks the thread that it runs in")
    assert says(result, "an earlier call still blocks the thread of the server")


def test_a_tool_that_keeps_another_thread_is_not_waited_for(project: Project) -> None:
    project.write(shop=SHOP.format(""))
    result = project.run("-v", "-k", "succeeds")
    assert failed(result) == {"slow::a-valid-call-succeeds"}
    assert outcomes(result)["quick::a-valid-call-succeeds"] == "passed"
    assert says(result, "slow({}) was not answered in time")


def test_a_thread_that_comes_back_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "LISTENING_SECONDS", 0.05)
    monkeypatch.setattr(hosting, "BRIEFLY", 0.01)
    host = Host(0.05)

    async def block(seconds: float) -> str:
        time.sleep(seconds)  # noqa: ASYNC251  that is what is tested
        return "done"

    with pytest.raises(Stuck):
        host.run(block(1.0))
    with pytest.raises(Held):
        host.run(block(0.0))
    time.sleep(1.0)
    assert host.run(block(0.0)) == "done"
    host.close()
