"""Every field that a server can announce crosses a real wire, and does what it says."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fastmcp
import mcp
import pytest
from msgspec.structs import fields

from mcp_assay.capability import Caching, ToolValidationCapability, ToolValidator, validator
from mcp_assay.model.tool_check import ToolCheck
from mcp_assay.spec.tool_validation import EXTENSION
from tests.capability.every_field import CAPABILITY, make
from tests.capability.serving import served
from tests.patience import LONGEST

SERVER = str(Path(__file__).with_name("every_field.py"))
LIBRARIES = ("mcp", "fastmcp")
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
GOOD = {"path": "/x", "content": "y"}
LOCKED = {"path": "/locked", "content": "y"}


class ValidationSession:
    """A conversation with the server: a validator, and what it sent."""

    def __init__(self, client: Any, validator: ToolValidator, clock: SimpleNamespace) -> None:
        self.client, self.validator, self.clock = client, validator, clock
        self.said = validator.capability
        self.sent: list[tuple[str, dict[str, Any]]] = []
        name = "call_tool_mcp" if hasattr(client, "call_tool_mcp") else "call_tool"
        self._call = getattr(client, name)
        setattr(client, name, self._noted)

    async def _noted(self, name: str, arguments: dict[str, Any]) -> Any:
        self.sent.append((name, arguments))
        return await self._call(name, arguments)

    async def check(self, arguments: dict[str, Any], **more: Any) -> ToolCheck:
        return await self.validator.validate("write_file", arguments, **more)

    async def change(self, what: str) -> None:
        """Have the server say that something changed, until that was received."""
        await self._call("change", {"what": what})
        async with asyncio.timeout(LONGEST):
            while True:
                await asyncio.sleep(0.01)
                if not (await self.check(GOOD)).cached:
                    return


async def supported(session: ValidationSession) -> None:
    assert session.validator.supported
    assert (await session.check(GOOD)).method == "native"


async def method(session: ValidationSession) -> None:
    listed = await session.client.list_tools()
    names = [tool.name for tool in getattr(listed, "tools", listed)]
    assert names == ["change", "write_file", "check_call"]
    await session.check({"path": "/method"})
    assert session.sent[-1] == (
        "check_call",
        {"tool": "write_file", "arguments": {"path": "/method"}},
    )


async def version(session: ValidationSession) -> None:
    assert session.said.version == "1.0"


async def is_async(session: ValidationSession) -> None:
    assert session.said.is_async
    assert (await session.check(LOCKED)).errors == ["The path is locked."]


async def streaming(session: ValidationSession) -> None:
    assert session.said.streaming
    assert (await session.check({"path": "/streaming"})).method == "native"


async def context_aware(session: ValidationSession) -> None:
    check = await session.check(GOOD, context={"user": "guest"})
    assert check.errors == ["A guest may not write."]
    assert session.sent[-1][1]["context"] == {"user": "guest"}


async def levels(session: ValidationSession) -> None:
    assert (await session.check(LOCKED, levels=["syntax"])).valid
    assert (await session.check(LOCKED, levels=["semantic", "runtime"])).errors
    wise = await session.check({"path": "/x"}, levels=["semantic"])
    assert (wise.warnings, wise.suggestions) == (["It will be empty."], ["Add content."])
    reported = (await session.check(GOOD, levels=["security"])).warnings
    assert reported == ["The server does not offer checks of the level 'security'."]


async def batch_validation(session: ValidationSession) -> None:
    misspelt = {"pth": "/x"}
    found = await session.validator.validate_batch(
        [("write_file", LOCKED), ("nothing", {}), ("write_file", misspelt)]
    )
    assert [check.valid for check in found] == [False, False, False]
    assert found[2].suggestions == ["Did you mean 'path' instead of 'pth'?"]


async def max_batch_size(session: ValidationSession) -> None:
    session.sent.clear()
    calls = [("write_file", {"path": f"/{n}", "content": "y"}) for n in range(5)]
    found = await session.validator.validate_batch(calls)
    assert [check.valid for check in found] == [True] * 5
    assert [len(asked["calls"]) for _, asked in session.sent] == [2, 2, 1]


async def cacheable(session: ValidationSession) -> None:
    assert session.said.cacheable


async def enabled(session: ValidationSession) -> None:
    await session.check(GOOD)
    session.sent.clear()
    assert (await session.check(GOOD)).cached
    assert session.sent == []


async def ttl(session: ValidationSession) -> None:
    await session.check(GOOD)
    session.clock.now += 3599
    assert (await session.check(GOOD)).cached
    session.clock.now += 2
    assert not (await session.check(GOOD)).cached


async def invalidate_on(session: ValidationSession) -> None:
    for what in ("tools", "resources"):
        await session.check(GOOD)
        assert (await session.check(GOOD)).cached
        await session.change(what)


async def caching(session: ValidationSession) -> None:
    assert session.said.caching == CAPABILITY.caching


PROOFS: tuple[Callable[[ValidationSession], Awaitable[None]], ...] = (
    *(supported, method, version, is_async, streaming, context_aware, levels, batch_validation),
    *(max_batch_size, cacheable, caching, enabled, ttl, invalidate_on),
)
"""What shows that a field means what it says, by the name of the field."""


def test_no_field_is_forgotten() -> None:
    every = {one.name for one in (*fields(ToolValidationCapability), *fields(Caching))}
    assert {proof.__name__ for proof in PROOFS} == every
    assert all(getattr(CAPABILITY, one.name) for one in fields(CAPABILITY))
    assert all(getattr(CAPABILITY.caching, one.name) for one in fields(Caching))


def client_of(library: str, target: Any, mode: Any) -> Any:
    """The client of this library; each is asked by its own."""
    if library == "mcp":
        return mcp.Client(target, mode=mode)
    return fastmcp.Client(target, mode=mode)


@asynccontextmanager
async def over(transport: str, library: str, mode: str) -> AsyncIterator[Any]:
    """A client of the server, over this transport."""
    if transport == "http":
        async with served(make(library)) as url, client_of(library, url, mode) as client:
            yield client
        return
    parameters = mcp.StdioServerParameters(command=sys.executable, args=[SERVER, library])
    pipes: Any = mcp.stdio_client(parameters)
    if library == "fastmcp":
        pipes = fastmcp.client.transports.StdioTransport(sys.executable, [SERVER, library])
    async with client_of(library, pipes, mode) as client:
        yield client


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_every_field_crosses_the_wire(
    transport: str, library: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(validator, "time", SimpleNamespace(monotonic=lambda: clock.now))

    async def converse() -> None:
        async with (
            over(transport, library, mode) as client,
            ToolValidator(client, timeout=LONGEST) as asked,
        ):
            assert asked.capability == CAPABILITY
            assert client.protocol_version == ERAS[mode]
            extensions = client.server_capabilities.extensions or {}
            assert (EXTENSION in extensions) is (mode == "auto")
            for proof in PROOFS:
                await proof(ValidationSession(client, asked, clock))

    asyncio.run(converse())
