"""One line of a trace -> the message that it carries, who sent it, and in which session."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcp_assay.intake.spans import member
from mcp_assay.model.message import Direction
from mcp_assay.rules.telling import fingerprint
from mcp_assay.session.line import NO_LINE, Line, Transport

SessionKey: TypeAlias = tuple[str, str]
"""What a session is known by, and its name: ("session", "s-1"), ("http", "http-0123456789ab") by
its Mcp-Session-Id, ("conn", "3") or ("file", "a"). What may belong to several sessions is held
together by ("bare", "a") and ("exchanges", "a")."""

Route: TypeAlias = tuple[SessionKey, Direction]
"""The session that a line belongs to, and who sent it."""

LONGEST_NAME = 200
"""A longer name of a session or exchange is cut, and told from others by a digest."""
SHOWN_OF_NAME = 40
LARGEST_NUMBER = 1 << 64

DIRECTIONS: tuple[Direction, ...] = ("c2s", "s2c")
TRANSPORTS: tuple[Transport, ...] = get_args(Transport)


class NotUnderstood(Exception):
    """A trace line that does not follow the format; its text says why."""


class Entry(Struct, frozen=True, kw_only=True):
    """What one trace line says; `text` is None where it carries no message."""

    direction: Direction
    text: bytes | None = None
    session: SessionKey | None = None
    exchange: str | int | None = None
    member: bytes = b""
    """The member that holds the text: message, raw or raw64."""
    line: Line = NO_LINE


class Members(Struct, frozen=True):
    """The members of a trace line that mean something, whatever they hold."""

    dir: Any = UNSET
    message: Raw | UnsetType = UNSET
    raw: Any = UNSET
    raw64: Any = UNSET
    session: Any = UNSET
    conn: Any = UNSET
    t: Any = UNSET
    transport: Any = UNSET
    exchange: Any = UNSET
    http: Any = UNSET
    sse: Any = UNSET
    end: Any = UNSET
    lost: Any = UNSET
    unread: Any = UNSET
    jsonrpc: Any = UNSET


REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""How the decoder says that it cannot read a text."""

_decode = msgspec.json.Decoder(Members).decode


def read_trace_line(line: bytes) -> Entry | None:
    """The entry that the line holds, None where it is no trace line but a bare message.

    Raises NotUnderstood where the line has a `dir` but does not follow the format.
    """
    members = _read(line)
    if members is None or members.dir is UNSET or members.jsonrpc is not UNSET:
        return None
    return entry_of(members)


def entry_of(members: Members) -> Entry:
    """The entry that these members make."""
    text, holder = _text(members)
    exchange = _short(members.exchange) if isinstance(members.exchange, str | int) else None
    return Entry(
        text=text,
        direction=_direction(members.dir),
        session=_session(members),
        exchange=exchange,
        member=holder,
        line=_circumstances(members, exchange, exact=holder in (b"raw", b"raw64")),
    )


def _read(line: bytes) -> Members | None:
    """The members of the line; a message that no parser takes is cut out first."""
    try:
        return _decode(line)
    except REFUSALS:
        return _read_around_message(line)


def _read_around_message(line: bytes) -> Members | None:
    span = member(line, b"message")
    if span is None:
        return None
    start, end = span
    try:
        members = _decode(line[:start] + b"null" + line[end:])
    except REFUSALS:
        return None
    return msgspec.structs.replace(members, message=Raw(line[start:end]))


def _direction(value: Any) -> Direction:
    for direction in DIRECTIONS:
        if value == direction:
            return direction
    raise NotUnderstood('dir must be "c2s" or "s2c"')


def _text(members: Members) -> tuple[bytes | None, bytes]:
    given = [name for name in _BYTES_OF if getattr(members, name) is not UNSET]
    if len(given) > 1:
        raise NotUnderstood(f"only one of {' and '.join(given)} may be given")
    if not given:
        return None, b""
    name = given[0]
    return _BYTES_OF[name](getattr(members, name)), name.encode()


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


def _circumstances(members: Members, exchange: str | int | None, *, exact: bool) -> Line:
    """How the line came, as far as its members say so in the form that they should have."""
    told = (members.t, members.transport, exchange, members.http, members.sse, members.end)
    gap = any(isinstance(count, int) and count > 0 for count in (members.lost, members.unread))
    if not exact and not gap and all(one is UNSET or one is None for one in told):
        return NO_LINE
    transport = members.transport
    return Line(
        at=_seconds(members.t),
        transport=transport if transport in TRANSPORTS else None,
        exchange=exchange,
        http=members.http if isinstance(members.http, Mapping) else None,
        sse=members.sse if isinstance(members.sse, Mapping) else None,
        end=members.end is True,
        gap=gap,
        exact=exact,
    )


def _seconds(moment: Any) -> float | None:
    """A time as seconds: it may be written so, or as a date with its time of day."""
    try:
        if isinstance(moment, int | float):
            return float(moment)
        read = datetime.fromisoformat(moment)
    except (OverflowError, TypeError, ValueError):
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


def _session(members: Members) -> SessionKey | None:
    if isinstance(members.session, str | int):
        return "session", str(_short(members.session))
    if header := http_session(members.http):
        return header
    if isinstance(members.conn, str | int):
        return "conn", str(_short(members.conn))
    return None


def _short(name: str | int) -> str | int:
    """The name, or something short in its place where it is too long to keep many of them."""
    if isinstance(name, int):
        return name if abs(name) <= LARGEST_NUMBER else f"number {fingerprint(f'{name:x}')}"
    return name if len(name) <= LONGEST_NAME else f"{name[:SHOWN_OF_NAME]}…{fingerprint(name)}"


def http_session(http: Any) -> SessionKey | None:
    """The session that an Mcp-Session-Id names: a digest, of no use to a thief."""
    for group in ("request_headers", "response_headers"):
        headers = http.get(group) if isinstance(http, Mapping) else None
        for name, value in headers.items() if isinstance(headers, Mapping) else ():
            if name.lower() == "mcp-session-id" and isinstance(value, str):
                return "http", f"http-{fingerprint(value)[:12]}"
    return None


_MEMBER = (
    rb'(?:"dir"\s*+:\s*+"(c2s|s2c)"|"session"\s*+:\s*+"([^"\\]*+)"'
    rb'|"(?!jsonrpc")[^"\\]*+"\s*+:\s*+(?:"[^"\\]*+"|-?[0-9][-+.0-9eE]*+|true|false|null))'
)
_beginning = re.compile(rb"\{(?:\s*+" + _MEMBER + rb'\s*+,)++(?!\s*+"jsonrpc")').match


def route(line: bytes) -> Route | None:
    """The session and the direction that a trace line names before anything that must be parsed.

    This is what shares of a trace are told apart by, so it is asked first and its word counts.
    """
    found = _beginning(line)
    if found is None:
        return None
    direction, name = found.groups()
    if direction is None or name is None or len(name) > LONGEST_NAME:
        return None
    key = ("session", name.decode(errors="surrogateescape"))
    return key, "c2s" if direction == b"c2s" else "s2c"
