"""Every server of a configuration, side by side: from its entries to reports and an exit code."""

from __future__ import annotations

import os
import shlex
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import Ask, remembered, strangers
from mcp_assay.assess.several import (
    AssessedServer,
    LintedServer,
    ServerRun,
    SeveralServers,
    report_on_all,
    usual_jobs,
)
from mcp_assay.cli.assess import exit_code_of, judge_for, options_of
from mcp_assay.cli.every_server import ConfiguredServer, Every, all_in_world, every_server
from mcp_assay.cli.history_options import keeper_of_all
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.lint import driving_of, lint_options
from mcp_assay.cli.options import (
    AnswerOptions,
    AssessArguments,
    CommandLine,
    HistoryOptions,
    LintArguments,
)
from mcp_assay.cli.output import CommandError, Unanswered, UsageError, complain, show, write
from mcp_assay.cli.questions import confirm, consent_about, may_ask, say_yes
from mcp_assay.cli.reports import refuse_contradictions, save, save_text, settled
from mcp_assay.cli.sandbox_hint import Hinting, WorldTry
from mcp_assay.cli.several_files import (
    Destination,
    destinations,
    file_names,
    per_server,
    require_overall,
)
from mcp_assay.cli.targets import Named
from mcp_assay.cli.ticker import SeveralTicker
from mcp_assay.cli.unreachable import words_about
from mcp_assay.cli.worlds import sandboxed, with_calls
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command
from mcp_assay.model.outcome import INTERRUPTED, OUR_FAULT, USAGE, exit_code, gravest
from mcp_assay.model.report import Report
from mcp_assay.model.reports import Reports
from mcp_assay.report.formats import TEXT
from mcp_assay.report.overall import with_files
from mcp_assay.report.overall_formats import WRITERS
from mcp_assay.report.overall_text import overall_lines, overall_text
from mcp_assay.text.lines import as_plain_text
from mcp_assay.text.safe import plain

if TYPE_CHECKING:
    from mcp_assay.cli.history_keeper import Keeper

Run = TypeVar("Run", bound=ServerRun)
Arguments = TypeVar("Arguments", AssessArguments, LintArguments)


