"""A tool's function -> the same function, whose every answer keeps the profile."""

from __future__ import annotations

import functools
import inspect
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, ParamSpec

from mcp_assay.envelope.build import create_error_response, sayable
from mcp_assay.envelope.completing import response_of
from mcp_assay.envelope.hosts import (
    CONTEXT_NAME,
    context_class,
    is_called_by_server,
    is_protocol_error,
    result_object,
)
from mcp_assay.envelope.results import asks_for_input

Parameters = ParamSpec("Parameters")

LOG: Final = logging.getLogger("mcp_assay.envelope")
WORDS_OF_A_NAME: Final = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


def wrap_tool_response(fn: Callable[Parameters, Any]) -> Callable[Parameters, Any]:
    """Let a function answer with a response, whatever it returns or raises.

    Name, docstring and parameters stay as they are. The return annotation does not: it would make
    servers promise an output schema that the response does not have.
    """
    wrapper = _awaiting(fn) if is_async(fn) else _calling(fn)
    return _dressed(wrapper, fn)


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


def _calling(fn: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        served = is_called_by_server((*args, *kwargs.values()))
        kwargs.pop(CONTEXT_NAME, None)
        try:
            returned = fn(*args, **kwargs)
            if inspect.isawaitable(returned):
                return _finished(returned, served)
            return _answered(returned, served)
        except Exception as fault:  # noqa: BLE001  whatever a tool raises becomes a response
            return _raised(fault, served)

    return wrapper


def _awaiting(fn: Callable[..., Any]) -> Callable[..., Any]:
    call = _calling(fn)

    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        answer = call(*args, **kwargs)
        return await answer if inspect.isawaitable(answer) else answer

    return wrapper


async def _finished(coming: Awaitable[Any], served: bool) -> Any:
    try:
        return _answered(await coming, served)
    except Exception as fault:  # noqa: BLE001  whatever a tool raises becomes a response
        return _raised(fault, served)


def _answered(returned: Any, served: bool) -> Any:
    if not served:
        return response_of(returned)
    return returned if asks_for_input(returned) else result_object(response_of(returned))


def _raised(fault: Exception, served: bool) -> Any:
    """The response to a call that raised this: ValueError gives the code VALUE_ERROR."""
    if served and is_protocol_error(fault):
        raise fault
    LOG.error("A tool failed, and its caller is told so.", exc_info=fault)
    name = type(fault).__name__
    code = re.sub(WORDS_OF_A_NAME, "_", name).upper()
    response = create_error_response(sayable(fault) or name, code)
    return result_object(response) if served else response


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
    if context := context_class():
        wrapper.__annotations__[CONTEXT_NAME] = context
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
