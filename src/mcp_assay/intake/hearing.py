"""Texts and lines of all inputs -> whose they are, and off to the judge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from functools import partial
from typing import Final

from msgspec.structs import replace

from mcp_assay.intake.bare_runs import BareRun, Numbered, is_bare, is_blank
from mcp_assay.intake.conversations import Followed
from mcp_assay.intake.exchanges import Exchanges, Heard
from mcp_assay.intake.faults import OUR_FAULT, TRACE_LINE, InputRule, input_finding, line_too_long
from mcp_assay.intake.judge import Judge
from mcp_assay.intake.keeping import Tell
from mcp_assay.intake.mapping import Mapped
from mcp_assay.intake.options import Options
from mcp_assay.intake.places import TextPlace, entry_place
from mcp_assay.intake.plain_lines import message_text, plain_line
from mcp_assay.intake.shares import WHOLE, Share
from mcp_assay.intake.trace import (
    Entry,
    NotUnderstood,
    Route,
    SessionKey,
    read_trace_line,
    route,
)
from mcp_assay.model.finding import Finding
from mcp_assay.rules.lanes import Refused
from mcp_assay.spec.revisions import DEFAULT_REVISION


class Hearing:
    """Hears all inputs of a run, and has those conversations judged that belong to its share.

    A line goes one of three ways. Bare messages that follow one another go through the hot loop of
    their lanes. A trace line that names its session first is *routed*: passed over where another
    share judges it, else parsed once and judged. Any other trace line is *read* exactly.
    """

    def __init__(
        self,
        options: Options,
        wanted: Collection[str],
        *,
        share: Share = WHOLE,
        tell: Tell | None = None,
    ) -> None:
        self.options: Final = options
        self.share: Final = share
        self.judge: Final = Judge(options, wanted, share, tell)
        self.is_trace = False
        self._keeper: Final = self.judge.keeper
        self._numbering: Final = self._keeper.numbering
        self._conversations: Final = self.judge.conversations
        self._exchanges: Final = Exchanges()
        self._mapped: Final = Mapped(options.map) if options.map else None

    def begin(self, file: str) -> None:
        """Begin with the next input."""
        self._numbering.begin(file)

    def text(self, text: bytes, place: TextPlace) -> None:
        """Hear a document that is a message or, for once alone, a trace line."""
        number = self._numbering.of(place.file, place.line)
        if self._is_other(text, number, place):
            return
        followed = self._conversations.of(("bare", place.file), place.file, number)
        if followed is not None:
            direction = self.options.direction
            self.judge.judge_text(followed, text, direction, number, lambda: place)

    def lines(self, lines: Iterable[bytes | None]) -> None:
        """Hear line after line; None stands for one that is too long."""
        number = self._numbering.start
        following = enumerate(lines, start=number + 1)
        try:
            for number, line in following:
                if line is None or not self._is_routed(line, number):
                    self._line(number, line, following)
        finally:
            self._numbering.reach(number)

    def entry(self, entry: Entry, place: TextPlace) -> list[Finding]:
        """Hear what one trace line says; what is found in it, and in lines that waited for it."""
        self._keeper.is_live = True
        return self._hear(Heard(entry, place, self._numbering.of(place.file, place.line)))

    @property
    def has_heard(self) -> bool:
        """Whether anything came from the present input."""
        return self._numbering.last > self._numbering.start

    def about_input(self, rule: InputRule, words: str) -> None:
        """Keep a finding about the input itself, as far as it was read; once for all shares."""
        if self.share.is_first:
            self._keeper.keep_about_input(rule, words)

    def cut(self, rule: InputRule, words: str) -> None:
        """Keep a finding about an input that breaks off: nobody knows how its conversations end."""
        self._conversations.cut()
        self.about_input(rule, words)

    def lose(self, words: str) -> None:
        """Say that a share of the conversations was lost by a fault of ours."""
        self._keeper.own_faults += 1
        self.about_input(OUR_FAULT, words)

    def end_input(self) -> None:
        """End an input: what still waits there for its session waits no longer."""
        for heard in self._exchanges.rest():
            self._judge_entry(heard)

    def close(self) -> list[Finding]:
        """End all conversations; what there was left to say about them."""
        self.end_input()
        found: list[Finding] = []
        for ending in self._conversations.end():
            followed, number = ending.followed, ending.number or ending.followed.count.first
            where = self._numbering.where(number, followed.name)
            found += self._keeper.keep([replace(ending.finding, where=where)], followed, number)
        self.judge.worker.close()
        return found

    def _line(self, number: int, line: bytes | None, following: Numbered) -> None:
        """Hear a line and, where it is a bare message, those that follow it too."""
        while line is not None and not self._is_other(line, number):
            run = BareRun(number, line, following, self.options.direction)
            self._run(run)
            number, line = run.ended_by
        if line is None and self.share.is_first:
            found = line_too_long(self.options.revision or DEFAULT_REVISION)
            self._keeper.keep(found, None, number, b"", partial(self._keeper.line, number))

    def _run(self, run: BareRun) -> None:
        file = self._numbering.file
        followed = self._conversations.of(("bare", file), file, run.number)
        try:
            if followed is None:
                deque(run, maxlen=0)
            else:
                self.judge.judge_run(followed, run)
        finally:
            self._numbering.reach(run.number)

    def _is_other(self, line: bytes, number: int, place: TextPlace | None = None) -> bool:
        """Whether the text is no bare message; it has been judged then."""
        if is_blank(line):
            return True
        if self._mapped is None and is_bare(line):
            return False
        return self._is_routed(line, number, place) or self._is_read(line, number, place)

    def _is_routed(self, line: bytes, number: int, place: TextPlace | None = None) -> bool:
        """Judge a trace line that names its session first; False where it does not."""
        if self._mapped is not None or (routed := route(line)) is None:
            return False
        self.is_trace = True
        followed = self._conversations.of(routed[0], self._numbering.file, number)
        if followed is None:
            return True
        members = plain_line(line)
        if members is None:
            self._judge_odd(followed, line, number, place or self._keeper.line(number), routed)
        elif not self.judge.passes(followed, line, routed[1], number, members):
            refused = Refused(message_text(line), routed[1], members["message"], number)
            where = partial(self._message_place, line, number, place, routed)
            self.judge.explain(followed, refused, where)
        return True

    def _judge_odd(
        self, followed: Followed, line: bytes, number: int, place: TextPlace, routed: Route
    ) -> None:
        """Judge a trace line of which only the session is sure."""
        try:
            entry = read_trace_line(line)
        except NotUnderstood as problem:
            self._keeper.keep([_not_understood(problem, place)], followed, number)
            return
        if entry is None:
            self.judge.judge_text(followed, line, routed[1], number, lambda: place)
        else:
            self._judge_entry(Heard(replace(entry, session=routed[0]), place, number, line))

    def _is_read(self, line: bytes, number: int, place: TextPlace | None = None) -> bool:
        """Judge a trace line of any kind; False where the line is none."""
        place = place or self._keeper.line(number)
        try:
            entry = self._mapped.read(line) if self._mapped else read_trace_line(line)
        except NotUnderstood as problem:
            if self.share.is_first:
                self._keeper.keep([_not_understood(problem, place)], None, number)
            return True
        if entry is None:
            return False
        self._hear(Heard(entry, place, number, line))
        return True

    def _hear(self, heard: Heard) -> list[Finding]:
        """Judge an entry, unless it must wait, and those that waited for it."""
        self.is_trace = True
        ready = self._exchanges.ready(heard)
        return [finding for one in ready for finding in self._judge_entry(one)]

    def _judge_entry(self, heard: Heard) -> list[Finding]:
        entry, file, number = heard.entry, heard.place.file, heard.number
        key = entry.session or _without_session(entry, file)
        followed = self._conversations.of(key, file, number)
        if followed is None:
            return []
        return self.judge.judge_entry(followed, entry, number, partial(self._inside, heard))

    def _inside(self, heard: Heard) -> TextPlace:
        """Where the message of an entry stands."""
        entry = heard.entry
        if not heard.source:
            return heard.place
        way = self._mapped.holder(entry.member) if self._mapped and entry.member else ()
        return entry_place(entry, heard.source, heard.place, way)

    def _message_place(
        self, line: bytes, number: int, place: TextPlace | None, routed: Route
    ) -> TextPlace:
        """Where the message of a plain line stands."""
        entry = Entry(direction=routed[1], session=routed[0], member=b"message")
        return entry_place(entry, line, place or self._keeper.line(number))


def _without_session(entry: Entry, file: str) -> SessionKey:
    """What holds entries together that name no session: over HTTP, any client may be speaking."""
    return ("file" if entry.exchange is None and entry.line.http is None else "exchanges"), file


def _not_understood(problem: NotUnderstood, place: TextPlace) -> Finding:
    words = f"This trace line is not understood: {problem}."
    return input_finding(TRACE_LINE, words, place.where())
