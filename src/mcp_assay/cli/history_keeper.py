"""Remembers runs: opens the store before anything runs, records, and compares with earlier runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Final

from mcp_assay.cli.options import HistoryOptions, ReportOptions
from mcp_assay.cli.output import CommandError, complain, show
from mcp_assay.cli.targets import Named
from mcp_assay.client.target import Command
from mcp_assay.client.target_secrets import secrets_of, shown_url, shown_words
from mcp_assay.history.baselines import (
    APPROVED,
    LAST,
    EarlierRun,
    HistoryComparison,
    NotKnown,
    approved_run,
    as_stored,
    compared,
    last_run,
    run_by_name,
)
from mcp_assay.history.definition_texts import pairs_text
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.identity import (
    Identity,
    files_identity,
    identity_of,
    named,
    project_root,
)
from mcp_assay.history.location import BY_DEFAULT, WrongLocation, located
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.store import Store
from mcp_assay.model.outcome import CLEAN, FOUND, INCOMPLETE, exit_code, gravest
from mcp_assay.model.report import Report, ReportSubject
from mcp_assay.report.diff_text import diff_text
from mcp_assay.report.formats import TEXT
from mcp_assay.text.lines import BLANK, Line, as_plain_text, said
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.safe import plain


def opened_store(given: str | None, *, to_write: bool = True) -> Store:
    """The store that was named; what is wrong with it is a sentence for the user."""
    try:
        return Store(located(given or BY_DEFAULT), to_write=to_write)
    except (StoreFault, WrongLocation) as refusal:
        raise CommandError(f"--history: {refusal}.") from None


def identity_of_target(its: Named, server_id: str | None) -> Identity:
    """Who a server is that was named on a command line: no secret of it is in that."""
    clean = Redactor((*its.secrets, *secrets_of(its.target))).line
    if isinstance(its.target, Command):
        command = [clean(word) for word in shown_words(its.target.command)]
        subject = ReportSubject(kind="server", command=command)
    else:
        subject = ReportSubject(kind="server", url=clean(shown_url(its.target.url)))
    return identity_of(subject, server_id or its.name, project_root())


def identity_of_files(files: Sequence[str], server_id: str | None) -> Identity:
    """Who is behind files: whoever the user says, else the files themselves."""
    return named(server_id) if server_id else files_identity(files, project_root())


class Keeper:
    """The store of one command, open from before its run until it is recorded."""

    def __init__(
        self, options: HistoryOptions, reporting: ReportOptions, identity: Identity | None = None
    ) -> None:
        self._against: Final = options.against
        self._reporting: Final = reporting
        self._identity: Final = identity
        self._store: Final = opened_store(options.history)
        self._named_run: Final = self._required_run()
        self.run_id = 0
        """The number of the latest run that was recorded."""

    def conclude(
        self, report: Report, code: int, identity: Identity | None = None, heading: str = ""
    ) -> int:
        """Record a run, after its report was written; the exit code with all that came of it."""
        try:
            return self._concluded(report, code, identity, heading)
        finally:
            if self._identity is not None:  # its only run
                self.close()

    def _concluded(self, report: Report, code: int, identity: Identity | None, heading: str) -> int:
        its = identity or self._identity
        assert its is not None, "a run is somebody's"
        codes: list[int] = []
        old, approved = self._earlier(its, report, codes)
        run_id = self._recorded(its, report, codes)
        if old is None and approved is None:
            return gravest((code, *codes))
        new = EarlierRun(run_id=run_id, report=as_stored(report), shown="this run")
        if approved is not None:
            self._tell_drift(approved, new)
        if old is None:
            return gravest((code, *codes))
        found = compared(old, new, self._reporting.fail_on)
        self._print(chain(_headed(heading), _comparison_lines(old, found, self._reporting)))
        own = CLEAN if code == FOUND else code
        return gravest((own, self._code_of(found), *codes))

    def close(self) -> None:
        """End all connections."""
        self._store.close()

    def _required_run(self) -> EarlierRun | None:
        """The run to compare with, where it must be known before anything runs."""
        if self._against in (None, LAST):
            return None
        with _refusing():
            if self._against != APPROVED:
                return run_by_name(self._store, str(self._against))
            if self._identity is None:
                return None
            its = approved_run(self._store, self._identity.key)
        if its is None:
            words = f"nothing of {self._identity.name!r} is approved"
            raise CommandError(f"--against approved: {words}; mcp-assay history approve does that.")
        return its

    def _earlier(
        self, identity: Identity, report: Report, codes: list[int]
    ) -> tuple[EarlierRun | None, EarlierRun | None]:
        """The run to compare with, and the approved one where its definitions are others now."""
        try:
            if self._against == LAST:
                old = last_run(self._store, identity.key)
                if old is None:
                    complain(f"mcp-assay: no earlier run of {identity.name!r} to compare with.")
            else:
                old = self._named_run
                if self._against == APPROVED and old is None:
                    old = approved_run(self._store, identity.key)
                    self._require_approved(identity, old, codes)
            approved = None
            if self._against != APPROVED and report.surface is not None:
                approved = approved_run(self._store, identity.key)
        except (StoreFault, NotKnown) as fault:
            complain(f"mcp-assay: {fault}; nothing was compared.")
            codes.append(INCOMPLETE)
            return None, None
        return old, approved

    def _require_approved(
        self, identity: Identity, old: EarlierRun | None, codes: list[int]
    ) -> None:
        """Of several servers it shows only at the end that one has no approval."""
        if old is None:
            complain(f"mcp-assay: nothing of {identity.name!r} is approved.")
            codes.append(INCOMPLETE)

    def _recorded(self, identity: Identity, report: Report, codes: list[int]) -> int:
        """Record the run; that it could not be is told, and costs nobody the report."""
        try:
            recorded = record(self._store, new_run(identity, report))
        except StoreFault as fault:
            complain(f"mcp-assay: {fault}; this run was not recorded.")
            codes.append(INCOMPLETE)
            return 0
        if not self._reporting.quiet:
            shown = plain(identity.name)
            complain(f"mcp-assay: recorded as run {recorded.run_id} of {shown}.")
        self.run_id = recorded.run_id
        return recorded.run_id

    def _tell_drift(self, approved: EarlierRun, new: EarlierRun) -> None:
        """Say what the server lists otherwise than it was approved."""
        if _surface(approved.report) == _surface(new.report):
            return
        found = compared(approved, new)
        if found.has_other_definitions:
            complain(f"mcp-assay: the definitions differ from {approved.shown}:")
            complain(as_plain_text(pairs_text(found.texts)).rstrip())

    def _code_of(self, found: HistoryComparison) -> int:
        is_worse = found.comparison.summary.outcome == "worse"
        if self._against == APPROVED and found.has_other_definitions:
            is_worse = True
        return exit_code("fail" if is_worse else "pass", self._reporting.fail_on)

    def _print(self, lines: Iterable[Line]) -> None:
        """Show lines where the text report is, else where the other messages are."""
        if self._reporting.format == TEXT and not self._reporting.quiet:
            show(lines, color=not self._reporting.no_color)
        else:
            complain(as_plain_text(lines).rstrip())


def _comparison_lines(
    old: EarlierRun, found: HistoryComparison, reporting: ReportOptions
) -> Iterator[Line]:
    yield BLANK
    yield (("Compared with ", ""), (old.shown, "strong"))
    yield from diff_text(found.comparison, verbose=reporting.verbose)
    if found.texts:
        yield BLANK
        yield said("Definitions, then and now", "strong")
        yield from pairs_text(found.texts)


def _headed(heading: str) -> Iterator[Line]:
    if heading:
        yield BLANK
        yield said(heading, "strong")


def _surface(report: Report) -> str | None:
    return report.surface.sha256 if report.surface else None


@contextmanager
def _refusing() -> Iterator[None]:
    """What cannot be compared with is said before anything runs."""
    try:
        yield
    except (StoreFault, NotKnown) as refusal:
        raise CommandError(f"--against: {refusal}.") from None
