"""Files -> texts -> conversations -> findings -> Report: what `mcp-assay validate` does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec import Struct

from mcp_assay import __version__
from mcp_assay.intake.conversations import Conversations
from mcp_assay.intake.faults import (
    INPUT_RULES,
    OUR_FAULT,
    TRACE_LINE,
    UNREADABLE,
    input_finding,
    line_too_long,
)
from mcp_assay.intake.places import Cursor, TextPlace, entry_place, placed
from mcp_assay.intake.sources import Text, Unreadable, opened, read_text, shown_name
from mcp_assay.intake.spans import elements
from mcp_assay.intake.trace import NotUnderstood, read_trace_line
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.message import Direction
from mcp_assay.model.report import (
    Check,
    Report,
    ReportSubject,
    RunOutcome,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.report.checks import Scope, checks
from mcp_assay.report.selection import chosen, require_rules
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS, Tally
from mcp_assay.rules import load
from mcp_assay.rules.dialect import Dialect
from mcp_assay.rules.lanes import Lanes
from mcp_assay.rules.reach import Ledger
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2025_03_26
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES
from mcp_assay.wire.reading import read

__all__ = ["KNOWN_RULES", "Options", "Run", "rule_name", "validate"]

KNOWN_RULES = CATALOGUE | {id: rule.entry for id, rule in INPUT_RULES.items()}
"""Every rule that a finding of a validation can name."""

BARE = b'{"jsonrpc"'
"""A line that begins like this is a message, whatever else it holds."""
DIR = b'"dir"'
"""A line without this is no trace line."""


class Options(Struct, frozen=True, kw_only=True):
    """How to judge and what to report."""

    revision: str | None = None
    direction: Direction | None = None
    dialect: Dialect = "mcp"
    duplicates: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: Literal["error", "warning", "never"] = "error"


def validate(sources: Iterable[str], options: Options | None = None) -> Report:
    """Judge every message in the files ("-" is standard input) and report what was found.

    Nothing in the files makes this raise; an option that does not exist raises ValueError.
    """
    run = Run(options or Options())
    for source in sources:
        run.judge(source)
    return run.report()


def rule_name(id: str) -> str | None:
    """The name of a rule, None where nothing decides it yet."""
    rule = INPUT_RULES.get(id) or load().get(id)
    return rule.name if rule else None


class Run:
    """One validation under way."""

    def __init__(self, options: Options) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        self.options = options
        self.tally = Tally(options.max_findings)
        self.conversations = Conversations(self._begin)
        self.ledger = Ledger()
        self.wanted = chosen(KNOWN_RULES, options.select, options.ignore, _about_the_run())
        self.sources: list[str] = []
        self.unreadable: dict[str, str] = {}
        self.messages = 0
        self.own_faults = 0
        self.interrupted = False
        self.is_trace = False
        self._line = 0
        self._started = time.time(), time.perf_counter()

    def judge(self, source: str) -> None:
        """Judge all that the source holds; a source that cannot be read is a finding."""
        self.sources.append(source)
        file = shown_name(source)
        try:
            with opened(source) as stream:
                self._judge_text(read_text(stream, file, MAX_MESSAGE_BYTES), file)
        except Unreadable as refusal:
            self.unreadable[source] = str(refusal)
            self._add(input_finding(UNREADABLE, f"{refusal}.", Where(file=file)))

    def _judge_text(self, text: Text, file: str) -> None:
        if not isinstance(text, bytes):
            self._judge_lines(text, file)
        elif self._is_list(text):
            cursor = Cursor(text)
            for start, end in elements(text):
                place = TextPlace(file=file).moved(*cursor.at(start))
                self._judge_one(text[start:end], place)
        else:
            self._judge_one(text, TextPlace(file=file))

    def _is_list(self, text: bytes) -> bool:
        """Whether the document is a list of messages and not a batch, nor a broken array."""
        if self.options.revision == R2025_03_26 or not text.lstrip().startswith(b"["):
            return False
        return isinstance(read(text).value, list)

    def _judge_lines(self, lines: Iterator[bytes | None], file: str) -> None:
        """Judge line by line: a bare message without a fault costs its check and little else."""
        bare = self._bare_messages(lines, file)
        first = next(bare, None)
        if first is None:
            return
        lanes = self.conversations.of(("file", file))
        for refused in lanes.refused(chain([first], bare)):
            found = self._guarded(partial(lanes.explain, refused))
            if found:
                self._keep(found, refused.raw, TextPlace(file=file, line=self._line))

    def _bare_messages(
        self, lines: Iterator[bytes | None], file: str
    ) -> Iterator[tuple[bytes, Direction | None]]:
        """The lines that are bare messages, one at a time; the others are judged on the way.

        Nothing reads ahead, so `_line` is the line of the message that was yielded last.
        """
        direction = self.options.direction
        for self._line, line in enumerate(lines, start=1):
            if line is None:
                found = line_too_long(self.options.revision or DEFAULT_REVISION)
                self._keep(found, b"", TextPlace(file=file, line=self._line))
            elif line.startswith(BARE) or not self._is_other(line, file, self._line):
                self.messages += 1
                yield line, direction

    def _is_other(self, line: bytes, file: str, number: int) -> bool:
        """Whether the line is no bare message; a trace line has been judged then."""
        if not line or line.isspace():
            return True
        return DIR in line and self._judge_trace_line(line, TextPlace(file=file, line=number))

    def _judge_one(self, text: bytes, place: TextPlace) -> None:
        """Judge a document that is a message or, for once alone, a trace line."""
        if DIR in text and self._judge_trace_line(text, place):
            return
        lanes = self.conversations.of(("file", place.file))
        self._keep(self._check(lanes, text, self.options.direction), text, place)

    def _judge_trace_line(self, line: bytes, place: TextPlace) -> bool:
        """Judge the message of a trace line; False where the line is none."""
        try:
            entry = read_trace_line(line)
        except NotUnderstood as problem:
            words = f"This trace line is not understood: {problem}."
            self._add(input_finding(TRACE_LINE, words, place.where()))
            return True
        if entry is None:
            return False
        self.is_trace = True
        if entry.text is not None:
            lanes = self.conversations.of(entry.session or ("file", place.file))
            if found := self._check(lanes, entry.text, entry.direction):
                inside = entry_place(entry, line, place) if self.tally.has_room else place
                self._keep(found, entry.text, inside)
        return True

    def _check(self, lanes: Lanes, text: bytes, direction: Direction | None) -> Sequence[Finding]:
        """What there is to say about one message."""
        self.messages += 1
        return self._guarded(partial(lanes.check, text, direction))

    def _guarded(self, judging: Callable[[], Sequence[Finding]]) -> Sequence[Finding]:
        """What judging a message gives; a fault of ours is said, not suffered."""
        try:
            return judging()
        except Exception as fault:  # noqa: BLE001  one message must not end the run
            self.own_faults += 1
            words = f"mcp-assay failed on this message: {type(fault).__name__}: {fault}."
            return [input_finding(OUR_FAULT, words)]

    def _keep(self, found: Sequence[Finding], text: bytes, place: TextPlace) -> None:
        for finding in placed(found, text, place) if self.tally.has_room else found:
            self._add(finding)

    def _add(self, finding: Finding) -> None:
        if finding.rule in self.wanted:
            self.tally.add(finding)

    def _begin(self) -> Lanes:
        options = self.options
        return Lanes(
            options.revision,
            duplicates=options.duplicates,
            dialect=options.dialect,
            ledger=self.ledger,
        )

    def report(self) -> Report:
        """What was found out up to now."""
        severities = self.tally.severities
        revisions = self.conversations.revisions
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=ReportSubject(kind="trace" if self.is_trace else "messages"),
            revision=revisions.pop() if len(revisions) == 1 else None,
            options=self._told_options(),
            summary=Summary(
                outcome=self._outcome(),
                errors=severities["error"],
                warnings=severities["warning"],
                infos=severities["info"],
                messages=self.messages,
                sessions=self.conversations.begun,
            ),
            findings=self.tally.kept,
            checks=self._checks(),
            limits=[*self.tally.limits(), *self.conversations.limits()],
            timing=self._timing(),
        )

    def _outcome(self) -> RunOutcome:
        if self.interrupted or self.own_faults or not self.messages:
            return "incomplete"
        counted = self.tally.severities
        fatal = counted["error"] + (counted["warning"] if self.options.fail_on == "warning" else 0)
        return "fail" if fatal else "pass"

    def _checks(self) -> list[Check]:
        scope = Scope(
            revisions=self.conversations.revisions,
            decided=self.ledger.decided(),
            wanted=self.wanted,
            messages=self.messages,
            duplicates=self.options.duplicates,
        )
        return list(checks(KNOWN_RULES.values(), scope, self.tally))

    def _told_options(self) -> dict[str, Any]:
        """The options under the names that they have on the command line."""
        told = msgspec.structs.asdict(self.options)
        told["fast"] = not told.pop("duplicates")
        return {**told, "revision": self.options.revision or "auto", "files": self.sources}

    def _timing(self) -> Timing:
        started, clock = self._started
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started))
        return Timing(started=moment, seconds=round(time.perf_counter() - clock, 6))


def _about_the_run() -> list[str]:
    """The rules that no selection leaves out: what could not be judged, and why."""
    return [id for id, entry in KNOWN_RULES.items() if entry.family in ("ENV", "LIMIT")]
