"""Files -> texts -> conversations -> findings -> Report: what `mcp-assay validate` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from mcp_assay import __version__
from mcp_assay.intake.faults import INPUT_RULES, UNREADABLE
from mcp_assay.intake.hearing import Hearing
from mcp_assay.intake.keeping import Tell
from mcp_assay.intake.mapping import require_pointers
from mcp_assay.intake.options import Options
from mcp_assay.intake.packed import Damaged, unpacked
from mcp_assay.intake.parts import Part, absorb, part_of
from mcp_assay.intake.places import Cursor, TextPlace
from mcp_assay.intake.profiles import KNOWN_RULES, NOT_TESTABLE, require_selectable, rules_of
from mcp_assay.intake.shares import WHOLE, Share
from mcp_assay.intake.sources import Seen, Text, Unreadable, opened, read_text, shown_name
from mcp_assay.intake.spans import elements
from mcp_assay.intake.stopwatch import Stopwatch
from mcp_assay.intake.trace import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import (
    Check,
    Report,
    ReportSubject,
    RunOutcome,
    Summary,
    ToolVersion,
)
from mcp_assay.report.checks import Scope, checks, told_elsewhere
from mcp_assay.report.selection import chosen, require_rules
from mcp_assay.report.tally import Tally
from mcp_assay.rules import load
from mcp_assay.spec.revisions import R2025_03_26
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES
from mcp_assay.wire.reading import read

__all__ = ["KNOWN_RULES", "Options", "Run", "rule_name", "validate"]


def validate(sources: Iterable[str], options: Options | None = None) -> Report:
    """Judge every message in the files ("-" is standard input) and report what was found.

    Nothing in the files makes this raise; an option that does not exist raises ValueError.
    """
    run = Run(options or Options())
    run.judge_all(sources)
    run.close()
    return run.report()


def rule_name(id: str) -> str | None:
    """The name of a rule, None where nothing decides it yet."""
    rule = INPUT_RULES.get(id) or load().get(id)
    return rule.name if rule else None


class Run:
    """One validation under way: give it sources or single entries, close it, take its report.

    `tell` is told each finding at once, `seen` how many bytes were read from a file. Of several
    shares of a run, each judges some of the conversations in all sources.
    """

    def __init__(
        self,
        options: Options,
        *,
        share: Share = WHOLE,
        tell: Tell | None = None,
        seen: Seen | None = None,
    ) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        require_selectable(options.select, options.profile)
        require_pointers(options.map)
        self.options = options
        self.rules = rules_of(options.profile)
        self.wanted = chosen(self.rules, options.select, options.ignore, _about_the_run())
        self.hearing = Hearing(options, self.wanted, share=share, tell=tell)
        self.sources: list[str] = []
        self.unreadable: dict[str, str] = {}
        self.interrupted = False
        self.seen = seen
        self._watch = Stopwatch()

    def judge(self, source: str) -> None:
        """Judge all that the source holds; a source that cannot be read is a finding."""
        self.sources.append(source)
        file = shown_name(source)
        self.hearing.begin(file)
        try:
            with opened(source, self.seen) as stream:
                self._judge_text(read_text(unpacked(stream), file, MAX_MESSAGE_BYTES), file)
        except Unreadable as refusal:
            self.unreadable[source] = str(refusal)
            self.hearing.about_input(UNREADABLE, f"{refusal}.")
        except Damaged as damage:
            self._break_off(source, f"{file} breaks off: {damage}")
        finally:
            self.hearing.end_input()

    def judge_all(self, sources: Iterable[str]) -> None:
        """Judge one source after the other; an interruption ends that, and is noted."""
        try:
            for source in sources:
                self.judge(source)
        except KeyboardInterrupt:
            self.interrupted = True
            self.hearing.judge.conversations.cut()

    def hear(self, entry: Entry, place: TextPlace) -> list[Finding]:
        """Judge one entry of a live trace: what was found, which is also counted.

        An entry that opens an HTTP exchange may have to wait for its session; what there is to say
        about it is then given with a later one.
        """
        return self.hearing.entry(entry, place)

    def close(self) -> list[Finding]:
        """End all conversations: what there was left to say, which is also counted."""
        return self.hearing.close()

    def part(self) -> Part:
        """What this share of a run found out; it must be closed."""
        return part_of(self.hearing, interrupted=self.interrupted)

    def absorb(self, part: Part) -> None:
        """Take in what another share of the same run found out."""
        absorb(self.hearing, part)
        self.interrupted |= part.interrupted

    def lose(self, words: str) -> None:
        """Say that a share of the run was lost by a fault of ours."""
        self.hearing.lose(words)

    @property
    def messages(self) -> int:
        """How many messages were judged, none where no tool's response was among them."""
        judge = self.hearing.judge
        if self.options.profile == "envelope" and not judge.ledger.session_rules:
            return 0
        return judge.messages

    @property
    def tally(self) -> Tally:
        """What was found."""
        return self.hearing.judge.keeper.tally

    @property
    def own_faults(self) -> int:
        """How many messages could not be judged by a fault of ours."""
        return self.hearing.judge.keeper.own_faults

    def _break_off(self, source: str, words: str) -> None:
        if self.hearing.has_heard:
            words += "; what came before was judged"
        else:
            self.unreadable[source] = words
        self.hearing.cut(UNREADABLE, f"{words}.")

    def _judge_text(self, text: Text, file: str) -> None:
        if not isinstance(text, bytes):
            self.hearing.lines(text)
        elif self._is_list(text):
            cursor = Cursor(text)
            for start, end in elements(text):
                place = TextPlace(file=file).moved(*cursor.at(start))
                self.hearing.text(text[start:end], place)
        else:
            self.hearing.text(text, TextPlace(file=file))

    def _is_list(self, text: bytes) -> bool:
        """Whether the document is a list of messages and not a batch, nor a broken array."""
        if self.options.revision == R2025_03_26 or not text.lstrip().startswith(b"["):
            return False
        return isinstance(read(text).value, list)

    def report(self) -> Report:
        """What was found out up to now."""
        tally, conversations = self.tally, self.hearing.judge.conversations
        revisions = conversations.spoken()
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=ReportSubject(kind="trace" if self.hearing.is_trace else "messages"),
            revision=revisions.pop() if len(revisions) == 1 else None,
            options=self._told_options(),
            summary=Summary(
                outcome=self._outcome(),
                errors=tally.severities["error"],
                warnings=tally.severities["warning"],
                infos=tally.severities["info"],
                messages=self.messages,
                sessions=conversations.begun,
            ),
            findings=tally.kept,
            checks=self._checks(),
            causes=tally.causes(),
            sessions=[count.summary() for count in conversations.ranking().worst()],
            limits=self.hearing.judge.limits(),
            timing=self._watch.timing(),
        )

    def _outcome(self) -> RunOutcome:
        if self.interrupted or self.own_faults or not self.messages:
            return "incomplete"
        counted = self.tally.severities
        fatal = counted["error"] + (counted["warning"] if self.options.fail_on == "warning" else 0)
        return "fail" if fatal else "pass"

    def _checks(self) -> list[Check]:
        ledger, unsaid = self.hearing.judge.ledger, self.hearing.judge.keeper.unsaid
        scope = Scope(
            revisions=self.hearing.judge.conversations.spoken(),
            decided=ledger.decided() - unsaid.keys(),
            wanted=self.wanted,
            messages=self.messages,
            duplicates=self.options.duplicates,
            session_rules=ledger.session_rules - unsaid.keys(),
            left_open=ledger.left_open,
            outcomes=told_elsewhere(unsaid),
        )
        return [_in_truth(check) for check in checks(self.rules.values(), scope, self.tally)]

    def _told_options(self) -> dict[str, Any]:
        """The options under the names that they have on the command line."""
        told = msgspec.structs.asdict(self.options)
        told["fast"] = not told.pop("duplicates")
        return {**told, "revision": self.options.revision or "auto", "files": self.sources}


def _in_truth(check: Check) -> Check:
    """The check, which says so where no input at all could decide it."""
    if check.rule in NOT_TESTABLE and check.outcome == "undecided":
        return msgspec.structs.replace(check, outcome="not_testable")
    return check


def _about_the_run() -> list[str]:
    """The rules that no selection leaves out: what could not be judged, and why."""
    return [*INPUT_RULES, *(id for id, entry in KNOWN_RULES.items() if entry.family == "LIMIT")]
