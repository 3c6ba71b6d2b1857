"""Files -> texts -> sessions -> findings -> Report: what `mcp-assay validate` does."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from mcp_assay import __version__
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.drift import compare_tools
from mcp_assay.findings.checks import Scope, checks, commonest_reasons, reported_elsewhere
from mcp_assay.findings.collector import Collector, OnFinding
from mcp_assay.findings.tally import Tally
from mcp_assay.model.entry import SessionKey
from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import RunOutcome, outcome_of
from mcp_assay.model.report import (
    Check,
    Limit,
    Report,
    ReportSubject,
    Summary,
    ToolVersion,
)
from mcp_assay.rules import rule_id, rule_name
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.session.ids import MOST_UNORDERED
from mcp_assay.spec.revisions import R2025_03_26
from mcp_assay.spec.selection import chosen, require_rules
from mcp_assay.validate.lines import Damaged, Numbering, Unreadable, unpacked
from mcp_assay.validate.live_session import begin_checker
from mcp_assay.validate.options import (
    INPUT_RULES,
    KNOWN_RULES,
    NOT_TESTABLE,
    UNREADABLE,
    Options,
    require_selectable,
    rules_of,
)
from mcp_assay.validate.places import Cursor, TextPlace
from mcp_assay.validate.reader import TraceReader
from mcp_assay.validate.sessions import SessionEnding, Sessions
from mcp_assay.validate.shares import WHOLE, Share
from mcp_assay.validate.sources import Seen, Text, opened, read_text, shown_name, without_secrets
from mcp_assay.validate.trace import require_pointers
from mcp_assay.wire.locations import elements
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from mcp_assay.wire.reader import read

if TYPE_CHECKING:
    from mcp_assay.validate.selection import SampledSessions, SessionSelection
    from mcp_assay.validate.server_lines import LineFilter

__all__ = ["KNOWN_RULES", "Options", "Run", "rule_id", "rule_name", "validate"]


def validate(sources: Iterable[str], options: Options | None = None) -> Report:
    """Judge every message in the files ("-" is standard input) and report what was found.

    Nothing in the files makes this raise; an option that does not exist raises ValueError.
    """
    run = Run(options or Options())
    run.judge_all(sources)
    run.close()
    return run.report()


class Run:
    """One validation under way: give it sources or single entries, close it, take its report.

    `on_finding` gets each finding at once, `seen` how many bytes were read from a file; `lines` may
    blank lines out. Of several shares of a run, each judges some of the sessions in all sources.
    `selection` and `ranks` say which sessions of an archive are judged here, and which places its
    files have among all.
    """

    def __init__(
        self,
        options: Options,
        *,
        share: Share = WHOLE,
        on_finding: OnFinding | None = None,
        seen: Seen | None = None,
        lines: LineFilter | None = None,
        selection: SessionSelection | None = None,
        ranks: Mapping[str, int] | None = None,
    ) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        require_selectable(options.select, options.profile)
        require_pointers(options.map)
        self.options = options
        self.rules = rules_of(options.profile)
        self.wanted = chosen(self.rules, options.select, options.ignore, _about_the_run())
        self.collector = Collector(self.wanted, Tally(options.max_findings), on_finding=on_finding)
        self._worker = LateWorker()
        self.decided = DecidedRules(self._worker, compare_tools=compare_tools)
        self._numbering = Numbering(ranks)
        given = self.collector, self._numbering
        begin = partial(begin_checker, options, self.decided)
        self.sessions = Sessions(
            begin, *given, partial=options.partial, share=share, selection=selection
        )
        self.reader = TraceReader(options, self.sessions, *given, share=share)
        self.sources: list[str] = []
        self.unreadable: dict[str, str] = {}
        self.broken: set[str] = set()
        """Sources that could not be read to their ends."""
        self.interrupted = False
        self.sampled: SampledSessions | None = None
        """What a sample left out, where only a sample was judged."""
        self.noted: list[Limit] = []
        """Limits that whoever gave the sources knows of."""
        self.seen = seen
        self._filtered: LineFilter = lines or iter
        self._watch = Stopwatch()

    def judge(self, source: str) -> None:
        """Judge all that the source holds; a source that cannot be read is a finding."""
        self.sources.append(source)
        file = shown_name(source)
        self.reader.begin(file)
        try:
            with opened(source, self.seen) as stream:
                self._judge_text(read_text(unpacked(stream), file, MAX_MESSAGE_BYTES), file)
        except Unreadable as refusal:
            self.unreadable[source] = str(refusal)
            self.reader.report_input(UNREADABLE, f"{refusal}.")
        except Damaged as damage:
            self._break_off(source, f"{file} is incomplete: {damage}")
        finally:
            self.reader.end_input()

    def judge_all(self, sources: Iterable[str]) -> None:
        """Judge one source after the other; an interruption ends that, and is noted."""
        try:
            for group in self._in_order(list(sources)):
                self.judge_group(group)
        except KeyboardInterrupt:
            self.interrupted = True
            self.sessions.cut()

    def _in_order(self, sources: list[str]) -> list[list[str]]:
        """The sources in the order of reading, those in groups that must be read in turn."""
        if len(sources) < SEVERAL:
            return [[source] for source in sources]
        from mcp_assay.validate.file_order import (  # noqa: PLC0415  seldom needed
            reading_groups,
            time_span,
        )

        read = self.reader.read_line
        spans = {source: time_span(source, read) for source in dict.fromkeys(sources)}
        return reading_groups(sources, spans)

    def judge_group(self, group: Sequence[str]) -> None:
        """Judge one source, or several that are merged line by line."""
        if len(group) < SEVERAL:
            self.judge(*group)
            return
        from mcp_assay.validate.clocks import clock_corrections  # noqa: PLC0415  seldom needed
        from mcp_assay.validate.merged_files import MergedFiles  # noqa: PLC0415  seldom needed

        read = self.reader.read_line
        corrections = clock_corrections([self._readable_lines(one) for one in group], read)
        self.sources += group
        files = [shown_name(source) for source in group]
        starts = self.reader.begin_together(files)
        lines = [self._lines_of(*named) for named in zip(group, starts, strict=True)]
        merged = MergedFiles(lines, read, corrections)
        for line in merged:
            at = line.file
            self.reader.doubt(merged.untold)
            self.reader.read_in_turn(files[at], starts[at], line.number, line.text)
            self.reader.doubt(merged.untold)
            merged.untold.clear()
        self.reader.end_input()

    def _lines_of(self, source: str, start: int) -> Iterator[bytes | None]:
        """The lines of one of several sources; one that cannot be read on is a finding."""
        file = shown_name(source)
        try:
            yield from self._filtered(self._plain_lines(source, self.seen))
        except Unreadable as refusal:
            self.unreadable[source] = str(refusal)
            self.reader.report_input(UNREADABLE, f"{refusal}.", start)
        except Damaged as damage:
            self.sessions.cut()
            self.broken.add(source)
            words = f"{file} is incomplete: {damage}; {WAS_CHECKED}."
            self.reader.report_input(UNREADABLE, words, start)

    def _readable_lines(self, source: str) -> Iterator[bytes | None]:
        """The lines of a source as far as it can be read, which is said when it is judged."""
        with suppress(Unreadable, Damaged):
            yield from self._plain_lines(source)

    def _plain_lines(self, source: str, seen: Seen | None = None) -> Iterator[bytes | None]:
        with opened(source, seen) as stream:
            text = read_text(unpacked(stream), shown_name(source), MAX_MESSAGE_BYTES)
            yield from text.split(b"\n") if isinstance(text, bytes) else text

    def close(self) -> list[Finding]:
        """End all sessions: what there was left to say, which is also counted."""
        self.reader.end_input()
        found = self._keep_endings(self.sessions.end())
        self._worker.close()
        return found

    def end_where(self, is_over: Callable[[SessionKey], bool]) -> list[Finding]:
        """End the sessions of which it is known that they do not go on."""
        return self._keep_endings(self.sessions.end_where(is_over))

    def _keep_endings(self, endings: Iterable[SessionEnding]) -> list[Finding]:
        found: list[Finding] = []
        for ending in endings:
            session, number = ending.session, ending.number or ending.session.count.first
            where = self._numbering.where(number, session.name)
            placed = msgspec.structs.replace(where, tool=ending.finding.where.tool)
            found += session.keep([msgspec.structs.replace(ending.finding, where=placed)], number)
        return found

    @property
    def messages(self) -> int:
        """How many messages were judged, none where no tool's response was among them."""
        if self.options.profile == "envelope" and not self.decided.session_rules:
            return 0
        return self.reader.messages

    @property
    def own_faults(self) -> int:
        """How many messages could not be judged by a fault of ours."""
        return self.collector.own_faults

    def _break_off(self, source: str, words: str) -> None:
        """Say that a source broke off: nobody knows how its sessions end."""
        self.broken.add(source)
        if self.reader.has_begun:
            words += f"; {WAS_CHECKED}"
        else:
            self.unreadable[source] = words
        self.sessions.cut()
        self.reader.report_input(UNREADABLE, f"{words}.")

    def _judge_text(self, text: Text, file: str) -> None:
        if not isinstance(text, bytes):
            self.reader.read_lines(self._filtered(text))
        elif self._is_list(text):
            cursor = Cursor(text)
            for start, end in elements(text):
                place = TextPlace(file=file).moved(*cursor.at(start))
                self.reader.read_text(text[start:end], place)
        else:
            self.reader.read_text(text, TextPlace(file=file))

    def _is_list(self, text: bytes) -> bool:
        """Whether the document is a list of messages and not a batch, nor a broken array."""
        if self.options.revision == R2025_03_26 or not text.lstrip().startswith(b"["):
            return False
        return isinstance(read(text).value, list)

    def report(self) -> Report:
        """What was found out up to now."""
        tally, revisions = self.collector.tally, self.sessions.spoken()
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=ReportSubject(kind="trace" if self.reader.is_trace else "messages"),
            revision=revisions.pop() if len(revisions) == 1 else None,
            options=self._shown_options(),
            summary=Summary(
                outcome=self._outcome(),
                errors=tally.severities["error"],
                warnings=tally.severities["warning"],
                infos=tally.severities["info"],
                messages=self.messages,
                sessions=self.sessions.begun,
            ),
            findings=tally.kept,
            checks=self._checks(),
            causes=tally.causes(),
            sessions=[count.summary() for count in self.sessions.ranking().worst()],
            limits=self._limits(),
            timing=self._watch.timing(),
        )

    def _outcome(self) -> RunOutcome:
        is_complete = bool(self.messages) and not (self.interrupted or self.own_faults)
        counts = self.collector.tally.severities
        return outcome_of(counts, self.options.fail_on, is_complete=is_complete)

    def _checks(self) -> list[Check]:
        decided, folded_rules = self.decided, self.collector.folded_rules
        unclear = decided.withheld | folded_rules.keys()
        scope = Scope(
            revisions=self.sessions.spoken(),
            decided=decided.decided() - unclear,
            wanted=self.wanted,
            messages=self.messages,
            duplicates=self.options.duplicates,
            session_rules=decided.session_rules - unclear,
            left_open=commonest_reasons(decided.left_open),
            evidence=frozenset(decided.seen | ({"sender"} if self.options.direction else set())),
            outcomes=reported_elsewhere(folded_rules),
        )
        found = checks(self.rules.values(), scope, self.collector.tally)
        return [_in_truth(check) for check in found]

    def _limits(self) -> list[Limit]:
        """Every limit that cut something."""
        limits = [*self.collector.tally.limits(), *self.sessions.limits()]
        limits += self.decided.limits.values()
        if refused := self.decided.room.refused:
            effect = "further ids were not tracked; whether they were reused is undecided"
            value = MOST_UNORDERED
            limits.append(Limit(name="remembered-ids", value=value, count=refused, effect=effect))
        if self.sampled is not None:
            limits.append(self.sampled.limit(self.sessions.begun))
        return [*limits, *self.noted]

    def _shown_options(self) -> dict[str, Any]:
        """The options under the names that they have on the command line."""
        files = [without_secrets(source) for source in self.sources]
        options = msgspec.structs.asdict(self.options)
        options["fast"] = not options.pop("duplicates")
        if self.sampled is not None:
            options |= self.sampled.shown_options()
        return {**options, "revision": self.options.revision or "auto", "files": files}


WAS_CHECKED: Final = "everything before that was checked"
SEVERAL: Final = 2
"""So many sources have an order."""


def _in_truth(check: Check) -> Check:
    """The check, which says so where no input at all could decide it."""
    if check.rule in NOT_TESTABLE and check.outcome == "undecided":
        return msgspec.structs.replace(check, outcome="not_testable")
    return check


def _about_the_run() -> list[str]:
    """The rules that no selection leaves out: what could not be judged, and why."""
    return [*INPUT_RULES, *(id for id, entry in KNOWN_RULES.items() if entry.family == "LIMIT")]


THRESHOLDS: Final = (50_000, 20, 50)
"""Parsed messages are trees, which free themselves: looking for cycles in them is time lost."""


def collect_seldom() -> None:
    """Let this process look for garbage less often; for processes that do nothing but judge."""
    gc.set_threshold(*THRESHOLDS)


@contextmanager
def collected_seldom() -> Iterator[None]:
    """The same while the block runs; for processes that do other things, too."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
