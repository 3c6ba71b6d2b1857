"""Exceptions of the HTTP library -> how an exchange ended, in kinds and words of our own."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Iterator
from typing import Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

from mcp_assay.model.ending import ExchangeEnd

RESETS: Final = (errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED)
TOO_MANY_HEADERS: Final = "Too many headers"
"""How the library begins the only sign that it gives of this limit."""
LONG_HEAD: Final = "its headers are too long"


def end_of(problem: Exception) -> ExchangeEnd:
    """How an exchange ended in which the library raised this."""
    if isinstance(problem, aiohttp.ClientResponseError | HttpProcessingError):
        is_ours = any(map(_is_limit, _causes(problem)))
        return ExchangeEnd("over_limit", LONG_HEAD) if is_ours else ExchangeEnd("malformed_http")
    if isinstance(problem, aiohttp.ClientPayloadError):
        return ExchangeEnd("cut_short")
    if isinstance(problem, aiohttp.ServerDisconnectedError):
        # what came of a head is in it, where anything did
        return ExchangeEnd("closed" if isinstance(problem.message, str) else "cut_short")
    if isinstance(problem, OSError) and problem.errno in RESETS:
        return ExchangeEnd("reset")
    if isinstance(problem, aiohttp.ClientConnectionError | OSError):
        return ExchangeEnd("closed", why_unreached(problem))
    return ExchangeEnd("cancelled", f"the request could not be sent ({type(problem).__name__})")


def is_unreachable(problem: Exception) -> bool:
    """Whether there was no connection at all."""
    return isinstance(problem, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)


def why_unreached(problem: Exception) -> str:
    """Why there is no connection in a few words, without the library's own."""
    cause = problem.os_error if isinstance(problem, aiohttp.ClientConnectorError) else problem
    if isinstance(problem, TimeoutError):
        return "the connection timed out"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):
        return "no TLS connection could be made; does it serve plain http?"
    if isinstance(cause, socket.gaierror):
        return cause.strerror or "the host name is not known"
    if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
        return os.strerror(cause.errno)
    return str(cause) or type(cause).__name__


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__


def _is_limit(problem: BaseException) -> bool:
    if not isinstance(problem, HttpProcessingError):
        return False
    return isinstance(problem, LineTooLong) or problem.message.startswith(TOO_MANY_HEADERS)
