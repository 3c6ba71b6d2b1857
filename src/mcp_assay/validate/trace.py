"""One line of a trace -> the message that it carries, who sent it, and in which session.

Traces of another format are `Mapped`: pointers say where the members stand in their lines.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, TypeAlias, cast, get_args

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcp_assay.model.entry import Direction, Entry, SessionKey, StreamEnd, Transport
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.rules.engine.findings import fingerprint
from mcp_assay.wire.locations import member, value_at
from mcp_assay.wire.pointer import find, tokens

Route: TypeAlias = tuple[SessionKey, Direction]
"""The session that a line belongs to, and who sent it."""

LONGEST_SESSION_NAME = 200
"""A longer name of a session or exchange is cut, and reported from others by a digest."""
SHOWN_OF_NAME = 40
LARGEST_NUMBER = 1 << 64

DIRECTIONS: tuple[Direction, ...] = ("c2s", "s2c")
TRANSPORTS: tuple[Transport, ...] = get_args(Transport)
ENDS: tuple[StreamEnd, ...] = get_args(StreamEnd)


class NotUnderstood(Exception):
    """A trace line that does not follow the format; its text says why."""


class _TraceMembers(Struct, frozen=True):
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
    ended_by: Any = UNSET
    lost: Any = UNSET
    unread: Any = UNSET
    jsonrpc: Any = UNSET


REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""How the decoder says that it cannot read a text."""

_decode = msgspec.json.Decoder(_TraceMembers).decode

FIELDS: Final = tuple(name for name in _TraceMembers.__struct_fields__ if name != "jsonrpc")
"""The members of a trace line that can be looked for elsewhere."""


def read_trace_line(line: bytes, number: int = 0, where: Where = NOWHERE) -> Entry | None:
    """The entry that the line holds, None where it is no trace line but a bare message.

    Raises NotUnderstood where the line has a `dir` but does not follow the format.
    """
    members = _read(line)
    if members is None or members.dir is UNSET or members.jsonrpc is not UNSET:
        return None
    return _entry(members, line, number, where)


def _entry(members: _TraceMembers, line: bytes, number: int, where: Where) -> Entry:
    """The entry that these members of a line make."""
    text, holder = _text(members)
    transport, exchange = members.transport, members.exchange
    return Entry(
        direction=_direction(members.dir),
        text=text,
        member=holder,
        exact=holder in (b"raw", b"raw64"),
        session=_session(members),
        conn=str(_short(members.conn)) if isinstance(members.conn, str | int) else "",
        at=_seconds(members.t),
        transport=transport if transport in TRANSPORTS else None,
        exchange=_short(exchange) if isinstance(exchange, str | int) else None,
        http=members.http if isinstance(members.http, Mapping) else None,
        sse=members.sse if isinstance(members.sse, Mapping) else None,
        end=members.end is True,
        ended_by=_who_ended(members),
        lost=_count(members.lost),
        unread=_count(members.unread),
        number=number,
        where=where,
        source=line,
    )


def _read(line: bytes) -> _TraceMembers | None:
    """The members of the line; a message that no parser takes is cut out first."""
    try:
        return _decode(line)
    except REFUSALS:
        return _read_around_message(line)


def _read_around_message(line: bytes) -> _TraceMembers | None:
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


def _text(members: _TraceMembers) -> tuple[bytes | None, bytes]:
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


def _who_ended(members: _TraceMembers) -> StreamEnd | None:
    """Who closed a stream; only whoever spoke on it himself can say so."""
    is_said = members.end is True and members.ended_by in ENDS
    return cast(StreamEnd, members.ended_by) if is_said else None


def _count(value: Any) -> int:
    """How many there are; none where that is no number."""
    return max(value, 0) if isinstance(value, int) else 0


def _seconds(moment: Any) -> float | None:
    """A time as seconds: it may be written so, or as a date with its time of day."""
    if moment is UNSET:
        return None
    try:
        if isinstance(moment, int | float):
            return float(moment)
        read = datetime.fromisoformat(moment)
    except (OverflowError, TypeError, ValueError):
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


