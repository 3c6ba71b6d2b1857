"""Every server of a configuration, side by side: from its entries to reports and an exit code."""

from __future__ import annotations

import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, Literal, TypeVar

import click

from mcp_assay.cli.application import INTERRUPTED, OUR_FAULT, USAGE
from mcp_assay.cli.asking import may_ask
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.every_server import Entry, Every
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain, show, write
from mcp_assay.cli.reporting import refuse_contradictions, save, save_text
from mcp_assay.cli.several_files import (
    Destination,
    destinations,
    file_names,
    per_server,
    require_overall,
)
from mcp_assay.cli.several_ticker import SeveralTicker
from mcp_assay.cli.unreached import INCOMPLETE, words_about
from mcp_assay.drive.target import Command
from mcp_assay.model.report import Report
from mcp_assay.model.reports import Reports
from mcp_assay.report.formats import TEXT
from mcp_assay.report.lines import as_plain_text
from mcp_assay.report.overall import with_files
from mcp_assay.report.overall_formats import WRITERS
from mcp_assay.report.overall_text import overall_lines, overall_text
from mcp_assay.report.plain import plain
from mcp_assay.several import ServerRun, Several, report_on_all, usual_jobs

PRECEDENCE: Final = (INTERRUPTED, OUR_FAULT, USAGE, INCOMPLETE, 1, 0)
"""Of several exit codes the first of these is ours."""
OWN_FILES: Final = ("record", "baseline")
"""Options with a file that each server needs for itself."""

Run = TypeVar("Run", bound=ServerRun)


class AllServers(ABC, Generic[Run]):
    """One run over all servers of a configuration, from the options to the exit code."""

    command: Literal["assess", "lint"]

    def __init__(self, every: Every, given: Mapping[str, Any], seconds: float) -> None:
        self.every: Final = every
        self.given: Final = given
        self.seconds: Final = seconds
        """The budget of the whole run."""
        self.jobs: Final = min(given["jobs"] or usual_jobs(), len(every.entries))
        self.interruption: Final = Interruption()
        self._names: Final = file_names(entry.name for entry in every.entries)
        require_overall(given["format"], f"--format {given['format']}")
        self._destinations: Final = destinations(given["reports"])
        self.own: Final = {entry.name: self._given_for(entry) for entry in every.entries}
        """The options for each server."""
        self._codes: Final[list[int]] = []

    @abstractmethod
    def server_run(self, entry: Entry) -> Run:
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
        confirm_all(self.every, self.given)
        seconds = self.prepare()
        runs = [self.server_run(entry) for entry in self.every.entries]
        several = Several(runs, jobs=self.jobs, seconds=seconds)
        if not self.interruption.has_come:
            self.drive(several)
        self._conclude(runs)
        reports = {run.name: self._report(run) for run in runs}
        self._publish(reports, several)
        self.remark(runs)
        self._codes.extend(self.exit_code(run, reports[run.name]) for run in runs)
        return min(self._codes, key=PRECEDENCE.index)

    def drive(self, several: Several) -> None:
        """Run what is to be run, until it ends or is interrupted."""
        ticker = SeveralTicker(several.runs, quiet=self.given["quiet"])
        self.interruption.run(ticker.while_running(several.run()))

    def _given_for(self, entry: Entry) -> dict[str, Any]:
        """The options for one server: the files that they name are its own."""
        name, given = self._names[entry.name], self.given
        files = {key: per_server(given[key], f"--{key}", name) for key in OWN_FILES if key in given}
        own = {**given, **files}
        refuse_contradictions(own)
        return own

    def _conclude(self, runs: Sequence[Run]) -> None:
        """Note what ended each run before its time."""
        if self.interruption.has_come:
            self._codes.append(INTERRUPTED)
            complain("mcp-assay: interrupted; the report holds what was found before.")
        for run in runs:
            if self.interruption.has_come:
                run.interrupt()
            if run.refusal is not None:
                run.unreached = words_about(run.refusal, run.target)
            if run.fault is not None:
                self._codes.append(OUR_FAULT)

    def _report(self, run: Run) -> Report:
        """The report on one server, held against its baseline if it has one."""
        report = run.report()
        try:
            return settled(report, self.own[run.name])
        except click.ClickException as refusal:
            self._fail(refusal)
            return report

    def _fail(self, refusal: click.ClickException) -> None:
        """Say what could not be written; everything else still is."""
        complain(f"mcp-assay: {refusal.message}")
        self._codes.append(USAGE)

    def _publish(self, reports: dict[str, Report], several: Several) -> None:
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
            except click.ClickException as refusal:
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
        """The report in JSON names the files of the servers, where such are written too."""
        each = [one for one in self._destinations if one.is_for_each and one.format == "json"]
        if to.format != "json" or not each:
            return whole
        folder = os.path.dirname(to.path) or "."
        files = {
            name: os.path.relpath(each[0].of(file_name), folder).replace(os.sep, "/")
            for name, file_name in self._names.items()
        }
        return with_files(whole, files)

    def _print(self, whole: Reports) -> None:
        given = self.given
        if given["format"] != TEXT:
            write(WRITERS[given["format"]](whole))
            return
        verbose = given["verbose"]
        lines = overall_lines(whole) if given["quiet"] else overall_text(whole, verbose=verbose)
        show(lines, color=not given["no_color"])


def confirm_all(every: Every, given: Mapping[str, Any]) -> None:
    """Show the commands that a configuration names, and ask once whether to start them."""
    targets = [(it.name, it.named.target) for it in every.entries if it.named]
    commands = [(name, target) for name, target in targets if isinstance(target, Command)]
    if not commands or given["yes"] or not may_ask(given):
        return
    complain(f"{every.file} names these commands:")
    for name, target in commands:
        complain(f"    {plain(name)}: {shlex.join(target.command)}")
    if not click.confirm("Start them?", err=True):
        raise click.ClickException("no server was started, as you answered.")


def _overall(whole: Reports, format: str) -> str:
    return as_plain_text(overall_text(whole)) if format == TEXT else WRITERS[format](whole)


def _make_folder(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as fault:
        raise click.ClickException(f"{path} could not be written: {fault.strerror}.") from None