class AllServers(ABC, Generic[Run, Arguments]):
    """One run over all servers of a configuration, from the options to the exit code."""

    command: Literal["assess", "lint"]

    def __init__(
        self, every: Every, arguments: Arguments, seconds: float, keeper: Keeper | None
    ) -> None:
        options = arguments.report
        self._keeper: Final = keeper
        self.every: Final = every
        self.arguments: Final[Arguments] = arguments
        self.seconds: Final = seconds
        """The budget of the whole run."""
        self.jobs: Final = min(arguments.several.jobs or usual_jobs(), len(every.entries))
        self.interruption: Final = Interruption()
        self._names: Final = file_names(entry.name for entry in every.entries)
        require_overall(options.format, f"--format {options.format}")
        self._destinations: Final = destinations(options.reports)
        self.own: Final[dict[str, Arguments]] = {
            entry.name: self._own(entry) for entry in every.entries
        }
        """The options for each server."""
        self._codes: Final[list[int]] = []

    @abstractmethod
    def server_run(self, entry: ConfiguredServer) -> Run:
        """What is to be done with one server."""

    @abstractmethod
    def exit_code(self, run: Run, report: Report) -> int:
        """How the work on one server ended, as a number."""

    def prepare(self) -> float:
        """Do what comes before all else; what is left of the time."""
        return self.seconds

    def remark(self, runs: Sequence[Run]) -> None:
        """Say what the options asked for, and no server has."""

    def run(self) -> int:
        """Work on them all, write what was found, and say how it went."""
        confirm_all(self.every, self.arguments.answers)
        seconds = self.prepare()
        runs = [self.server_run(entry) for entry in self.every.entries]
        several = SeveralServers(runs, jobs=self.jobs, seconds=seconds)
        if not self.interruption.has_come:
            self.drive(several)
        self._conclude(runs)
        reports = {run.name: self._report(run) for run in runs}
        self._publish(reports, several)
        self.remark(runs)
        self._codes.extend(self._concluded(run, reports[run.name]) for run in runs)
        if self._keeper is not None:
            self._keeper.close()
        return gravest(self._codes)

    def _concluded(self, run: Run, report: Report) -> int:
        """The exit code for one server, after its run was remembered."""
        code = self.exit_code(run, report)
        if self._keeper is None:
            return code
        from mcp_assay.history.identity import identity_of

        identity = identity_of(report.subject, run.name)
        return self._keeper.conclude(report, code, identity, heading=run.name)

    def report_on(self, run: Run) -> Report:
        """The report on one server."""
        return run.report()

    def drive(self, several: SeveralServers) -> None:
        """Run what is to be run, until it ends or is interrupted."""
        ticker = SeveralTicker(several.runs, quiet=self.arguments.report.quiet)
        self.interruption.run(ticker.while_running(several.run()))

    def _own(self, entry: ConfiguredServer) -> Arguments:
        """The options for one server: the files that they name are its own."""
        name, arguments = self._names[entry.name], self.arguments
        files: dict[str, Any] = {}
        if isinstance(arguments, AssessArguments):
            files["record"] = per_server(arguments.record, "--record", name)
        baseline = per_server(arguments.report.baseline, "--baseline", name)
        reporting = replace(arguments.report, baseline=baseline)
        refuse_contradictions(reporting)
        own: Arguments = replace(arguments, report=reporting, **files)
        return own

    def _conclude(self, runs: Sequence[Run]) -> None:
        """Note what ended each run before its time."""
        if self.interruption.has_come:
            self._codes.append(INTERRUPTED)
            complain("mcp-assay: interrupted; the report contains the results so far.")
        for run in runs:
            if self.interruption.has_come:
                run.interrupt()
            if run.refusal is not None:
                run.unreached = words_about(run.refusal, run.target)
            if run.fault is not None:
                self._codes.append(OUR_FAULT)

    def _report(self, run: Run) -> Report:
        """The report on one server, held against its baseline if it has one."""
        report = self.report_on(run)
        try:
            return settled(report, self.own[run.name].report)
        except CommandError as refusal:
            self._fail(refusal)
            return report

    def _fail(self, refusal: CommandError) -> None:
        """Say what could not be written; everything else still is."""
        complain(f"mcp-assay: {refusal}")
        self._codes.append(USAGE)

    def _publish(self, reports: dict[str, Report], several: SeveralServers) -> None:
        """Write the report on all servers and those on each."""
        whole = report_on_all(
            self.every.file,
            reports,
            self.every.skipped,
            command=self.command,
            jobs=self.jobs,
            max_time=self.seconds,
            timing=several.timing(),
        )
        for one in self._destinations:
            try:
                self._write(whole, one)
            except CommandError as refusal:
                self._fail(refusal)
        self._print(whole)

    def _write(self, whole: Reports, to: Destination) -> None:
        if not to.is_for_each:
            _make_folder(to.path)
            save_text(_overall(self._with_files(whole, to), to.format), to.path)
            return
        for server in whole.servers:
            path = to.of(self._names[server.name])
            _make_folder(path)
            if server.report is not None:
                save(server.report, to.format, path)

    def _with_files(self, whole: Reports, to: Destination) -> Reports:
        """JSON and HTML name the files of the servers, where such are written too."""
        each = [one for one in self._destinations if one.is_for_each and one.format == to.format]
        if to.format not in NAMING_FILES or not each:
            return whole
        folder = os.path.dirname(to.path) or "."
        files = {
            name: os.path.relpath(each[0].of(file_name), folder).replace(os.sep, "/")
            for name, file_name in self._names.items()
        }
        return with_files(whole, files)

    def _print(self, whole: Reports) -> None:
        options = self.arguments.report
        if options.format != TEXT:
            write(WRITERS[options.format](whole))
            return
        verbose = options.verbose
        lines = overall_lines(whole) if options.quiet else overall_text(whole, verbose=verbose)
        show(lines, color=not options.no_color)


def confirm_all(every: Every, options: AnswerOptions) -> None:
    """Show the commands that a configuration names, and ask once whether to start them."""
    targets = [(it.name, it.named.target) for it in every.entries if it.named]
    commands = [(name, target) for name, target in targets if isinstance(target, Command)]
    if not commands or options.yes or not may_ask(options):
        return
    complain(f"{every.file} contains these commands:")
    for name, target in commands:
        complain(f"    {plain(name)}: {shlex.join(target.command)}")
    if not confirm("Start them?"):
        raise CommandError("no server was started.")


def _overall(whole: Reports, format: str) -> str:
    return as_plain_text(overall_text(whole)) if format == TEXT else WRITERS[format](whole)


def _make_folder(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as fault:
        raise CommandError(f"{path} could not be written: {fault.strerror}.") from None


NAMING_FILES: Final = ("json", "html")
"""The forms of the report on all that lead to those on each."""
OF_ONE: Final = ("only", "args", "like")
"""Options that speak of one server."""
NOBODY: Final = Named(Command(command=()), ())


def _require_names(options: HistoryOptions) -> None:
    if options.server_id is not None:
        raise UsageError("--server-id names one server: use --server NAME.")


def assess_all(line: CommandLine, arguments: AssessArguments) -> int:
    """Assess every server of --config."""
    for name in OF_ONE:
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} applies to one server: use --server NAME.")
    arguments = with_calls(line, arguments)
    every = all_in_world(line, every_server(line, arguments.target), arguments.world)
    _require_names(arguments.remembered)
    keeper = keeper_of_all(line, arguments.remembered, arguments.report)
    return AllAssessed(every, arguments, keeper).run()