def _session(members: _TraceMembers) -> SessionKey | None:
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
    return (
        name if len(name) <= LONGEST_SESSION_NAME else f"{name[:SHOWN_OF_NAME]}…{fingerprint(name)}"
    )


def http_session(http: Any) -> SessionKey | None:
    """The session that an Mcp-Session-Id names: a digest, of no use to a thief."""
    for group in ("request_headers", "response_headers"):
        headers = http.get(group) if isinstance(http, Mapping) else None
        for name, value in headers.items() if isinstance(headers, Mapping) else ():
            id = value.strip() if isinstance(value, str) else ""
            if id and name.lower() == "mcp-session-id":
                return "http", f"http-{fingerprint(id)[:12]}"
    return None


_MEMBER = (
    rb'(?:"dir"\s*+:\s*+"(c2s|s2c)"|"session"\s*+:\s*+"([^"\\]*+)"'
    rb'|"(?!jsonrpc")[^"\\]*+"\s*+:\s*+(?:"[^"\\]*+"|-?[0-9][-+.0-9eE]*+|true|false|null))'
)
_NAMED = b'"session"'


@cache
def _beginning() -> Callable[[bytes], re.Match[bytes] | None]:
    """Finds what stands before the first member that must be parsed; many traces need it never."""
    return re.compile(rb"\{(?:\s*+" + _MEMBER + rb'\s*+,)++(?!\s*+"jsonrpc")').match


def route(line: bytes) -> Route | None:
    """The session and the direction that a trace line names before anything that must be parsed.

    This is what shares of a trace are distinguished by, so it is asked first and its word counts.
    """
    found = _beginning()(line) if _NAMED in line else None
    if found is None:
        return None
    direction, name = found.groups()
    if direction is None or name is None or len(name) > LONGEST_SESSION_NAME:
        return None
    key = ("session", name.decode(errors="surrogateescape"))
    return key, "c2s" if direction == b"c2s" else "s2c"


class Mapped:
    """Reads lines whose members stand where JSON Pointers say; those not named stand as usual."""

    def __init__(self, pointers: Mapping[str, str]) -> None:
        self._ways: Final = {name: _steps(pointers.get(name, f"/{name}"), name) for name in FIELDS}

    def read(self, line: bytes, number: int = 0, where: Where = NOWHERE) -> Entry:
        """The entry that the line holds; raises NotUnderstood where it holds none."""
        try:
            document = msgspec.json.decode(line)
        except REFUSALS:
            raise NotUnderstood("it is not JSON") from None
        values = {name: find(document, way, UNSET) for name, way in self._ways.items()}
        if values["dir"] is UNSET:
            raise NotUnderstood(f"there is nothing at /{'/'.join(self._ways['dir'])}, where dir is")
        if values["message"] is not UNSET:
            values["message"] = self._exact_message(line, values["message"])
        return _entry(_TraceMembers(**values), line, number, where)

    def holder(self, member: bytes) -> tuple[bytes, ...]:
        """The way to what stands in place of a member."""
        return tuple(step.encode() for step in self._ways[member.decode()])

    def _exact_message(self, line: bytes, value: object) -> Raw:
        span = value_at(line, self.holder(b"message"))
        return Raw(line[slice(*span)] if span else msgspec.json.encode(value))


def require_pointers(pointers: Mapping[str, str]) -> None:
    """Raise ValueError for the first name that is no member, or text that is no JSON Pointer."""
    for name, pointer in pointers.items():
        if name not in FIELDS:
            raise ValueError(f"there is no member {name!r}; choose one of {', '.join(FIELDS)}")
        _steps(pointer, name)


def _steps(pointer: str, name: str) -> tuple[str, ...]:
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r}, for {name}, is not a JSON Pointer; start with a slash")
    return tuple(tokens(pointer))
