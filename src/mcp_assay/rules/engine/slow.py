"""The slow path: everything there is to say about one message, as Findings in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Direction, Kind, Message
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.method_names import method_faults
from mcp_assay.rules.engine.payload import predicates, walk_payload
from mcp_assay.rules.engine.rule import Found, MapKey
from mcp_assay.spec.catalogue import blames_sender
from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26
from mcp_assay.spec.shapes import SHAPES
from mcp_assay.text.words import PHRASES, json_type, spot
from mcp_assay.wire.pointer import Path, Step, pointer
from mcp_assay.wire.reader import Note, Reading

RequestOf: TypeAlias = Callable[[int], Message | None]
"""The request that a response answers, None where it is not known.

A response of a batch is asked for by its index; one that came alone is the first.
"""

NOTE_RULES: Final[Mapping[str, str]] = {
    "syntax": "JSONRPC-001",
    "encoding": "JSONRPC-001",
    "not-json": "JSONRPC-001",
    "duplicate": "JSONRPC-018",
    "bom": "JSONRPC-019",
    "trailing": "JSONRPC-019",
    "non-finite": "JSONRPC-019",
    "huge-number": "JSONRPC-020",
    "lone-surrogate": "JSONRPC-020",
    "too-deep": "LIMIT-001",
    "too-large": "LIMIT-002",
}
"""The rule that each kind of oddity in the text breaks."""
NOTE_FIXES: Final[Mapping[str, str]] = {
    "bom": "Omit the byte order mark.",
    "trailing": "Send one JSON value per message.",
    "non-finite": "Use null or a string instead of NaN and Infinity.",
    "huge-number": "Keep ids and tokens within 2^53-1, or make them strings.",
    "lone-surrogate": "Send whole characters: a surrogate is half of one.",
}
"""What to do about an oddity where the words of its rule are about several."""
FOUND_BY_RULES_TOO: Final = "huge-number"
"""An id like this also has more than 53 bits: it has no key of its own, and is reported once."""

PARSE, ENVELOPE, METHOD, PAYLOAD = range(4)
OF_ENVELOPES: Final = ("JSONRPC", "BATCH")
ANSWERS: Final = ("result", "error")
_DEFINED: Final = frozenset(field.name for shape in SHAPES.values() for field in shape.fields) | {
    "id",
    "jsonrpc",
    "params",
    "result",
    "error",
}
"""The names that a place in any message can have without the sender having chosen them."""


class Setting(Struct, frozen=True, kw_only=True):
    """What is known about a message besides its text."""

    revision: str
    direction: Direction | None = None
    kind: Kind | None = None
    """What the message is meant to be, where that is known and need not be guessed."""
    request_of: RequestOf = lambda index: None


class _Seen(Struct, frozen=True):
    """A fault with what is needed to tell and to sort it."""

    found: Found
    message: Message | None = None
    where: Where = NOWHERE
    base: Path | None = ()
    """Where its message begins, None for a fault of the text."""

    def order(self) -> tuple[int, str, str]:
        """What comes first is reported first."""
        return self._stage(), pointer(self.found.path), self.found.rule

    def _stage(self) -> int:
        if self.base is None:
            return PARSE
        if self.found.rule.startswith(OF_ENVELOPES):
            return ENVELOPE
        return METHOD if self.found.path == (*self.base, "method") else PAYLOAD


class _MessageFaults(Faults):
    """The faults of what is being judged, and to which message each of them belongs."""

    __slots__ = ("seen", "setting")

    def __init__(self, setting: Setting, *, parsed: bool) -> None:
        super().__init__(setting.revision, parsed=parsed)
        self.setting: Final = setting
        self.seen: Final[list[_Seen]] = []

    def add(self, found: Found, base: Path | None = (), where: Where = NOWHERE) -> None:
        """Add a fault that belongs to no single message, if there is room for it."""
        before = len(self)
        self.append(found)
        if len(self) > before:
            self.seen.append(_Seen(found, None, where, base))


def judge(reading: Reading, setting: Setting) -> list[Finding]:
    """Every finding about what was read: one message, a batch, or something that is neither."""
    value, case = reading.value, _MessageFaults(setting, parsed=reading.parsed)
    for note in reading.notes:
        _add_note(note, case)
    if isinstance(value, dict):
        _judge_message(value, (), case)
    elif isinstance(value, list):
        _judge_array(value, case)
    elif json_type(value) != "unreadable":
        case.add(_no_object(value, ()))
    seen = case.seen
    if case.unlisted:
        seen.append(_Seen(too_many(case.unlisted), seen[-1].message if seen else None))
    if len(seen) > 1:
        seen.sort(key=_Seen.order)
    is_answer = isinstance(value, dict) and "method" not in value
    request = setting.request_of(0) if is_answer else None
    return [
        to_finding(
            one.found,
            setting.revision,
            value=value,
            message=one.message,
            direction=setting.direction,
            where=one.where,
            request=request,
        )
        for one in seen
    ]


def asked_by(method: str | None, revision: str) -> RequestOf:
    """What answers are judged by of which only the method of their request is known."""
    request = None if method is None else Message({}, "request", method, revision)
    return lambda index: request


def kind_of(value: Mapping[str, Any]) -> Kind:
    """What a message is meant to be, however malformed."""
    if "method" in value:
        method = value["method"]
        named = isinstance(method, str) and method.startswith("notifications/")
        return "request" if "id" in value and not named else "notification"
    if "error" in value:
        return "error"
    return "result" if "result" in value else "unknown"


def _add_note(note: Note, case: _MessageFaults) -> None:
    if not case.count_if_full(NOTE_RULES[note.kind], None):
        place = Where(line=note.line, column=note.column, offset=note.offset)
        case.add(_noted(note), None, place if note.line else NOWHERE)


def _noted(note: Note) -> Found:
    text = note.text.rstrip(".")
    times = f" ({note.count} times)" if note.count > 1 else ""
    sentence = f"{spot(note.path)}: {text}" if note.path else f"{text[:1].upper()}{text[1:]}"
    path = tuple(step if step in _DEFINED else _free(step) for step in note.path)
    key = "" if note.kind == FOUND_BY_RULES_TOO else note.kind
    fix = NOTE_FIXES.get(note.kind)
    return Found(path, f"{sentence}{times}.", NOTE_RULES[note.kind], key=key, fix=fix)


def _free(step: Step) -> Step:
    """Mark a name of the sender's as such."""
    return MapKey(step) if isinstance(step, str) else step


