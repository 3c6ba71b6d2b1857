"""Texts and lines of all inputs -> whose they are, and off to their sessions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.findings.collector import Collector
from mcp_assay.model.entry import Direction, Entry, SessionKey
from mcp_assay.model.finding import Finding, Where
from mcp_assay.rules.engine.checker import Suspect
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.validate.lines import Numbering
from mcp_assay.validate.live_session import LiveSession
from mcp_assay.validate.options import TRACE_LINE, InputRule, Options, input_finding, line_too_long
from mcp_assay.validate.places import TextPlace, entry_place, line_place, placed
from mcp_assay.validate.plain_lines import (
    BareRun,
    Numbered,
    is_bare,
    is_blank,
    message_text,
    names_twice,
    plain_line,
)
from mcp_assay.validate.session_router import SessionRouter
from mcp_assay.validate.sessions import Sessions
from mcp_assay.validate.shares import WHOLE, Share
from mcp_assay.validate.trace import Mapped, NotUnderstood, Route, read_trace_line, route


class TraceReader:
    """Reads all inputs of a run, and has those sessions judged that belong to its share.

    A line goes one of three ways. Bare messages that follow one another go through the hot loop of
    their checker. A trace line that names its session first is *routed*: passed over where another
    share judges it, else parsed once and judged. Any other trace line is *read* exactly.
    """

    def __init__(
        self,
        options: Options,
        sessions: Sessions,
        collector: Collector,
        numbering: Numbering,
        *,
        share: Share = WHOLE,
    ) -> None:
        self.share: Final = share
        self.reports_inputs = share.is_first
        """Whether findings about the inputs themselves are kept here, not in another share."""
        self.is_trace = False
        self.messages = 0
        self._options: Final = options
        self._sessions: Final = sessions
        self._collector: Final = collector
        self._numbering: Final = numbering
        self._router: Final = SessionRouter()
        self._mapped: Final = Mapped(options.map) if options.map else None

    def begin(self, file: str) -> None:
        """Begin with the next input."""
        self._numbering.begin(file)

    def read_text(self, text: bytes, place: TextPlace) -> None:
        """Read a document that is a message or, for once alone, a trace line."""
        number = self._numbering.of(place.file, place.line)
        if self._try_trace_line(text, number, place):
            return
        session = self._sessions.of(("bare", place.file), place.file, number)
        if session is not None:
            self.messages += 1
            session.judge_text(text, self._options.direction, number, lambda: place)

    def read_lines(self, lines: Iterable[bytes | None]) -> None:
        """Read line after line; None stands for one that is too long."""
        number = self._numbering.start
        following = enumerate(lines, start=number + 1)
        try:
            for number, line in following:
                self._read_from(number, line, following)
        finally:
            self._numbering.reach(number)

    def begin_together(self, files: Sequence[str]) -> list[int]:
        """Begin with several inputs that are read in turn: where each of them starts."""
        return self._numbering.begin_together(files)

    def read_in_turn(self, file: str, start: int, number: int, line: bytes | None) -> None:
        """Read a line of one of several inputs."""
        self._read_from(self._numbering.resume(file, start, number), line, iter(()))

    def read_line(self, line: bytes) -> Entry | None:
        """What a line of a trace says; None for a message alone."""
        return self._mapped.read(line) if self._mapped else read_trace_line(line)

    def doubt(self, sessions: Iterable[SessionKey]) -> None:
        """Judge sessions as parts, whose order cannot be told."""
        for session in sessions:
            self._sessions.doubt(session)

    def judge_live(self, entry: Entry) -> list[Finding]:
        """Judge one entry of a live trace: what was found, which is also counted.

        An entry that opens an HTTP exchange may have to wait for its session; what there is to say
        about it is then given with a later one.
        """
        self._collector.is_live = True
        number = self._numbering.of(entry.where.file or "", entry.where.line or 1)
        return self._route(replace(entry, number=number))

    @property
    def has_begun(self) -> bool:
        """Whether anything came from the present input."""
        return self._numbering.last > self._numbering.start

    def report_input(self, rule: InputRule, words: str, number: int | None = None) -> None:
        """Keep a finding about the input itself, as far as it was read; once for all shares."""
        if self.reports_inputs:
            number = self._numbering.next() if number is None else number
            found = input_finding(rule, words, self._numbering.where(number))
            self._collector.keep([found], number)

    def end_input(self) -> None:
        """End an input: what still waits there for its session waits no longer."""
        for waiting in self._router.rest():
            self._judge_entry(waiting)

    def _read_from(self, number: int, line: bytes | None, following: Numbered) -> None:
        """Read a line and, where it is a bare message, those that follow it too."""
        while line is not None and not self._try_trace_line(line, number):
            run = BareRun(number, line, following, self._options.direction)
            self._judge_run(run)
            number, line = run.ended_by
        if line is None:
            self._refuse_long(number)

    def _refuse_long(self, number: int) -> None:
        """Say, once for all shares, that a line was too long to be read."""
        if self.reports_inputs:
            found = line_too_long(self._options.revision or DEFAULT_REVISION)
            place = line_place(self._numbering, number)
            self._collector.keep(found, number, place=lambda kept: placed(kept, b"", place))

    def _judge_run(self, run: BareRun) -> None:
        file = self._numbering.file
        session = self._sessions.of(("bare", file), file, run.number)
        try:
            if session is None:
                deque(run, maxlen=0)
            else:
                session.judge_run(run)
        finally:
            self.messages += 0 if session is None else run.length
            self._numbering.reach(run.number)

    def _try_trace_line(self, line: bytes, number: int, place: TextPlace | None = None) -> bool:
        """Judge a trace line, or pass over a blank one; False where it is a bare message."""
        routed = route(line) if self._mapped is None else None
        if routed is not None:
            self._judge_routed(line, number, routed, place)
            return True
        if is_blank(line):
            return True
        if self._mapped is None and is_bare(line):
            return False
        return self._try_read(line, number, place or line_place(self._numbering, number))

    def _judge_routed(
        self, line: bytes, number: int, routed: Route, place: TextPlace | None
    ) -> None:
        """Judge a trace line that names its session first."""
        self.is_trace = True
        session = self._sessions.of(routed[0], self._numbering.file, number)
        self._note_named(line, routed)
        if session is None:
            return
        members = plain_line(line)
        if members is None:
            place = place or line_place(self._numbering, number)
            self._judge_odd(session, line, number, place, routed)
        elif not self._passes(session, line, routed[1], number, members):
            suspect = Suspect(message_text(line), routed[1], members["message"], number)
            session.explain(suspect, partial(self._plain_place, line, number, place, routed))

    def _note_named(self, line: bytes, routed: Route) -> None:
        """Note whose line this is, as long as answers may come that do not say so."""
        file = self._numbering.file
        if not self._router.notes_named(file):
            return
        with suppress(NotUnderstood):
            if entry := read_trace_line(line, where=Where(file=file)):
                self._router.note_named(entry, routed[0])
                self._doubt()

    def _doubt(self) -> None:
        """Judge sessions as parts of which a line may be elsewhere."""
        while self._router.doubtful:
            self._sessions.doubt(self._router.doubtful.pop())

    def _passes(
        self,
        session: LiveSession,
        line: bytes,
        direction: Direction,
        number: int,
        members: dict[str, Any],
    ) -> bool:
        """Whether nothing is to be said about the message of a plain line; it is counted."""
        self.messages += 1
        session.count.messages += 1
        try:
            passes = session.checker.passes(members["message"], direction, number, len(line))
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            session.apologize(fault, number)
            return True
        return passes and not (self._options.duplicates and names_twice(line, members))

    def _judge_odd(
        self, session: LiveSession, line: bytes, number: int, place: TextPlace, routed: Route
    ) -> None:
        """Judge a trace line of which only the session is sure."""
        try:
            entry = read_trace_line(line, number, place.where())
        except NotUnderstood as problem:
            session.keep([_not_understood(problem, place)], number)
            return
        if entry is None:
            self.messages += 1
            session.judge_text(line, routed[1], number, lambda: place)
        else:
            self._judge_entry(replace(entry, session=routed[0]))

    def _try_read(self, line: bytes, number: int, place: TextPlace) -> bool:
        """Judge a trace line of any kind; False where the line is none."""
        read = self._mapped.read if self._mapped else read_trace_line
        try:
            entry = read(line, number, place.where())
        except NotUnderstood as problem:
            if self.reports_inputs:
                self._collector.keep([_not_understood(problem, place)], number)
            return True
        if entry is None:
            return False
        self._route(entry)
        return True

    def _route(self, entry: Entry) -> list[Finding]:
        """Judge an entry, unless it must wait, and those that waited for it."""
        self.is_trace = True
        ready = self._router.ready(entry)
        return [finding for one in ready for finding in self._judge_entry(one)]

    def _judge_entry(self, entry: Entry) -> list[Finding]:
        file = entry.where.file or ""
        session = self._sessions.of(entry.session or ("file", file), file, entry.number)
        self._doubt()
        if session is None:
            return []
        self.messages += entry.text is not None
        return session.judge_entry(entry, partial(self._message_place, entry))

    def _message_place(self, entry: Entry) -> TextPlace:
        way = self._mapped.holder(entry.member) if self._mapped and entry.member else ()
        return entry_place(entry, way)

    def _plain_place(
        self, line: bytes, number: int, place: TextPlace | None, routed: Route
    ) -> TextPlace:
        """Where the message of a plain line stands."""
        where = (place or line_place(self._numbering, number)).where()
        key, direction = routed
        entry = Entry(direction=direction, session=key, member=b"message", where=where, source=line)
        return entry_place(entry)


def _not_understood(problem: NotUnderstood, place: TextPlace) -> Finding:
    words = f"This trace line is invalid: {problem}."
    return input_finding(TRACE_LINE, words, place.where())
