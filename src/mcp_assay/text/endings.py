"""How a request ended, in words: clauses that go on with what the server did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mcp_assay.model.ending import LOAD_STATUSES, Ending


class _Clause(NamedTuple):
    past: str
    present: str
    noun: str = "no response"
    """What a request gets."""


CLAUSES: Final[Mapping[Ending, _Clause]] = {
    "answered": _Clause("responded", "responds"),
    "http_status": _Clause(
        "returned HTTP status {status}{why}",
        "returns HTTP status {status}{why}",
    ),
    "closed": _Clause(
        "closed the connection without a response",
        "closes the connection without a response",
        "a closed connection",
    ),
    "reset": _Clause(
        "reset the connection without a response",
        "resets the connection without a response",
        "a reset connection",
    ),
    "cut_short": _Clause(
        "broke off in the middle of the response",
        "breaks off in the middle of the response",
        "half a response",
    ),
    "malformed_http": _Clause(
        "sent a response that is not valid HTTP",
        "sends a response that is not valid HTTP",
        "a response that is not valid HTTP",
    ),
    "wrong_encoding": _Clause(
        "sent a response that could not be decompressed",
        "sends a response that cannot be decompressed",
        "a response that cannot be decompressed",
    ),
    "over_limit": _Clause(
        "sent a response longer than mcp-assay reads",
        "sends a response longer than mcp-assay reads",
        "a response longer than mcp-assay reads",
    ),
    "timed_out": _Clause("did not respond in time", "does not respond"),
    "died": _Clause("crashed", "crashes"),
    "cancelled": _Clause(
        "had not responded when the run ended", "has not responded when the run ends"
    ),
}
NO_MESSAGE: Final = " without a JSON-RPC message"
NO_RESPONSE: Final = " without a response to the request"
ABOUT_LOAD: Final = ", which is about load"
FIRST_REDIRECT: Final = 300


def what_it_did(ending: Ending, status: int | None = None, detail: str = "") -> str:
    """What the server did to one request, with what is known beyond the kind."""
    words = _filled(CLAUSES[ending].past, status)
    return f"{words}: {detail}" if detail else words


def what_it_does(ending: Ending, status: int | None = None) -> str:
    """What the server does to all such requests."""
    return _filled(CLAUSES[ending].present, status)


def what_it_gave(ending: Ending) -> str:
    """What a request got that no HTTP status answered, as a noun."""
    return CLAUSES[ending].noun


def _filled(clause: str, status: int | None) -> str:
    is_success = status is not None and status < FIRST_REDIRECT
    why = ABOUT_LOAD if status in LOAD_STATUSES else NO_RESPONSE if is_success else NO_MESSAGE
    return clause.format(status=status, why=why)
