"""Numbers that are codes because of where they stand: JSON-RPC errors and HTTP statuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mcp_assay.judge.errors.patterns import STRONG
from mcp_assay.model.verdict import ErrorKind, Factor

RPC_CODES: Final[Mapping[int, ErrorKind]] = {
    -32700: "business",
    -32600: "business",
    -32601: "business",
    -32602: "business",
}
"""What a JSON-RPC code says by itself; -32603 wraps anything, so it says nothing."""

REFUSALS: Final = frozenset(
    {*range(400, 407), *range(409, 419), 421, 422, 423, 424, 425, 426, 428, 429, 431, 451}
)
OUT_OF_ORDER: Final = frozenset({407, 408, 444, 499, *range(500, 512), *range(520, 531), 598, 599})
"""Statuses of something between, or behind, that does not work."""

_LOOKS_LIKE_STATUS: Final = re.compile(r"[45][0-9][0-9]")
_STANDS_AS_STATUS: Final = re.compile(
    r"(?:\b(?:https?(?:/[0-9.]{1,3})?|status(?: ?code)?|statuscode|(?:http|api|server) error"
    r"|(?:responded|failed|answered|replied|rejected) with(?: an?)?(?: http)?(?: status)?(?: code)?"
    r"|returned(?: an?)?(?: http)?(?: status)?(?: code)?|error|code)[ :=(#\"']{1,3})"
    r"([45][0-9][0-9])(?![0-9%]|[.,][0-9]| ?m?s\b| (?:bytes|rows|items|results|records|usd|eur)\b)"
    r"|\(([45][0-9][0-9])\)(?::|[.]?$)"
)
"""Every part of it is bounded, so that it takes time in proportion to the text."""


def rpc_and_http(codes: Iterable[int]) -> Iterator[Factor]:
    """What the numbers say that stand in members for codes."""
    for code in codes:
        if code in RPC_CODES:
            yield Factor("MCP error code", RPC_CODES[code], STRONG, str(code), "code")
        elif kind := http_kind(code):
            yield Factor("HTTP status", kind, STRONG, str(code), "code")


def http_statuses(fold: str) -> Iterator[Factor]:
    """What the HTTP statuses in a folded text say; numbers that stand elsewhere are none."""
    if not _LOOKS_LIKE_STATUS.search(fold):
        return
    matches = _STANDS_AS_STATUS.finditer(fold)
    for found in dict.fromkeys(match[1] or match[2] for match in matches):
        if kind := http_kind(int(found)):
            yield Factor("HTTP status", kind, STRONG, found, "text")


def http_kind(status: int) -> ErrorKind | None:
    """What an HTTP status says by itself."""
    if status in REFUSALS:
        return "business"
    return "environment" if status in OUT_OF_ORDER else None
