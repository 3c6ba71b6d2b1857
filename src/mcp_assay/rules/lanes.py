"""Two lanes for the messages of a conversation: a compiled check that accepts, a reader that tells.

Whatever the fast lane accepts, the slow lane has nothing to say about. What it does not accept may
still be fine: then the slow lane finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

from orjson import JSONDecodeError, loads

from mcp_assay.model.finding import Finding
from mcp_assay.model.message import Direction, Kind, Message
from mcp_assay.rules.attention import Attention
from mcp_assay.rules.compiled import Lane, lane, refuse
from mcp_assay.rules.dialect import Dialect, tolerates
from mcp_assay.rules.engine import Setting, judge, kind_of
from mcp_assay.rules.reach import Ledger
from mcp_assay.rules.strict import Accepts
from mcp_assay.rules.watching import Arrival
from mcp_assay.session.correlation import MOST_PENDING, OPPOSITE, Pending
from mcp_assay.session.line import NO_LINE, Line
from mcp_assay.session.negotiation import negotiated_revision, requested_revision
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import DEFAULT_REVISION, require_revision
from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES
from mcp_assay.wire.markers import UNREAD
from mcp_assay.wire.reading import Reading, read

NOTHING: Final[Sequence[Finding]] = ()
NOTIFICATION: Final = "notifications/"
NO_VALUE: Final[dict[str, Any]] = {}
"""In place of a request that nobody will look at again."""


class Refused(NamedTuple):
    """A message that the lanes have something to say about: its text, where it came from, and
    what orjson made of it."""

    raw: bytes
    direction: Direction | None
    value: Any
    place: int = 0


Asked: TypeAlias = tuple[str, Lane, dict[str, Any], int]
"""A request that waits: method, lane, value and place."""
Answered: TypeAlias = tuple[str, Lane]
"""What is kept of a request while its answer is judged; the answer itself is known by its `id()`,
so that a conversation that falls silent does not hold on to it."""


class Lanes:
    """One conversation: it remembers what was asked, and which revision the peers agreed on.

    Without a revision of its own it follows the peers: what they negotiate, or what a request's
    `_meta` names. Without `duplicates` nobody looks for members that occur twice. With `sessions`
    each message is also judged by what was said before; `partial` sessions may have begun earlier.
    """

    __slots__ = (
        "_answered",
        "_attention",
        "_auto",
        "_checks",
        "_dialect",
        "_duplicates",
        "_in_batch",
        "_lane",
        "_ledger",
        "_pending",
    )

    def __init__(
        self,
        revision: str | None = None,
        *,
        duplicates: bool = True,
        dialect: Dialect = "mcp",
        ledger: Ledger | None = None,
        partial: bool = False,
        sessions: bool = False,
    ) -> None:
        self._auto: Final = revision is None
        self._lane = lane(DEFAULT_REVISION if revision is None else require_revision(revision))
        self._duplicates: Final = duplicates
        self._dialect: Final = dialect
        self._pending: Final = Pending[Lane]()
        self._ledger: Final = ledger or Ledger()
        self._checks = _no_checks()
        self._answered: tuple[int, Answered | None] = (0, None)
        self._in_batch: dict[int, Answered | None] = {}
        talk = Talk(self._ledger, self._pending, partial=partial) if sessions else None
        self._attention: Final = Attention(talk) if talk else None

    @property
    def revision(self) -> str:
        """The revision that the next message is judged by, unless it names another."""
        return self._lane.revision

    def accepts(self, raw: bytes, direction: Direction | None = None, place: int = 0) -> bool:
        """Whether nothing at all is to be said about the message."""
        return next(self.refused([(raw, direction, place)]), None) is None

    def check(
        self,
        raw: bytes,
        direction: Direction | None = None,
        place: int = 0,
        line: Line = NO_LINE,
    ) -> Sequence[Finding]:
        """Everything there is to say about the text of a message, and about how it came."""
        attention = self._attention
        if attention is not None:
            if line is not NO_LINE:
                return self._check_line(raw, direction, place, line)
            attention.talk.size = len(raw)
        value = _parsed(raw)
        quiet = self._passes(value, direction, place, len(raw))
        if not quiet or (self._duplicates and has_duplicate_members(raw, value)):
            return self.explain(Refused(raw, direction, value, place))
        return self._told(direction) if attention is not None and attention.noted else NOTHING

    def passes(self, value: object, direction: Direction | None, place: int, size: int) -> bool:
        """Whether nothing is to be said about a value, but for members that it may name twice.

        What does not pass is to be explained before the next message comes.
        """
        attention = self._attention
        if attention is None:
            return self._passes(value, direction, place)
        attention.talk.size = size
        return self._passes(value, direction, place, size) and not attention.noted

    def hear(self, direction: Direction, place: int = 0, line: Line = NO_LINE) -> Sequence[Finding]:
        """Everything there is to say about a line without a message."""
        if self._attention is None:
            return NOTHING
        self._attention.talk.partial |= line.gap
        self._attention.line(Arrival(direction, line, place, revision=self.revision))
        return self._told(direction)

    def close(self) -> list[tuple[int, Finding]]:
        """End the conversation: what is left to say, each with the place that it is about."""
        return self._attention.close(self.revision) if self._attention else []

    def refused(self, messages: Iterable[tuple[bytes, Direction | None, int]]) -> Iterator[Refused]:
        """The messages of a stream about which something is to be said, as they come.

        Give each to `explain` before the next one is taken. This is the hot loop: what nearly all
        messages of no session are is decided here, without a call but that of the compiled check.
        """
        duplicates, sent, attention = self._duplicates, self._pending.sent, self._attention
        value = cast(Any, UNREAD)
        for raw, direction, place in messages:
            try:
                value = loads(raw) if len(raw) <= MAX_MESSAGE_BYTES else UNREAD
            except JSONDecodeError:
                value = UNREAD
            method = value.get("method", UNREAD) if value.__class__ is dict else None
            if attention is not None:
                attention.noted.clear()
                attention.talk.size = len(raw)
                quiet = self._passes(value, direction, place, len(raw)) and not attention.noted
            elif method is UNREAD:
                quiet = self._response_passes(value, direction, place)
            elif (
                method.__class__ is str
                and (check := self._checks[direction].get(method)) is not None
                and check(value)
            ):
                id = value.get("id")
                quiet = id.__class__ is not float
                if id.__class__ is int and len(sent[direction]) < MOST_PENDING:
                    sent[direction][id] = (method, self._lane, NO_VALUE, place)
                elif id is not None:
                    self._pending.ask(direction, (method, self._lane, value, place), len(raw))
            else:
                quiet = self._passes(value, direction, place, len(raw))
            if not quiet or (duplicates and has_duplicate_members(raw, value)):
                yield Refused(raw, direction, value, place)

    def explain(self, refused: Refused) -> Sequence[Finding]:
        """Everything there is to say about a message that has just been refused."""
        return self._with_told(self._explain(refused), refused.direction)

    def _explain(self, refused: Refused) -> Sequence[Finding]:
        raw, direction, value, place = refused
        if value is UNREAD:
            reading = read(raw, duplicates=self._duplicates, odd=True)
            return self._check_reading(reading, direction, place)
        doubled = self._duplicates and has_duplicate_members(raw, value)
        if doubled or _lost_digits(value):
            reading = read(raw, duplicates=doubled, odd=doubled)
            return self._check_reading(reading, direction, place, known=True)
        return self._tell(Reading(value, parsed=True), direction)

    def check_reading(
        self, reading: Reading, direction: Direction | None = None, line: Line = NO_LINE
    ) -> Sequence[Finding]:
        """Everything there is to say about what was read."""
        if self._attention is not None:
            self._attention.talk.line, self._attention.talk.size = line, None
        findings = self._check_reading(reading, direction, 0)
        if self._attention is not None and line is not NO_LINE and direction is not None:
            arrival = Arrival(direction, line, 0, b"", reading.value, self.revision)
            self._attention.line(arrival)
        return self._with_told(findings, direction)

    def _check_reading(
        self, reading: Reading, direction: Direction | None, place: int, *, known: bool = False
    ) -> Sequence[Finding]:
        """What there is to say about a reading; `known` if it was attended to before."""
        value = reading.value
        if not reading.readable:
            self._pending.forgetful = True
        if not known:
            self._attend(value, direction, place)
        elif isinstance(value, dict):
            self._answered = (id(value), self._answered[1])
        elif isinstance(value, list):
            asked = list(self._in_batch.values())
            self._in_batch = dict(zip(map(id, value), asked, strict=False))
        return self._tell(reading, direction)

    def _check_line(
        self, raw: bytes, direction: Direction | None, place: int, line: Line
    ) -> Sequence[Finding]:
        """Judge a message that came in known circumstances."""
        attention = cast(Attention, self._attention)
        attention.talk.line, attention.talk.size = line, len(raw)
        attention.talk.partial |= line.gap
        value, findings = _parsed(raw), NOTHING
        passes = self._passes(value, direction, place, len(raw))
        if not passes or (self._duplicates and has_duplicate_members(raw, value)):
            findings = self._explain(Refused(raw, direction, value, place))
        if direction is not None:
            attention.line(Arrival(direction, line, place, raw, value, self.revision))
        attention.talk.line = NO_LINE
        return self._with_told(findings, direction)

    def _passes(self, value: Any, direction: Direction | None, place: int, size: int = 0) -> bool:
        """Whether the value needs no second look; what it asks or answers is attended to."""
        if value.__class__ is not dict:
            self._attend(value, direction, place)
            return False
        method = value.get("method", UNREAD)
        if method is UNREAD:
            return self._response_passes(value, direction, place)
        if method.__class__ is not str:
            return False
        check = self._checks[direction].get(method) or self._meet(value, method, direction)
        passes, attention = check(value), self._attention
        if "id" not in value:
            if attention is not None:
                revision = self._lane.revision
                attention.show(Message(value, "notification", method, revision, direction, place))
            return passes
        if not passes and self._follow(requested_revision(value)):
            passes = self._meet(value, method, direction)(value)
        kind: Kind = "notification" if method.startswith(NOTIFICATION) else "request"
        if attention is not None:
            attention.show(Message(value, kind, method, self._lane.revision, direction, place))
        if kind == "request":
            self._pending.ask(direction, (method, self._lane, value, place), size)
        id = value["id"]
        return passes and (id.__class__ is int or id.__class__ is str)

    def _meet(self, value: dict[str, Any], method: str, direction: Direction | None) -> Accepts:
        """The check of a method that this conversation has not had yet."""
        if self._auto and method == "initialize":
            self._follow(requested_revision(value))
        self._ledger.note(self.revision, kind_of(value), method)
        kinds = self._lane.requests if "id" in value else self._lane.notifications
        check = kinds[direction][method]
        if check is not refuse and not (self._auto and method == "initialize"):
            self._checks[direction][method] = check
        return check

    def _response_passes(
        self, value: dict[str, Any], direction: Direction | None, place: int
    ) -> bool:
        kind = kind_of(value)
        method, its_lane = self._attend_response(value, kind, direction, place)
        id = value.get("id")
        if id.__class__ is not int and id.__class__ is not str:
            return False
        return (its_lane.errors[None] if kind == "error" else its_lane.results[method])(value)

    def _attend_response(
        self, value: dict[str, Any], kind: Kind, direction: Direction | None, place: int
    ) -> tuple[str | None, Lane]:
        """Find the request that a response answers; its method and lane decide how to judge."""
        asked = self._pending.answered(direction, value.get("id"))
        answered = None if asked is None else asked[:2]
        self._answered = (id(value), answered)
        method, its_lane = answered or (None, self._lane)
        if self._auto and method == "initialize":
            its_lane = self._settled(value)
        revision = its_lane.revision
        if (kind, method) not in self._ledger.messages[revision]:
            self._ledger.note(revision, kind, method)
        if self._attention is not None:
            request = None
            if asked is not None:
                _, under, question, then = asked
                asker = OPPOSITE[direction]
                request = Message(question, "request", method, under.revision, asker, then)
            message = Message(value, kind, method, revision, direction, place, request)
            self._attention.show(message)
        return method, its_lane

    def _settled(self, answer: dict[str, Any]) -> Lane:
        """The lane of the revision that the answer to initialize settles on."""
        self._follow(negotiated_revision(answer))
        return self._lane

    def _follow(self, revision: str | None) -> bool:
        """Go over to the revision that the peers name; tell whether that changed anything."""
        if not self._auto or revision is None or revision == self._lane.revision:
            return False
        self._lane = lane(revision)
        self._checks = _no_checks()
        if self._attention is not None:
            self._attention.forget()
        return True

    def _attend(self, value: object, direction: Direction | None, place: int) -> None:
        """Attend to what a value asks or answers that did not take the hot path, be it a batch."""
        self._in_batch.clear()
        if isinstance(value, list):
            self._ledger.batches.add(self.revision)
            for member in value:
                self._attend_one(member, direction, place)
                self._in_batch[id(member)] = self._answered[1]
        else:
            self._attend_one(value, direction, place)

    def _attend_one(self, value: object, direction: Direction | None, place: int) -> None:
        self._answered = (id(value), None)
        if not isinstance(value, dict):
            return
        method, kind = value.get("method"), kind_of(value)
        if "method" not in value:
            self._attend_response(value, kind, direction, place)
        elif isinstance(method, str):
            if "id" in value:
                self._follow(requested_revision(value))
            self._ledger.note(self.revision, kind, method)
            if self._attention is not None:
                self._attention.show(Message(value, kind, method, self.revision, direction, place))
            if kind == "request":
                self._pending.ask(direction, (method, self._lane, value, place))

    def _tell(self, reading: Reading, direction: Direction | None) -> Sequence[Finding]:
        def method_of(message: dict[str, Any]) -> str | None:
            asked = self._asked(message)
            return asked[0] if asked else None

        setting = Setting(
            revision=self._judged_by(reading.value),
            direction=direction,
            method_of=method_of,
        )
        findings = judge(reading, setting)
        return findings if self._dialect == "mcp" else _untolerated(findings, self._dialect)

    def _with_told(
        self, findings: Sequence[Finding], direction: Direction | None
    ) -> Sequence[Finding]:
        """The findings about a message, and after them those about its conversation."""
        if self._attention is None or not self._attention.noted:
            return findings
        return [*findings, *self._told(direction)]

    def _told(self, direction: Direction | None) -> Sequence[Finding]:
        told = self._attention.told(self.revision, direction) if self._attention else []
        return told if self._dialect == "mcp" else _untolerated(told, self._dialect)

    def _asked(self, message: dict[str, Any]) -> Answered | None:
        """The request that a response answers which has just been attended to."""
        if self._answered[0] != id(message):
            self._answered = (id(message), self._in_batch.get(id(message)))
        return self._answered[1]

    def _judged_by(self, value: object) -> str:
        if not isinstance(value, dict) or "method" in value:
            return self._lane.revision
        asked = self._asked(value)
        if asked is None:
            return self._lane.revision
        method, its_lane = asked
        return (self._settled(value) if method == "initialize" else its_lane).revision


def _no_checks() -> dict[Direction | None, dict[str, Accepts]]:
    return {"c2s": {}, "s2c": {}, None: {}}


def _parsed(raw: bytes) -> Any:
    """What orjson makes of a text, UNREAD where it refuses or the text is too long."""
    try:
        return loads(raw) if len(raw) <= MAX_MESSAGE_BYTES else UNREAD
    except JSONDecodeError:
        return UNREAD


def _untolerated(findings: Iterable[Finding], dialect: Dialect) -> list[Finding]:
    return [finding for finding in findings if not tolerates(dialect, finding)]


def _lost_digits(value: Any) -> bool:
    """Whether an id or token became a float, as integers beyond 64 bits do: it is read again."""
    if value.__class__ is list:
        return any(map(_lost_digits, value))
    if value.__class__ is not dict:
        return False
    params = value.get("params")
    if params.__class__ is not dict:
        return value.get("id").__class__ is float
    meta = params.get("_meta")
    token = meta.get("progressToken") if meta.__class__ is dict else None
    near = (value.get("id"), params.get("progressToken"), params.get("requestId"), token)
    return float in map(type, near)
