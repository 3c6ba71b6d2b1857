"""A session that is followed: its messages in, what is found in them kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from mcp_assay.findings.collector import Collector
from mcp_assay.findings.tally import SessionCount
from mcp_assay.model.entry import Direction, Entry
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker, Suspect
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.validate.lines import Damaged, Numbering
from mcp_assay.validate.options import OUR_FAULT, Options, input_finding
from mcp_assay.validate.places import TextPlace, line_place, placed
from mcp_assay.validate.plain_lines import BareRun, Messages

if TYPE_CHECKING:
    from mcp_assay.rules.envelope.session import EnvelopeChecker

Checker: TypeAlias = "SessionChecker | EnvelopeChecker"
"""Who judges a session: all of it by MCP, or the responses in it by the envelope's profile."""
FindPlace: TypeAlias = Callable[[], TextPlace]
"""Finds out where a text stands, for those findings that are worth it."""


class LiveSession:
    """Judges the messages of one session; a fault of ours is said, and ends nothing."""

    __slots__ = ("_collector", "_numbering", "checker", "count", "is_cut", "name")

    def __init__(
        self,
        checker: Checker,
        name: str | None,
        count: SessionCount,
        collector: Collector,
        numbering: Numbering,
    ) -> None:
        self.checker: Final = checker
        self.name: Final = name
        self.count: Final = count
        self.is_cut = False
        """Whether it may go on where nothing was read."""
        self._collector: Final = collector
        self._numbering: Final = numbering

    def judge_text(
        self, text: bytes, direction: Direction | None, number: int, place: FindPlace
    ) -> None:
        """Judge a text that is a message, or should be one."""
        self.count.messages += 1
        self._keep_found(partial(self.checker.check, text, direction, number), number, text, place)

    def judge_entry(self, entry: Entry, place: FindPlace) -> list[Finding]:
        """Judge what a trace line says, with a message or without."""
        text, number = entry.text, entry.number
        if text is None:
            found = partial(self.checker.hear, entry.direction, number, entry.delivery)
            return self._keep_found(found, number, b"", place)
        self.count.messages += 1
        return self._keep_found(partial(self._found, entry, text), number, text, place)

    def judge_run(self, run: BareRun) -> None:
        """Judge bare messages that follow one another."""
        messages = iter(run)
        try:
            while self._breaks_down(messages, run):
                pass
        finally:
            self.count.messages += run.length

    def explain(self, suspect: Suspect, place: FindPlace) -> None:
        """Say what there is to say about a message that did not pass."""
        found = partial(self.checker.explain, suspect)
        self._keep_found(found, suspect.place, suspect.raw, place)

    def keep(
        self,
        found: Sequence[Finding],
        number: int,
        text: bytes = b"",
        place: FindPlace | None = None,
    ) -> list[Finding]:
        """Count findings about a line, and about `text` at a place; those that are wanted."""
        if not found:
            return []
        where = partial(_placed, text, place) if place else None
        return self._collector.keep(found, number, session=self.count, place=where)

    def apologize(self, fault: Exception, number: int) -> list[Finding]:
        """Say that a line could not be judged by a fault of ours."""
        from mcp_assay.model.own_fault import own_fault  # noqa: PLC0415  hardly ever needed

        self._collector.own_faults += 1
        words = f"Internal error in mcp-assay on this message: {own_fault('', fault).words}."
        where = self._numbering.where(number, self.name)
        return self.keep([input_finding(OUR_FAULT, words, where)], number)

    def summed_up(self) -> SessionCount:
        """The count, with the revision that was spoken."""
        self.count.revision = self.checker.revision
        return self.count

    def _found(self, entry: Entry, text: bytes) -> Sequence[Finding]:
        """What is wrong with a line as a message and as a line, each thing told once."""
        found = self.checker.check(text, entry.direction, entry.number, entry.delivery)
        if not found:
            return found
        from mcp_assay.rules.session.stdio import (  # noqa: PLC0415  only where something is wrong
            each_cause_once,
            folded_rules,
        )

        wanted = self._collector.select(found)
        kept = each_cause_once(wanted, text) or wanted
        self._collector.note_folded(folded_rules(wanted, kept))
        return kept

    def _breaks_down(self, messages: Messages, run: BareRun) -> bool:
        """Judge messages up to their end, or up to a fault of ours."""
        checker, numbering = self.checker, self._numbering
        try:
            for suspect in checker.suspects(messages):
                number = suspect.place
                place = partial(line_place, numbering, number)
                self.keep(checker.explain(suspect), number, suspect.raw, place)
        except Damaged:
            raise
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            self.apologize(fault, run.number)
            return True
        return False

    def _keep_found(
        self, judge: Callable[[], Sequence[Finding]], number: int, text: bytes, place: FindPlace
    ) -> list[Finding]:
        try:
            found = judge()
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            return self.apologize(fault, number)
        return self.keep(found, number, text, place)


def begin_checker(
    options: Options, decided: DecidedRules, is_part: bool, is_session: bool
) -> Checker:
    """Whoever judges a session that may be a part of one, or messages of no session."""
    if options.profile == "envelope":
        from mcp_assay.rules.envelope.session import EnvelopeChecker  # noqa: PLC0415  seldom needed

        return EnvelopeChecker(decided, duplicates=options.duplicates)
    return SessionChecker(
        options.revision,
        duplicates=options.duplicates,
        dialect=options.dialect,
        decided=decided,
        partial=is_part,
        sessions=is_session,
    )


def _placed(text: bytes, place: FindPlace, findings: list[Finding]) -> list[Finding]:
    return placed(findings, text, place())
