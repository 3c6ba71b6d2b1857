"""When each message of a run was sent or came, as far as a report tells it."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from mcp_assay.model.entry import Direction, Entry
from mcp_assay.model.report import Limit, TimedMessage

MOST: Final = 5_000
"""So many messages are reported one by one."""
LONGEST_READ: Final = 1024 * 1024
"""Of a longer message only its size is reported."""
LONGEST_KEPT: Final = 256
"""A message up to this length is read at the end, when nobody waits."""
LONGEST_WORD: Final = 120
UNREADABLE: Final = "not readable"
TOO_LONG: Final = "too long to be named"


class _TimedParams(Struct, frozen=True):
    name: Any = None


class _TimedRequest(Struct):
    """What is read of our own messages."""

    id: Any = None
    method: Any = None
    params: _TimedParams = _TimedParams()


class _Said(Struct):
    """What is read of every other message."""

    id: Any = None
    method: Any = None


Outline = TypeVar("Outline", _TimedRequest, _Said)
Noted: TypeAlias = tuple[float, Direction, int, bytes | _TimedRequest | _Said | None]


class Timeline:
    """Notes when messages pass; what they are to each other is found out at the end."""

    def __init__(self, most: int = MOST) -> None:
        self.left_out = 0
        """Messages beyond those that are reported."""
        self._most: Final = most
        self._entries: Final[list[Noted]] = []

    def add(self, entry: Entry) -> None:
        """Note that a message passes."""
        if entry.text is None and not entry.unread:
            return
        if len(self._entries) >= self._most:
            self.left_out += 1
            return
        text = entry.text or b""
        said = text if len(text) <= LONGEST_KEPT else _cut(_outline(text, entry.direction))
        self._entries.append((entry.moment, entry.direction, entry.unread or len(text), said))

    def limits(self) -> list[Limit]:
        """The limit, where it cut something."""
        if not self.left_out:
            return []
        effect = "later messages are left out of the timeline"
        return [Limit(name="timed-messages", value=MOST, count=self.left_out, effect=effect)]

    def messages(self) -> list[TimedMessage]:
        """All messages with their times; answers with how long they took."""
        asked: dict[Any, tuple[float, str]] = {}
        return [self._shown(entry, asked) for entry in self._entries]

    def _shown(self, entry: Noted, asked: dict[Any, tuple[float, str]]) -> TimedMessage:
        at, direction, size, said = entry
        outline = _outline(said, direction) if isinstance(said, bytes) else said
        what, milliseconds = _name(outline) if size <= LONGEST_READ else TOO_LONG, None
        id = outline.id if outline and isinstance(outline.id, str | int) else None
        if outline and isinstance(outline.method, str) and id is not None:
            asked[direction, id] = (at, what)
        elif outline and outline.method is None:
            since, question = asked.pop((_opposite(direction), id), (None, ""))
            what = f"answer to {question}" if question else "answer"
            milliseconds = None if since is None else round(max(at - since, 0.0) * 1000, 3)
        return TimedMessage(
            at=round(max(at - self._entries[0][0], 0.0), 6),
            direction=direction,
            what=what,
            id=id if isinstance(id, int) else _short(id),
            bytes=size,
            milliseconds=milliseconds,
        )


def _outline(text: bytes, direction: Direction) -> _TimedRequest | _Said | None:
    if len(text) > LONGEST_READ:
        return None
    asked = _read(text, _TimedRequest) if direction == "c2s" else None
    return asked or _read(text, _Said)


def _cut(outline: _TimedRequest | _Said | None) -> _TimedRequest | _Said | None:
    """The outline with texts that can be kept: a server may have made them as long as it likes."""
    if outline is None:
        return None
    outline.id = _kept(outline.id)
    outline.method = _kept(outline.method)
    if isinstance(outline, _TimedRequest):
        outline.params = _TimedParams(_kept(outline.params.name))
    return outline


def _kept(value: Any) -> Any:
    """A text up to the length that is shown, a number; nothing else is ever shown."""
    if isinstance(value, str):
        return _short(value)
    return value if value is None or isinstance(value, int | float) else UNREADABLE


def _read(text: bytes, shape: type[Outline]) -> Outline | None:
    try:
        return msgspec.json.decode(text, type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _name(outline: _TimedRequest | _Said | None) -> str:
    if outline is None:
        return UNREADABLE
    method = _short(outline.method) if isinstance(outline.method, str) else UNREADABLE
    if isinstance(outline, _TimedRequest) and isinstance(outline.params.name, str):
        return f"{method} {_short(outline.params.name)}"
    return str(method)


def _opposite(direction: Direction) -> Direction:
    return "s2c" if direction == "c2s" else "c2s"


def _short(text: str | None) -> str | None:
    return None if text is None else text[:LONGEST_WORD]
