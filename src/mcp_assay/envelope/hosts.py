"""Who calls a wrapped tool: anybody, or a server of `mcp` 2.x or FastMCP 4.

Anybody gets a response as a dict. These servers would take a dict for data, so they get the result
object that both of them send as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from mcp_assay.envelope.convert import to_call_tool_result

CONTEXT_NAME: Final = "mcp_assay_context"
"""The argument in which a server of `mcp` hands over its context, which tells that it calls.

It has an annotation and no place in the signature: the server looks for the one, people and input
schemas for the other.
"""


@cache
def context_class() -> type | None:
    """What a server of `mcp` calls tools with, None where that library is not installed."""
    if find_spec("mcp") is None:
        return None
    try:
        from mcp.server.mcpserver import Context  # noqa: PLC0415  slow, and not always there
    except ImportError:
        return None
    return Context


def is_called_by_server(arguments: Iterable[object]) -> bool:
    """Whether a server makes this call: its context is one of the arguments, or is set."""
    context = context_class()
    if context is not None and any(isinstance(one, context) for one in arguments):
        return True
    return _is_in_fastmcp()


def is_protocol_error(fault: Exception) -> bool:
    """Whether an exception is meant for the protocol, and the server must see it."""
    return isinstance(fault, getattr(sys.modules.get("mcp.shared.exceptions"), "MCPError", ()))


def result_object(response: dict[str, Any]) -> object:
    """The result that both servers send as it is."""
    from mcp.types import CallToolResult  # noqa: PLC0415  loaded already where a server calls

    return CallToolResult.model_validate(to_call_tool_result(response))


def _is_in_fastmcp() -> bool:
    dependencies = sys.modules.get("fastmcp.server.dependencies")
    if dependencies is None:
        return False
    try:
        dependencies.get_context()
    except RuntimeError:
        return False
    return True
