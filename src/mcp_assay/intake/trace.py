"""One line of a trace -> the message that it carries, who sent it, and in which session."""

from __future__ import annotations

import binascii
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcp_assay.intake.spans import member
from mcp_assay.model.message import Direction
from mcp_assay.rules.telling import fingerprint

SessionKey: TypeAlias = tuple[str, str]
"""What a session is known by, and its name: ("session", "s-1"), ("conn", "3"), ("file", "a")."""

DIRECTIONS: tuple[Direction, ...] = ("c2s", "s2c")


class NotUnderstood(Exception):
    """A trace line that does not follow the format; its text says why."""


class Entry(Struct, frozen=True, kw_only=True):
    """What one trace line says; `text` is None where it carries no message."""

    text: bytes | None
    direction: Direction
    session: SessionKey | None
    exchange: str | int | None
    member: bytes
    """The member that holds the text: message, raw or raw64."""


class _Line(Struct, frozen=True):
    dir: Any = UNSET
    message: Raw | UnsetType = UNSET
    raw: Any = UNSET
    raw64: Any = UNSET
    session: Any = None
    conn: Any = None
    exchange: Any = None
    http: Any = None
    jsonrpc: Any = UNSET


REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""How the decoder says that it cannot read a text."""

_decode = msgspec.json.Decoder(_Line).decode


def read_trace_line(line: bytes) -> Entry | None:
    """The entry that the line holds, None where it is no trace line but a bare message.

    Raises NotUnderstood where the line has a `dir` but does not follow the format.
    """
    read = _read(line)
    if read is None or read.dir is UNSET or read.jsonrpc is not UNSET:
        return None
    text, holder = _text(read)
    return Entry(
        text=text,
        direction=_direction(read.dir),
        session=_session(read),
        exchange=read.exchange if isinstance(read.exchange, str | int) else None,
        member=holder,
    )


def _read(line: bytes) -> _Line | None:
    """The members of the line; a message that no parser takes is cut out first."""
    try:
        return _decode(line)
    except REFUSALS:
        return _read_around_message(line)


def _read_around_message(line: bytes) -> _Line | None:
    span = member(line, b"message")
    if span is None:
        return None
    start, end = span
    try:
        read = _decode(line[:start] + b"null" + line[end:])
    except REFUSALS:
        return None
    return msgspec.structs.replace(read, message=Raw(line[start:end]))


def _direction(value: Any) -> Direction:
    for direction in DIRECTIONS:
        if value == direction:
            return direction
    raise NotUnderstood('dir must be "c2s" or "s2c"')


def _text(read: _Line) -> tuple[bytes | None, bytes]:
    given = [name for name in ("message", "raw", "raw64") if getattr(read, name) is not UNSET]
    if len(given) > 1:
        raise NotUnderstood(f"only one of {' and '.join(given)} may be given")
    if not given:
        return None, b""
    name = given[0]
    return _BYTES_OF[name](getattr(read, name)), name.encode()


def _bytes_of_raw(value: Any) -> bytes:
    if not isinstance(value, str):
        raise NotUnderstood("raw must be a string: the exact text of the message")
    return value.encode("utf-8", "surrogatepass")


def _bytes_of_raw64(value: Any) -> bytes:
    if not isinstance(value, str) or not value.isascii():
        raise NotUnderstood("raw64 must be a string of base64")
    try:
        return binascii.a2b_base64(value, strict_mode=True)
    except binascii.Error:
        raise NotUnderstood("raw64 is not base64") from None


_BYTES_OF: dict[str, Callable[[Any], bytes]] = {
    "message": bytes,
    "raw": _bytes_of_raw,
    "raw64": _bytes_of_raw64,
}


def _session(read: _Line) -> SessionKey | None:
    if isinstance(read.session, str | int):
        return "session", str(read.session)
    if header := _session_header(read.http):
        return "session", header
    if isinstance(read.conn, str | int):
        return "conn", str(read.conn)
    return None


def _session_header(http: Any) -> str | None:
    """A digest of Mcp-Session-Id: enough to tell sessions apart, of no use to a thief."""
    for group in ("request_headers", "response_headers"):
        headers = http.get(group) if isinstance(http, Mapping) else None
        for name, value in headers.items() if isinstance(headers, Mapping) else ():
            if name.lower() == "mcp-session-id" and isinstance(value, str):
                return f"http-{fingerprint(value)[:12]}"
    return None
