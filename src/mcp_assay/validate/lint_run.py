"""A surface, or a file that holds one -> findings -> Report: what `mcp-assay lint` does."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay import __version__
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.findings.checks import Scope, checks, commonest_reasons
from mcp_assay.findings.collector import Collector
from mcp_assay.findings.tally import Tally
from mcp_assay.model.event import Listener
from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import FailOn, RunOutcome, outcome_of
from mcp_assay.model.own_fault import OwnFault, own_fault
from mcp_assay.model.report import (
    Limit,
    Report,
    ReportSubject,
    Summary,
    ToolVersion,
)
from mcp_assay.model.surface import SurfaceSize
from mcp_assay.rules.definition.linter import Linter, misshapen, shape_rules
from mcp_assay.rules.definition.size import cuts, measure
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.rules.engine.slow import NOTE_RULES, Setting, judge
from mcp_assay.schema.checker import Worker
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.selection import chosen, require_rules
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate.definition_files import DefinitionFile, read_listing
from mcp_assay.validate.lines import Unreadable
from mcp_assay.validate.options import KNOWN_RULES
from mcp_assay.wire.notes import UNREAD
from mcp_assay.wire.reader import Reading

__all__ = ["LintOptions", "LintRun", "ObservedMessages", "Unreadable", "lint"]

TEXT_RULES: Final = frozenset(NOTE_RULES.values())
LIMITS: Final = tuple(id for id, entry in KNOWN_RULES.items() if entry.family == "LIMIT")
"""The rules that no selection leaves out: what could not be judged, and why."""
MOST_OWN_FAULTS: Final = 20
NOT_LISTED: Final = "nothing that this rule applies to is listed"


class LintOptions(Struct, frozen=True, kw_only=True):
    """How to judge and what to report."""

    revision: str = DEFAULT_REVISION
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: FailOn = "error"


def lint(
    source: str,
    options: LintOptions | None = None,
    listener: Listener | None = None,
    own_faults: list[OwnFault] | None = None,
) -> Report:
    """Judge the definitions that a file lists ("-" is standard input); raises Unreadable.

    The file holds the result of tools/list or of another list, a JSON-RPC response with it, or an
    object with several lists. An option that does not exist raises ValueError. `own_faults` gets
    what goes wrong in mcp-assay itself.
    """
    listing = read_listing(source)
    with closing(LateWorker()) as worker:
        run = LintRun(options or LintOptions(), worker, listener=listener)
        run.judge_listing(listing)
    if own_faults is not None:
        own_faults.extend(run.own_faults)
    return run.report(ReportSubject(kind="messages"), {"files": [source]})


class ObservedMessages(Struct, frozen=True, kw_only=True):
    """What was found in the messages that a server sent with its lists."""

    findings: list[Finding]
    decided: frozenset[str]
    """The rules that were really judged."""
    limits: list[Limit]
    own_faults: list[OwnFault]
    """Where we ourselves went wrong."""
    messages: int
    sessions: int


class LintRun:
    """One linting under way: give it a surface or a listing, and take its report."""

    def __init__(
        self,
        options: LintOptions,
        worker: Worker | None = None,
        *,
        watch: Stopwatch | None = None,
        redactor: Redactor | None = None,
        listener: Listener | None = None,
    ) -> None:
        require_rules((*options.select, *options.ignore), KNOWN_RULES)
        self.options: Final = options
        self.tally: Final = Tally(options.max_findings)
        self.own_faults: Final[list[OwnFault]] = []
        """Where we ourselves went wrong, the rest was judged."""
        self._linter: Final = Linter(options.revision, worker, self._note_fault)
        self._redactor: Final = redactor or Redactor()
        self._collector: Final = Collector(
            chosen(KNOWN_RULES, options.select, options.ignore, LIMITS),
            self.tally,
            change=self._redactor.finding,
            on_finding=listener.find if listener else None,
        )
        self.is_judged = False
        """Whether what is listed was judged: a run may be interrupted before."""
        self._surface = Surface()
        self._rules: set[str] = set()
        self._messages = 1
        self._sessions = 0
        self._limits: Final[list[Limit]] = []
        self._watch: Final = watch or Stopwatch()

    def _note_fault(self, stage: str, fault: Exception) -> None:
        noted = own_fault(stage, fault)
        if len(self.own_faults) < MOST_OWN_FAULTS and noted not in self.own_faults:
            self.own_faults.append(noted)

    def judge(self, surface: Surface) -> None:
        """Judge what a server lists; its messages are for others to judge."""
        self._surface, self.is_judged = surface, True
        self._collector.keep(self._linter.findings(surface))

    def cut(self, limit: Limit) -> None:
        """Note the limit that ended the run before anything was judged."""
        self._limits.append(limit)

    def take_over(self, observed: ObservedMessages) -> None:
        """Take what was found in the messages of a server."""
        self._collector.keep(observed.findings)
        self._rules |= observed.decided
        self._messages, self._sessions = observed.messages, observed.sessions
        self._limits.extend(observed.limits)
        self.own_faults.extend(observed.own_faults)

    def judge_listing(self, listing: DefinitionFile) -> None:
        """Judge what a file lists, its text and the shapes of its definitions too."""
        revision = self.options.revision
        self._surface, self.is_judged = listing.surface, True
        self._rules |= TEXT_RULES | shape_rules(listing.surface, revision)
        text = judge(Reading(UNREAD, listing.reading.notes), Setting(revision=revision))
        self._collector.keep(listing.placed_as_they_are(text))
        found = list(self._linter.findings(listing.surface))
        more_options = {finding.pointer for finding in found}
        found += misshapen(listing.surface, revision, more_options, self._linter.room)
        self._collector.keep(sorted(listing.placed(found), key=_place))

    def report(self, subject: ReportSubject, more_options: dict[str, Any]) -> Report:
        """What was found out; `more_options` are options that only the caller knows."""
        size, counted = measure(self._surface), self.tally.severities
        faults = self.own_faults
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=msgspec.structs.replace(subject, surface_sha256=size.sha256),
            revision=self.options.revision,
            options={**msgspec.structs.asdict(self.options), **more_options},
            summary=Summary(
                outcome=self._outcome(),
                errors=counted["error"],
                warnings=counted["warning"],
                infos=counted["info"],
                messages=self._messages,
                sessions=self._sessions,
                tools_listed=len(self._surface.tools),
                reason=f"The results are incomplete: {faults[0]}." if faults else None,
            ),
            findings=self.tally.kept,
            checks=list(checks(self._entries(), self._scope(), self.tally)),
            causes=self.tally.causes(),
            surface=self._redactor.lines(size),
            limits=self._all_limits(size),
            timing=self._watch.timing(),
        )

    def _all_limits(self, size: SurfaceSize) -> list[Limit]:
        shown = cuts(self._surface, size)
        return [*self._limits, *self._linter.limits, *shown, *self.tally.limits()]

    def _outcome(self) -> RunOutcome:
        is_empty = not any(self._surface.lists().values())
        is_listed = not self._surface.is_unlisted and not (is_empty and not self._sessions)
        is_complete = self.is_judged and is_listed and not self.own_faults
        return outcome_of(self.tally.severities, self.options.fail_on, is_complete=is_complete)

    def _entries(self) -> list[CatalogueEntry]:
        """The rules that were to be decided: those about definitions, the text and the shapes."""
        return [
            entry
            for entry in KNOWN_RULES.values()
            if "definitions" in entry.observable
            or entry.id in self._rules
            or entry.id in self.tally.rules
        ]

    def _scope(self) -> Scope:
        left_open = Counter(self._linter.left_open)
        known = {rule for rule, _ in left_open} | self._linter.decided | self._rules
        others = {entry.id for entry in self._entries()} - known
        left_open.update((rule, NOT_LISTED) for rule in others)
        return Scope(
            revisions={self.options.revision},
            decided=self._rules,
            wanted=self._collector.wanted,
            messages=self._messages,
            duplicates=True,
            session_rules=self._linter.decided | self._rules,
            left_open=commonest_reasons(left_open),
        )


def _place(finding: Finding) -> tuple[int, int, str]:
    return finding.where.line or 0, finding.where.column or 0, finding.rule
