"""Whatever talks to a server, as the few things that a validator needs of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, cast

Heard: TypeAlias = Callable[[str], None]
"""Who is told the method of each notification of the server."""


class Server:
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

    def listen(self, heard: Heard) -> bool:
        """Have someone told of notifications; False where this client gives no chance."""
        session = getattr(self._client, "session", None)
        handler = getattr(session, "_message_handler", None)
        if handler is None:
            return False
        setattr(session, "_message_handler", _told_too(handler, heard))  # noqa: B010  it is private
        return True


def plain(value: object) -> object:
    """A value as on the wire, where a client gives objects of its own."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(mode="json", by_alias=True, exclude_none=True)


def _told_too(
    handler: Callable[[Any], Awaitable[None]], heard: Heard
) -> Callable[[Any], Awaitable[None]]:
    async def both(message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if isinstance(method, str):
            heard(method)
        await handler(message)

    return both


def _has(client: object, name: str) -> bool:
    return hasattr(type(client), name) or name in getattr(client, "__dict__", {})
