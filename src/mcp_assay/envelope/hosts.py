"""Who calls a wrapped tool: anybody, or a server of `mcp` 2.x or FastMCP 4.

Anybody gets a response as a dict. These servers would take a dict for data, so they get the result
object that both of them send as it is; but only for the call that they make themselves. What that
calls, and prompts and resources, get dicts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, Final, ForwardRef

from mcp_assay.envelope.convert import result_of

CONTEXT_NAME: Final = "mcp_assay_context"
"""The argument in which a server of `mcp` hands over its context, which tells that it calls.

It has an annotation and no place in the signature: the server looks for the one, people and input
schemas for the other.
"""
CONTEXT: Final = ForwardRef("context_class()", module=__name__)
"""The annotation: what it stands for is found out when a server looks, and loaded by then."""

CALL: Final = "tools/call"
RUNS_TOOLS: Final = "fastmcp.tools.function_tool"
"""The module in which FastMCP calls the function of a tool, which it calls `fn`."""

_ANSWERED: Final[ContextVar[object]] = ContextVar("mcp_assay_answered", default=None)
"""The context of the server whose call is being answered."""


def context_class() -> type:
    """What a server of `mcp` calls tools with; the class of None where none is loaded."""
    server = sys.modules.get("mcp.server.mcpserver")
    return getattr(server, "Context", type(None))


def calling_server(tool: Callable[..., Any], arguments: Iterable[object]) -> object:
    """The context of the server that makes this call of a tool, None where anybody else does."""
    context = _context(tool, arguments)
    if context is None or context is _ANSWERED.get() or _method(context) != CALL:
        return None
    return context


@contextmanager
def answering(context: object) -> Iterator[None]:
    """Mark what happens within as part of the answer to a server's call."""
    if context is None:
        yield
        return
    token = _ANSWERED.set(context)
    try:
        yield
    finally:
        _ANSWERED.reset(token)


def is_protocol_error(fault: Exception) -> bool:
    """Whether an exception is meant for the protocol, and the server must see it."""
    return isinstance(fault, getattr(sys.modules.get("mcp.shared.exceptions"), "MCPError", ()))


def result_object(response: dict[str, Any]) -> object:
    """The result that both servers send as it is, of a response that is complete."""
    from mcp.types import CallToolResult  # noqa: PLC0415  loaded already where a server calls

    return CallToolResult.model_validate(result_of(response))


def _context(tool: Callable[..., Any], arguments: Iterable[object]) -> object:
    kind = context_class()
    given = (one for one in arguments if one is not None and isinstance(one, kind))
    context = next(given, None)
    return _fastmcp_context(tool) if context is None else context


def _fastmcp_context(tool: Callable[..., Any]) -> object:
    dependencies = sys.modules.get("fastmcp.server.dependencies")
    if dependencies is None:
        return None
    try:
        context: object = dependencies.get_context()
    except RuntimeError:
        return None
    return context if _is_run_by_fastmcp(tool) else None


def _is_run_by_fastmcp(tool: Callable[..., Any]) -> bool:
    """Whether the tool that runs is this function, however decorated, and not one that calls it."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") == RUNS_TOOLS and "fn" in frame.f_locals:
            return any(layer is tool for layer in _layers(frame.f_locals["fn"]))
        frame = frame.f_back
    return True


def _layers(fn: Any) -> Iterator[Any]:
    """A function and what is inside of it: decorated, bound or partly applied."""
    while fn is not None:
        yield fn
        inner = (getattr(fn, name, None) for name in ("__func__", "__wrapped__", "func"))
        fn = next(filter(None, inner), None)


def _method(context: object) -> str:
    """What the server was asked for; where nobody can say, a call."""
    try:
        request: Any = getattr(context, "request_context", None)
    except (ValueError, RuntimeError):
        return CALL
    method = getattr(getattr(request, "_srctx", request), "method", None)
    return method if isinstance(method, str) else CALL