def _no_object(value: object, path: Path, grade: str | None = None) -> Found:
    text = f"The message is {PHRASES[json_type(value)]}, not an object."
    return Found(path, text, "JSONRPC-003", grade)


def _judge_array(value: list[Any], case: _MessageFaults) -> None:
    if case.setting.revision == R2024_11_05:
        case.add(_no_object(value, (), "array in 2024-11-05"))
    elif case.setting.revision != R2025_03_26:
        text = "The message is an array; only 2025-03-26 has batches."
        case.add(Found((), text, "BATCH-001"))
    else:
        _judge_batch(value, case)


def _judge_batch(value: list[Any], case: _MessageFaults) -> None:
    kinds = {kind_of(member) in ANSWERS for member in value if isinstance(member, dict)}
    if not value or len(kinds) > 1:
        what = "mixes responses with other messages" if value else "is empty"
        fix = None if value else "Send no batch where there is nothing to send."
        case.add(Found((), f"The batch {what}.", "BATCH-002", fix=fix))
    for index, member in enumerate(value):
        if isinstance(member, dict):
            _judge_message(member, (index,), case)
            if member.get("method") == "initialize":
                text = f"/{index} is an initialize request inside a batch."
                case.add(Found((index,), text, "BATCH-003"))
        elif json_type(member) != "unreadable" and not case.count_if_full("JSONRPC-003", None):
            case.add(_no_object(member, (index,)))


def _judge_message(value: dict[str, Any], path: Path, case: _MessageFaults) -> None:
    setting, before = case.setting, len(case)
    request = None if "method" in value else setting.request_of(int(path[0]) if path else 0)
    method = request.method if request is not None else value.get("method")
    message = Message(
        value=value,
        kind=setting.kind or kind_of(value),
        method=method if isinstance(method, str) else None,
        revision=setting.revision,
        direction=setting.direction,
        answers=request,
    )
    _add_faults(message, path, case)
    for found in case[before:]:
        if blames_sender(found.rule, setting.direction):
            case.seen.append(_Seen(found, message, NOWHERE, path))


def too_many(count: int) -> Found:
    """The fault of having more faults than are listed."""
    text = f"Further problems of this message are counted but not listed: {count}."
    return Found((), text, "LIMIT-003", details={"unlisted": count})


def _add_faults(message: Message, path: Path, faults: Faults) -> None:
    kind, name, revision = message.kind, message.method, message.revision
    method = methods_in(revision).get(name or "")
    for skip_if, group in predicates(revision, kind, name if method else None):
        if skip_if is None or not skip_if(message):
            for rule, check in group:
                for found in check(message):
                    faults.append(_placed(found, rule, path))
    if name is not None and (kind == "request" or kind == "notification"):
        for found in method_faults(name, kind, revision, message.direction):
            faults.append(_placed(found, found.rule, path))
    walk_payload(message, method, path, faults)


def _placed(found: Found, rule: str, path: Path) -> Found:
    """The fault under its own rule or that of the predicate, seen from the whole value."""
    if found.rule and not path:
        return found
    return replace(found, rule=found.rule or rule, path=(*path, *found.path))
