"""The messages of a session, judged: a compiled check accepts, a slow reading explains the rest.

Whatever the fast path accepts, the slow path has nothing to say about. What it does not accept may
still be fine: then the slow path finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

from msgspec import Struct
from orjson import JSONDecodeError, loads

from mcp_assay.model.entry import NO_DELIVERY, TOOLS_CALL, Delivery, Direction, Kind, Message
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.fast import FastChecks, FollowedChecks
from mcp_assay.rules.engine.findings import sharing_causes
from mcp_assay.rules.engine.session_dispatch import SessionDispatcher
from mcp_assay.rules.engine.session_rules import SessionLine
from mcp_assay.rules.engine.slow import Setting, judge, kind_of
from mcp_assay.rules.engine.strict_shapes import Accepts
from mcp_assay.session.correlation import MOST_PENDING, OPPOSITE, Pending
from mcp_assay.session.handshake import implied_revision, negotiated_revision, requested_revision
from mcp_assay.session.state import SessionState
from mcp_assay.spec.dialects import Dialect, untolerated
from mcp_assay.spec.methods import LIST_CHANGES, LIST_MEMBERS
from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES, UNREAD
from mcp_assay.wire.reader import Reading, read

NOTHING: Final[Sequence[Finding]] = ()
NOTIFICATION: Final = "notifications/"
KEPT_REQUESTS: Final = frozenset((*LIST_MEMBERS, TOOLS_CALL))
"""The requests whose params say how their answers are judged."""
NO_VALUE: Final[dict[str, Any]] = {}
"""In place of a request that nobody will look at again."""


class Suspect(Struct, frozen=True):
    """A message that the fast path has not accepted: its text, where it came from, and what orjson
    made of it."""

    raw: bytes
    direction: Direction | None
    value: Any
    place: int = 0


Answered: TypeAlias = tuple[str, FastChecks, dict[str, Any]]
"""What is kept of a request while its answer is judged: its method, the checks of its time, and
what is known of its members."""


class SessionChecker:
    """One session: it remembers what was asked, and which revision the peers agreed on.

    Without a revision of its own it follows the peers: what they negotiate, or what a request's
    `_meta` names. Without `duplicates` nobody looks for members that occur twice. With `sessions`
    each message is also judged by what was said before; `partial` sessions may have begun earlier.

    A text is given to `check`, a value to `check_reading`. Who has many, or has decoded them
    already, asks for the `suspects` among them, or whether one `passes`, and lets the others be
    explained, each before the next one is looked at.
    """

    __slots__ = (
        "_answered",
        "_checks",
        "_decided",
        "_dialect",
        "_dispatcher",
        "_duplicates",
        "_lists",
        "_pending",
    )

    def __init__(
        self,
        revision: str | None = None,
        *,
        duplicates: bool = True,
        dialect: Dialect = "mcp",
        decided: DecidedRules | None = None,
        partial: bool = False,
        sessions: bool = False,
    ) -> None:
        self._checks: Final = FollowedChecks(revision)
        self._duplicates: Final = duplicates
        self._dialect: Final = dialect
        self._pending: Final = Pending[FastChecks]()
        self._decided: Final = decided or DecidedRules()
        self._answered: Sequence[Answered | None] = (None,)
        """The requests that the present message answers: of a batch, that of each member."""
        self._dispatcher: Final = self._watching(partial=partial) if sessions else None
        if sessions:
            self._decided.seen.update(("session", "sender"))
        has_lists = self._decided.judges_lists and not sessions
        self._lists: Final = self._watching(partial=True, bare=True) if has_lists else None
        """Who judges what servers list in messages of no session."""

    def _watching(self, *, partial: bool, bare: bool = False) -> SessionDispatcher:
        state = SessionState(self._decided, self._pending, partial=partial)
        return SessionDispatcher(state, bare=bare)

    @property
    def revision(self) -> str:
        """The revision that the next message is judged by, unless it names another."""
        return self._checks.current.revision

    def check(
        self,
        raw: bytes,
        direction: Direction | None = None,
        place: int = 0,
        delivery: Delivery = NO_DELIVERY,
    ) -> Sequence[Finding]:
        """Everything there is to say about the text of a message, and about how it came."""
        dispatcher = self._dispatcher
        if direction is not None and delivery.other_type is not None:
            return self.hear(direction, place, delivery, raw)
        if delivery is not NO_DELIVERY:
            self._decided.see(delivery)
        if dispatcher is not None:
            if delivery is not NO_DELIVERY:
                return self._check_line(raw, direction, place, delivery)
            dispatcher.session.size = len(raw)
        value = _parsed(raw)
        if not self._passes(value, direction, place, len(raw)) or self._has_duplicates(raw, value):
            return self.explain(Suspect(raw, direction, value, place))
        return self._of_session(direction) if dispatcher and dispatcher.noted else NOTHING

    def check_reading(
        self, reading: Reading, direction: Direction | None = None, delivery: Delivery = NO_DELIVERY
    ) -> Sequence[Finding]:
        """Everything there is to say about what was read."""
        dispatcher = self._dispatcher
        if dispatcher is not None:
            dispatcher.session.delivery, dispatcher.session.size = delivery, None
        findings = self._judge_unseen(reading, direction, 0)
        if dispatcher is not None and delivery is not NO_DELIVERY and direction is not None:
            line = SessionLine(direction, delivery, 0, b"", reading.value, self.revision)
            dispatcher.see_line(line)
        return self._with_session(findings, direction)

    def passes(self, value: object, direction: Direction | None, place: int, size: int) -> bool:
        """Whether nothing is to be said about a value, but for members that it may name twice."""
        dispatcher = self._dispatcher
        if dispatcher is None:
            return self._passes(value, direction, place)
        dispatcher.session.size = size
        return self._passes(value, direction, place, size) and not dispatcher.noted

    def suspects(
        self, messages: Iterable[tuple[bytes, Direction | None, int]]
    ) -> Iterator[Suspect]:
        """The messages of a stream about which something is to be said, as they come.

        This is the hot loop: what nearly all messages of no session are is decided here, without
        a call but that of the compiled check.
        """
        duplicates, sent, dispatcher = self._duplicates, self._pending.sent, self._dispatcher
        checks, met = self._checks, self._checks.met
        value = cast(Any, UNREAD)
        for raw, direction, place in messages:
            try:
                value = loads(raw) if len(raw) <= MAX_MESSAGE_BYTES else UNREAD
            except JSONDecodeError:
                value = UNREAD
            method = value.get("method", UNREAD) if value.__class__ is dict else None
            if dispatcher is not None:
                dispatcher.noted.clear()
                dispatcher.session.size = len(raw)
                quiet = self._passes(value, direction, place, len(raw)) and not dispatcher.noted
            elif method is UNREAD:
                quiet = self._response_passes(value, direction, place)
            elif (
                method.__class__ is str
                and (check := met[direction].get(method)) is not None
                and check(value)
            ):
                id = value.get("id")
                quiet = id.__class__ is not float
                is_nameless = id.__class__ is int and method not in KEPT_REQUESTS
                if is_nameless and len(sent[direction]) < MOST_PENDING:
                    sent[direction][id] = (method, checks.current, NO_VALUE, place)
                elif id is not None:
                    self._pending.ask(direction, (method, checks.current, value, place), len(raw))
                elif method in LIST_CHANGES:
                    self._notice(value, method, direction, place)
            else:
                quiet = self._passes(value, direction, place, len(raw))
            if not quiet or (duplicates and has_duplicate_members(raw, value)):
                yield Suspect(raw, direction, value, place)

    def explain(self, suspect: Suspect) -> Sequence[Finding]:
        """Everything there is to say about a message that has just not passed."""
        return self._with_session(self._explain(suspect), suspect.direction)

    def hear(
        self,
        direction: Direction,
        place: int = 0,
        delivery: Delivery = NO_DELIVERY,
        text: bytes | None = None,
    ) -> Sequence[Finding]:
        """Everything there is to say about a line without a message; its text is for nobody."""
        self._decided.see(delivery)
        if self._dispatcher is None:
            return NOTHING
        self._dispatcher.session.partial |= delivery.gap
        line = SessionLine(direction, delivery, place, text, UNREAD, self.revision)
        self._dispatcher.see_line(line)
        return self._of_session(direction)

    def doubt(self) -> None:
        """Judge the session from now on as a part of one."""
        if self._dispatcher is not None:
            self._dispatcher.session.doubt()

    def close(self) -> list[tuple[int, Finding]]:
        """End the session: what is left to say, each with the place that it is about."""
        watching = self._dispatcher or self._lists
        return watching.close(self.revision) if watching else []

    def _check_line(
        self, raw: bytes, direction: Direction | None, place: int, delivery: Delivery
    ) -> Sequence[Finding]:
        """Judge a message that came in known circumstances."""
        dispatcher = cast(SessionDispatcher, self._dispatcher)
        session = dispatcher.session
        session.delivery, session.size = delivery, len(raw)
        session.partial |= delivery.gap
        value, findings = _parsed(raw), NOTHING
        if direction == "c2s" and delivery.http is not None and self._awaits_opening:
            self._follow(implied_revision(value, delivery.http))
        if not self._passes(value, direction, place, len(raw)) or self._has_duplicates(raw, value):
            findings = self._explain(Suspect(raw, direction, value, place))
        if direction is not None:
            dispatcher.see_line(SessionLine(direction, delivery, place, raw, value, self.revision))
        session.delivery = NO_DELIVERY
        return self._with_session(findings, direction)

    def _has_duplicates(self, raw: bytes, value: Any) -> bool:
        return self._duplicates and has_duplicate_members(raw, value)

    def _passes(self, value: Any, direction: Direction | None, place: int, size: int = 0) -> bool:
        """Whether the value needs no second look."""
        if value.__class__ is not dict:
            self._remember(value, direction, place)
            return False
        method = value.get("method", UNREAD)
        if method is UNREAD:
            return self._response_passes(value, direction, place)
        if method.__class__ is not str:
            return False
        checks, dispatcher = self._checks, self._dispatcher
        passes = (checks.met[direction].get(method) or self._meet(value, method, direction))(value)
        if "id" not in value:
            self._notice(value, method, direction, place)
            return passes
        if not passes and self._follow(self._named_revision(value)):
            passes = self._meet(value, method, direction)(value)
        kind: Kind = "notification" if method.startswith(NOTIFICATION) else "request"
        if dispatcher is not None:
            revision = checks.current.revision
            dispatcher.show(Message(value, kind, method, revision, direction, place))
        if kind == "request":
            self._pending.ask(direction, (method, checks.current, value, place), size)
        id = value["id"]
        return passes and (id.__class__ is int or id.__class__ is str)

    def _notice(
        self, value: dict[str, Any], method: str, direction: Direction | None, place: int
    ) -> None:
        """Show a notification; one of no session only where a list changes."""
        watching = self._dispatcher or (self._lists if method in LIST_CHANGES else None)
        if watching is not None:
            revision = self._checks.current.revision
            watching.show(Message(value, "notification", method, revision, direction, place))

    def _meet(self, value: dict[str, Any], method: str, direction: Direction | None) -> Accepts:
        """The check of a method that this session has not had yet."""
        if method == "initialize":
            self._follow(requested_revision(value))
        self._decided.note(self.revision, kind_of(value), method, direction)
        return self._checks.meet(value, method, direction)

    def _response_passes(
        self, value: dict[str, Any], direction: Direction | None, place: int
    ) -> bool:
        kind = kind_of(value)
        method, checks = self._correlate(value, kind, direction, place)
        id = value.get("id")
        if id.__class__ is not int and id.__class__ is not str:
            return False
        if self._lists is not None and self._lists.noted:
            return False
        return (checks.errors[None] if kind == "error" else checks.results[method])(value)

    def _correlate(
        self, value: dict[str, Any], kind: Kind, direction: Direction | None, place: int
    ) -> tuple[str | None, FastChecks]:
        """Find the request that a response answers: its method and checks decide how to judge."""
        asked = self._pending.answered(direction, value.get("id"))
        self._answered = (None if asked is None else asked[:3],)
        method, checks = asked[:2] if asked else (None, self._checks.current)
        if method == "initialize" and self._checks.follows:
            checks = self._settled(value)
        revision = checks.revision
        if (kind, method, direction) not in self._decided.messages[revision]:
            self._decided.note(revision, kind, method, direction)
        watching = self._dispatcher or (self._lists if method in LIST_MEMBERS else None)
        if watching is not None:
            request = None
            if asked is not None:
                _, under, question, then = asked
                asker = OPPOSITE[direction]
                request = Message(question, "request", method, under.revision, asker, then)
            message = Message(value, kind, method, revision, direction, place, request)
            watching.show(message)
        return method, checks

    def _settled(self, answer: dict[str, Any]) -> FastChecks:
        """The checks of the revision that the answer to initialize settles on."""
        self._follow(negotiated_revision(answer))
        return self._checks.current

    @property
    def _awaits_opening(self) -> bool:
        """Whether no client has begun a session with a handshake."""
        return self._dispatcher is None or self._dispatcher.session.handshake.request is None

    def _named_revision(self, request: dict[str, Any]) -> str | None:
        """The revision that a request names, or can only be sent under."""
        named = requested_revision(request)
        return implied_revision(request, None) if named is None and self._awaits_opening else named

    def _follow(self, revision: str | None) -> bool:
        """Go over to the revision that the peers name; tell whether that changed anything."""
        changed = self._checks.follow(revision)
        if changed and self._dispatcher is not None:
            self._dispatcher.forget()
        return changed

    def _remember(self, value: object, direction: Direction | None, place: int) -> None:
        """Remember what a value asks or answers that did not take the hot path, be it a batch."""
        if not isinstance(value, list):
            self._remember_one(value, direction, place)
            return
        self._decided.batches.add((self.revision, direction))
        answered: list[Answered | None] = []
        for member in value:
            self._remember_one(member, direction, place)
            answered.extend(self._answered)
        self._answered = answered

    def _remember_one(self, value: object, direction: Direction | None, place: int) -> None:
        self._answered = (None,)
        if not isinstance(value, dict):
            return
        method, kind = value.get("method"), kind_of(value)
        if "method" not in value:
            self._correlate(value, kind, direction, place)
        elif isinstance(method, str):
            if "id" in value:
                self._follow(self._named_revision(value))
            self._decided.note(self.revision, kind, method, direction)
            if self._dispatcher is not None:
                self._dispatcher.show(Message(value, kind, method, self.revision, direction, place))
            if kind == "request":
                self._pending.ask(direction, (method, self._checks.current, value, place))

    def _explain(self, suspect: Suspect) -> Sequence[Finding]:
        raw, direction, value = suspect.raw, suspect.direction, suspect.value
        if value is UNREAD:
            reading = read(raw, duplicates=self._duplicates, odd=True)
            return self._judge_unseen(reading, direction, suspect.place)
        doubled = self._has_duplicates(raw, value)
        if doubled or _lost_digits(value):
            return self._judge(read(raw, duplicates=doubled, odd=doubled), direction)
        return self._judge(Reading(value, parsed=True), direction)

    def _judge_unseen(
        self, reading: Reading, direction: Direction | None, place: int
    ) -> Sequence[Finding]:
        """Judge what the fast path could not read, or has not seen."""
        if not reading.readable:
            self._pending.forgetful = True
        self._remember(reading.value, direction, place)
        return self._judge(reading, direction)

    def _judge(self, reading: Reading, direction: Direction | None) -> Sequence[Finding]:
        revision = self._judged_by(reading.value)
        setting = Setting(revision=revision, direction=direction, request_of=self._request_of)
        return untolerated(judge(reading, setting), self._dialect)

    def _request_of(self, index: int) -> Message | None:
        if (answered := self._answered[index]) is None:
            return None
        method, checks, value = answered
        return Message(value, "request", method, checks.revision)

    def _judged_by(self, value: object) -> str:
        if not isinstance(value, dict) or "method" in value or self._answered[0] is None:
            return self.revision
        method, checks, _ = self._answered[0]
        return (self._settled(value) if method == "initialize" else checks).revision

    def _with_session(
        self, findings: Sequence[Finding], direction: Direction | None
    ) -> Sequence[Finding]:
        """The findings about a message, and after them those about its session."""
        watching = self._dispatcher or self._lists
        if watching is None or not watching.noted:
            return findings
        return [*findings, *sharing_causes(self._of_session(direction), findings)]

    def _of_session(self, direction: Direction | None) -> Sequence[Finding]:
        watching = self._dispatcher or self._lists
        found = watching.take_findings(self.revision, direction) if watching else []
        return untolerated(found, self._dialect)


def _parsed(raw: bytes) -> Any:
    """What orjson makes of a text, UNREAD where it refuses or the text is too long."""
    try:
        return loads(raw) if len(raw) <= MAX_MESSAGE_BYTES else UNREAD
    except JSONDecodeError:
        return UNREAD


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
