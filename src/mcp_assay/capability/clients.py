"""Whatever talks to a server, as the few things that a validator needs of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeAlias, TypeVar, cast

from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.spec.tool_validation import RESOURCE_CHANGE, TOOL_UPDATE

T = TypeVar("T")

OnNotification: TypeAlias = Callable[[str], None]
"""Gets the method of each notification of the server."""


ASKED: Final = {TOOL_UPDATE: "tools_list_changed", RESOURCE_CHANGE: "resources_list_changed"}
"""How a client asks to be notified of an event, since 2026-07-28."""


class ClientServer:
    """The server behind a client: `mcp.Client`, `fastmcp.Client`, or one with the same methods."""

    def __init__(self, client: object) -> None:
        self._client: Final = cast(Any, client)

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the server declared, as on the wire."""
        client = self._client
        known = client.server_capabilities if _has(client, "server_capabilities") else None
        found = plain(client.capabilities if known is None else known)
        return found if isinstance(found, Mapping) else {}

    async def tools(self) -> dict[str, dict[str, Any]]:
        """The tools of the server by name, as on the wire."""
        listed = await self._client.list_tools()
        tools = plain(getattr(listed, "tools", listed))
        if isinstance(tools, Mapping):
            tools = tools.get("tools")
        return {
            tool["name"]: tool
            for tool in (tools if isinstance(tools, list) else [])
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        }

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call a tool; give its result as on the wire. Raises whatever the client raises."""
        call = getattr(self._client, "call_tool_mcp", self._client.call_tool)
        result = plain(await call(name, dict(arguments)))
        return result if isinstance(result, Mapping) else {}

    @property
    def is_notified(self) -> bool:
        """Whether notifications come by themselves: since 2026-07-28 one has to ask for them."""
        return str(getattr(self._client, "protocol_version", None) or "") < R2026_07_28

    @asynccontextmanager
    async def subscribed(
        self, events: Collection[str], seconds: float, hears: Callable[[bool], None]
    ) -> AsyncIterator[None]:
        """Ask to be notified of these events meanwhile; somebody learns whether that is so."""
        import anyio  # noqa: PLC0415  who has such a client has both
        from mcp.client.subscriptions import listen  # noqa: PLC0415

        wanted: dict[str, Any] = {name: True for event, name in ASKED.items() if event in events}
        is_settled = anyio.Event()

        async def stay() -> None:
            with suppress(Exception):  # whatever the server does about it, it is not to fail us
                async with listen(self._client.session, **wanted) as stream:
                    hears(all(getattr(stream.honored, name) for name in wanted))
                    is_settled.set()
                    async for _ in stream:
                        continue
            hears(False)
            is_settled.set()

        async with anyio.create_task_group() as group:
            group.start_soon(stay)
            with anyio.move_on_after(seconds):
                await is_settled.wait()
            yield
            group.cancel_scope.cancel()

    def listen(self, on_notification: OnNotification) -> bool:
        """Have someone told of notifications; False where this client gives no chance."""
        session = getattr(self._client, "session", None)
        handler = getattr(session, "_message_handler", None)
        if handler is None:
            return False
        setattr(session, "_message_handler", _also_notify(handler, on_notification))  # noqa: B010  it is private
        return True


async def within(seconds: float, work: Awaitable[T]) -> T:
    """What comes of some work within so many seconds; raises TimeoutError, on asyncio and trio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from anyio import fail_after  # noqa: PLC0415  who is not on asyncio has this

        with fail_after(seconds):
            return await work
    async with asyncio.timeout(seconds):
        return await work


def plain(value: object) -> object:
    """A value as on the wire, where a client gives objects of its own."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(mode="json", by_alias=True, exclude_none=True)


def _also_notify(
    handler: Callable[[Any], Awaitable[None]], on_notification: OnNotification
) -> Callable[[Any], Awaitable[None]]:
    async def both(message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if isinstance(method, str):
            on_notification(method)
        await handler(message)

    return both


def _has(client: object, name: str) -> bool:
    return hasattr(type(client), name) or name in getattr(client, "__dict__", {})
