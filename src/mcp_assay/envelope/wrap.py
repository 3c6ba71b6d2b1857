"""A tool's function -> the same function, whose every answer keeps the profile."""

from __future__ import annotations

import functools
import inspect
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, ParamSpec

from mcp_assay.envelope.build import create_error_response, sayable
from mcp_assay.envelope.completion import response_of
from mcp_assay.envelope.hosts import (
    CONTEXT,
    CONTEXT_NAME,
    answering,
    calling_server,
    is_protocol_error,
    result_object,
)
from mcp_assay.envelope.results import asks_for_input
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.words import REDACTED

Parameters = ParamSpec("Parameters")

LOG: Final = logging.getLogger("mcp_assay.envelope")
HIDDEN: Final = "The tool failed; see the server log"
"""The message of a failure whose exception the caller is not to see."""
USER_IN_ADDRESS: Final = r"(://)[^\s/@]+:[^\s/@]+(@)"
"""Somebody's name and password in the address of a database or the like."""
WORDS_OF_A_NAME: Final = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


def wrap_tool_response(
    fn: Callable[Parameters, Any], *, expose_errors: bool = True
) -> Callable[Parameters, Any]:
    """Let a function answer with a response, whatever it returns or raises.

    Name, docstring and parameters stay as they are. The return annotation does not: the function no
    longer returns that. The caller learns the message of an exception, without secrets that can be
    known by their looks; with `expose_errors=False`, its class alone.
    """
    require_callable(fn)
    tool = _Tool(fn, expose_errors)
    return _dressed(tool.awaiting() if is_async(fn) else tool.calling(), fn)


def require_callable(fn: object) -> None:
    """Raise TypeError for what nobody can call, such as a class method within its class."""
    if not callable(fn):
        raise TypeError(f"expected a function, got {type(fn).__name__}")


def is_async(fn: Callable[..., Any]) -> bool:
    """Whether calling this gives something to await, as far as can be known before."""
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(
        getattr(fn, "__call__", None)  # noqa: B004  it may be an object with an async __call__
    )


def _name_of(fn: Callable[..., Any]) -> str:
    """The name of a function, of what a partial is made of, or of the class of a callable."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    return getattr(fn, "__name__", type(fn).__name__)


class _Tool:
    """A function whose every answer is a response."""

    def __init__(self, fn: Callable[..., Any], exposes: bool) -> None:
        self._fn: Final = fn
        self._exposes: Final = exposes

    def calling(self) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return self._called(calling_server(wrapper, (*args, *kwargs.values())), args, kwargs)

        return wrapper

    def awaiting(self) -> Callable[..., Any]:
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            server = calling_server(wrapper, (*args, *kwargs.values()))
            answer = self._called(server, args, kwargs)
            return await answer if inspect.isawaitable(answer) else answer

        return wrapper

    def _called(self, server: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        kwargs.pop(CONTEXT_NAME, None)
        try:
            with answering(server):
                returned = self._fn(*args, **kwargs)
            if inspect.isawaitable(returned):
                return self._finished(returned, server)
            return _answered(returned, server)
        except Exception as fault:  # noqa: BLE001  whatever a tool raises becomes a response
            return self._raised(fault, server)

    async def _finished(self, coming: Awaitable[Any], server: object) -> Any:
        try:
            with answering(server):
                returned = await coming
            return _answered(returned, server)
        except Exception as fault:  # noqa: BLE001  whatever a tool raises becomes a response
            return self._raised(fault, server)

    def _raised(self, fault: Exception, server: object) -> Any:
        """The response to a call that raised this: ValueError gives the code VALUE_ERROR."""
        if server is not None and is_protocol_error(fault):
            raise fault
        tool, name = _name_of(self._fn), type(fault).__name__
        LOG.error("The tool %s failed; its caller gets an error response.", tool, exc_info=fault)
        code = re.sub(WORDS_OF_A_NAME, "_", name).upper()
        words = _said(fault, name) if self._exposes else HIDDEN
        return _given(create_error_response(words, code), server)


def _answered(returned: Any, server: object) -> Any:
    if server is not None and asks_for_input(returned):
        return returned
    return _given(response_of(returned), server)


def _given(response: dict[str, Any], server: object) -> Any:
    return response if server is None else result_object(response)


def _said(fault: Exception, name: str) -> str:
    """What an exception says, but for secrets."""
    words = re.sub(USER_IN_ADDRESS, rf"\1{REDACTED}\2", sayable(fault) or name)
    clean, found = Redactor().value(words)
    return f"{name}: {clean}" if found else words


def _dressed(wrapper: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """The wrapper with everything by which the function is known."""
    functools.update_wrapper(wrapper, fn)
    wrapper.__name__ = _name_of(fn)
    wrapper.__qualname__ = getattr(fn, "__qualname__", wrapper.__name__)
    signature = _signature(fn)
    if signature is None:
        return wrapper
    wrapper.__signature__ = signature  # type: ignore[attr-defined]  # inspect looks for it
    wrapper.__annotations__ = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if parameter.annotation is not parameter.empty
    }
    wrapper.__annotations__[CONTEXT_NAME] = CONTEXT
    return wrapper


def _signature(fn: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters of a function, their annotations evaluated where that is possible."""
    for evaluated in (True, False):
        try:
            signature = inspect.signature(fn, eval_str=evaluated)
        except Exception:  # noqa: BLE001  annotations are code, and may fail in any way
            continue
        return signature.replace(return_annotation=inspect.Signature.empty)
    return None
