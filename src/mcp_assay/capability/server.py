"""A server's side: the capability announced, the validate tool listed and answered."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.capability.validate_tool import Answers, Check, Checks
from mcp_assay.client.links import NotReached
from mcp_assay.client.memory_link import inner_server
from mcp_assay.spec.tool_validation import EXPERIMENTAL, EXTENSION, ToolValidationCapability

LOGGER: Final = logging.getLogger("mcp_assay.capability")
LIST: Final = "tools/list"
CALL: Final = "tools/call"
MOST_PAGES: Final = 100


def add_tool_validation(
    server: Any,
    *,
    checks: Mapping[str, Check | Mapping[str, Check]] | None = None,
    capability: ToolValidationCapability | None = None,
) -> None:
    """Have a server check calls before they are made: `mcp` 2.x servers, and FastMCP 4.

    Arguments are checked by each tool's schema, then by the author's own checks. Raises TypeError
    for other servers, ValueError for a server without tools and for what cannot be announced.
    """
    inner = _inner(server)
    announced = replace(capability or _default(checks or {}), supported=True)
    _require_sound(announced)
    Serving(inner, announced, Answers(announced, checks or {})).begin()


class Serving:
    """The validation of one server."""

    def __init__(self, server: Any, announced: ToolValidationCapability, answers: Answers) -> None:
        self._server: Final = server
        self._announced: Final = announced
        self._answers: Final = answers
        self._list: Final = server.get_request_handler(LIST)
        self._call: Final = server.get_request_handler(CALL)

    def begin(self) -> None:
        """Announce the capability, and answer for it from now on."""
        server = self._server
        server.add_request_handler(LIST, self._list.params_type, self._on_list)
        server.add_request_handler(CALL, self._call.params_type, self._on_call)
        server.get_capabilities = self._announcing(server.get_capabilities)

    async def _on_list(self, context: Any, params: Any) -> Any:
        """The list of tools, with the validate tool at the end of its last page."""
        listed = await self._list.handler(context, params)
        if listed.next_cursor is not None:
            return listed
        from mcp import types  # noqa: PLC0415  who has such a server has this

        own = types.Tool.model_validate(self._answers.definition())
        others = [tool for tool in listed.tools if tool.name != own.name]
        if len(others) < len(listed.tools):
            LOGGER.warning("the server's own tool %r gives way to the validation", own.name)
        return listed.model_copy(update={"tools": [*others, own]})

    async def _on_call(self, context: Any, params: Any) -> Any:
        """The answer of the validate tool, or of the tool that is called."""
        if params.name != self._announced.method:
            return await self._call.handler(context, params)
        from mcp import types  # noqa: PLC0415  who has such a server has this

        answer = await self._answers.answer(params.arguments or {}, await self._tools(context))
        return types.CallToolResult.model_validate(answer)

    async def _tools(self, context: Any) -> dict[str, dict[str, Any]]:
        """The server's own tools as they are listed for this client."""
        tools: dict[str, dict[str, Any]] = {}
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            params = self._list.params_type(cursor=cursor)
            listed = await self._list.handler(context, params)
            tools |= {
                tool.name: tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                for tool in listed.tools
            }
            cursor = listed.next_cursor
            if cursor is None:
                break
        return tools

    def _announcing(self, get_capabilities: Callable[..., Any]) -> Callable[..., Any]:
        experimental, name = EXPERIMENTAL

        def announcing(*given: Any, **named: Any) -> Any:
            known = get_capabilities(*given, **named)
            announced = self._announced.to_capabilities("2025-11-25")[experimental][name]
            return known.model_copy(
                update={
                    experimental: {**(known.experimental or {}), name: announced},
                    "extensions": {**(known.extensions or {}), EXTENSION: announced},
                }
            )

        return announcing


def _inner(server: Any) -> Any:
    try:
        inner = inner_server(server)
    except NotReached as refusal:
        raise TypeError(str(refusal)) from None
    if inner.get_request_handler(LIST) is None or inner.get_request_handler(CALL) is None:
        raise ValueError("the server has no tools: give it some before their validation")
    return inner


def _require_sound(announced: ToolValidationCapability) -> None:
    if not announced.method:
        raise ValueError("method must be the name of a tool")
    if announced.max_batch_size < 1:
        raise ValueError(f"max_batch_size cannot be {announced.max_batch_size}; at least 1")


def _default(checks: Checks) -> ToolValidationCapability:
    """What is announced where the author says nothing: what the checks given can do."""
    levels = {level: True for own in checks.values() if isinstance(own, Mapping) for level in own}
    return ToolValidationCapability(
        supported=True,
        version="1.0",
        is_async=True,
        levels={"syntax": True, **levels} if levels else {},
        batch_validation=True,
    )