class AllAssessed(AllServers[AssessedServer, AssessArguments]):
    """All servers, their tools called as far as the user permits it."""

    command = "assess"

    def __init__(
        self, every: Every, arguments: AssessArguments, keeper: Keeper | None = None
    ) -> None:
        super().__init__(every, arguments, arguments.max_time, keeper)
        self._options: Final = {
            entry.name: options_of(self.own[entry.name], entry.named or NOBODY)
            for entry in every.entries
        }
        self._asked: Final[dict[str, Ask]] = {}
        self._inside: Final[set[str]] = set()
        """The servers whose tools the user wants to be called in a world."""
        self._tried: Final = WorldTry()
        self._hints: Final[dict[str, Hinting]] = {}

    def server_run(self, entry: ConfiguredServer) -> AssessedServer:
        """The assessment of one server, with the answers that the user has given for it."""
        options = self._options[entry.name]
        if entry.name in self._inside and entry.named is not None:
            named = entry.named._replace(target=sandboxed(entry.named.target, SandboxOptions()))
            entry = entry._replace(named=named)
        if self.arguments.answers.yes:
            return _assessed(entry, options, say_yes)
        if entry.name in self._asked or entry.named is None:
            return _assessed(entry, options, self._asked.get(entry.name))
        hint = self._hints[entry.name] = Hinting(entry.named.target, options, self._tried)
        return _assessed(entry, options, hint.ask)

    def report_on(self, run: AssessedServer) -> Report:
        """The report on one server, with what a world would add to it."""
        report, hint = super().report_on(run), self._hints.get(run.name)
        return hint.added_to(report) if hint else report

    def exit_code(self, run: AssessedServer, report: Report) -> int:
        """How the assessment of one server ended, as a number."""
        return exit_code_of(report, run.assessment, self.arguments.report.fail_on)

    def prepare(self) -> float:
        """Ask about the tools of each server before any is called; what is left of the time.

        The servers are started once more for their calls: while a person thinks, none runs.
        """
        arguments, answers = self.arguments, self.arguments.answers
        is_settled = arguments.dry_run or arguments.calls not in ("safe", "likely")
        if is_settled or answers.yes or not may_ask(answers):
            return self.seconds
        before = time.monotonic()
        runs = [_assessed(it, _only_listing(self._options[it.name])) for it in self.every.entries]
        self.drive(SeveralServers(runs, jobs=self.jobs, seconds=self.seconds))
        left = self.seconds - (time.monotonic() - before)
        try:
            for run in () if self.interruption.has_come else runs:
                self._ask_about(run)
        except (KeyboardInterrupt, Unanswered):
            self.interruption.has_come = True
        return left

    def _ask_about(self, run: AssessedServer) -> None:
        if closed := run.closed():
            complain(f"Server {plain(run.name)}:")
            consent = consent_about(run.target, closed)
            self._asked[run.name] = remembered(consent, closed)
            if consent.in_world:
                self._inside.add(run.name)

    def remark(self, runs: Sequence[AssessedServer]) -> None:
        """Say of --allow and --deny which tools no server has."""
        states = [run.assessment.state for run in runs]
        unknown = [strangers(one.options, one.permitted) for one in states if one.permissions]
        for name, option in (unknown[0] if unknown else {}).items():
            if all(name in one for one in unknown):
                complain(f"mcp-assay: {option}: no server has a tool {name!r}.")


def _assessed(
    entry: ConfiguredServer, options: AssessOptions, ask: Ask | None = None
) -> AssessedServer:
    target = entry.named.target if entry.named else None
    judge = judge_for(target or NOBODY.target)()
    return AssessedServer(entry.name, target, options, judge, entry.problem, ask=ask)


def _only_listing(options: AssessOptions) -> AssessOptions:
    return replace(options, dry_run=True, record=None)


def lint_all(line: CommandLine, arguments: LintArguments) -> int:
    """Lint every server of --config."""
    every = all_in_world(line, every_server(line, arguments.target), arguments.world)
    _require_names(arguments.remembered)
    keeper = keeper_of_all(line, arguments.remembered, arguments.report)
    return AllLinted(every, arguments, arguments.max_time, keeper).run()


class AllLinted(AllServers[LintedServer, LintArguments]):
    """All servers, their definitions judged."""

    command = "lint"

    def server_run(self, entry: ConfiguredServer) -> LintedServer:
        """The linting of one server."""
        target, secrets = (entry.named.target, entry.named.secrets) if entry.named else (None, ())
        driving = driving_of(self.arguments, secrets)
        options = lint_options(self.arguments)
        return LintedServer(entry.name, target, options, driving, entry.problem)

    def exit_code(self, run: LintedServer, report: Report) -> int:
        """How the linting of one server ended, as a number."""
        return exit_code(report.summary.outcome, self.arguments.report.fail_on)
