"""How a request of ours ended: one kind for every way, made by the transport."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

Ending: TypeAlias = Literal[
    "answered",
    "http_status",
    "closed",
    "reset",
    "cut_short",
    "malformed_http",
    "wrong_encoding",
    "over_limit",
    "timed_out",
    "died",
    "cancelled",
]
"""A response came; an HTTP status came and no response; the server closed or reset the connection
before one, or broke off within it; it sent what is not HTTP, or not in the coding that it names;
a limit of ours was reached; the time was up; the server was gone; we did not wait for it."""

LOST: Final[frozenset[Ending]] = frozenset({"timed_out", "died"})
"""Endings after which a server may be unable to do anything more."""
UNUSABLE: Final[frozenset[Ending]] = frozenset(
    {"http_status", "closed", "reset", "cut_short", "malformed_http", "wrong_encoding"}
)
"""Endings of an exchange over HTTP in which the server sent something else than a response."""
OURS: Final[frozenset[Ending]] = frozenset({"over_limit", "cancelled"})
"""Endings that are no fault of the server: we read no further, or did not wait."""

LOAD_STATUSES: Final = frozenset({429, 502, 503, 504})
"""HTTP statuses about the load or the surroundings of a server, whatever it was asked."""


class ExchangeEnd(Struct, frozen=True):
    """How an exchange over HTTP ended, where nothing answered its request."""

    kind: Ending
    detail: str = ""
    """More about it in our own words, as a clause; empty where the kind says all."""


def is_load_refusal(status: object, message: object) -> bool:
    """Whether a message is only the error that came with an HTTP status about load."""
    return status in LOAD_STATUSES and isinstance(message, dict) and "error" in message


def is_overloaded(ending: Ending, status: int | None) -> bool:
    """Whether a server, or what stands before it, had no room for the request."""
    return ending == "http_status" and status in LOAD_STATUSES
