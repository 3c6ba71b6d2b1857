"""`mcp-assay assess --config FILE --all`: every server of a configuration, side by side."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import click
from msgspec.structs import replace

from mcp_assay.assess import AssessOptions
from mcp_assay.assessing.permitting import Ask, strangers
from mcp_assay.cli.application import INTERRUPTED, OUR_FAULT, USAGE
from mcp_assay.cli.asking import ask, may_ask, say_yes
from mcp_assay.cli.assess import exit_code_of, judge_of, options_of
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.every_server import Entry, Every, every_server
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
from mcp_assay.cli.targets import Named
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
from mcp_assay.several import ServerRun, Several, remembered, report_on_all, usual_jobs

PRECEDENCE: Final = (INTERRUPTED, OUR_FAULT, USAGE, INCOMPLETE, 1, 0)
"""Of several exit codes the first of these is ours."""
OF_ONE: Final = ("only", "args")
"""Options that speak of one server."""
NOBODY: Final = Named(Command(command=()), ())


class AllServers:
    """One run over all servers of a configuration, from the options to the exit code."""

    def __init__(self, every: Every, given: Mapping[str, Any]) -> None:
        self._every: Final = every
        self._given: Final = given
        self._names: Final = file_names(entry.name for entry in every.entries)
        self._destinations: Final = destinations(given["reports"])
        self._jobs: Final = min(given["jobs"] or usual_jobs(), len(every.entries))
        self._own: Final = {entry.name: self._given_for(entry) for entry in every.entries}
        self._options: Final = {entry.name: self._options_for(entry) for entry in every.entries}
        self._interruption: Final = Interruption()
        self._asked: Final[dict[str, Ask]] = {}
        self._codes: Final[list[int]] = []

    def run(self) -> int:
        """Assess them all, write what was found, and say how it went."""
        confirm_all(self._every, self._given)
        left = self._agree(self._given["max_time"])
        several = self._several(left)
        if not self._interruption.has_come:
            self._drive(several)
        self._conclude(several.runs)
        reports = {run.name: self._report(run) for run in several.runs}
        self._publish(reports, several)
        self._remark(several.runs)
        for run in several.runs:
            own = self._own[run.name]
            self._codes.append(exit_code_of(reports[run.name], run.assessment, own))
        return min(self._codes, key=PRECEDENCE.index)

    def _given_for(self, entry: Entry) -> dict[str, Any]:
        """The options for one server: the files that they name are its own."""
        name = self._names[entry.name]
        own = {
            **self._given,
            "record": per_server(self._given["record"], "--record", name),
            "baseline": per_server(self._given["baseline"], "--baseline", name),
        }
        refuse_contradictions(own)
        return own

    def _options_for(self, entry: Entry) -> AssessOptions:
        return options_of(self._own[entry.name], entry.named or NOBODY)

    def _several(self, seconds: float, *, only_list: bool = False) -> Several:
        runs = [self._server_run(entry, only_list) for entry in self._every.entries]
        return Several(runs, jobs=self._jobs, seconds=seconds)

    def _server_run(self, entry: Entry, only_list: bool) -> ServerRun:
        options = self._options[entry.name]
        if only_list:
            options = replace(options, dry_run=True, record=None)
        target = entry.named.target if entry.named else None
        run = ServerRun(entry.name, target, options, judge_of(), entry.problem)
        run.ask = say_yes if self._given["yes"] else self._asked.get(entry.name)
        return run

    def _drive(self, several: Several) -> None:
        ticker = SeveralTicker(several.runs, quiet=self._given["quiet"])
        self._interruption.run(ticker.while_running(several.run()))

    def _agree(self, seconds: float) -> float:
        """Ask about the tools of each server before any is called; what is left of the time.

        The servers are started once more for their calls: while a person thinks, none runs.
        """
        given = self._given
        if given["yes"] or given["dry_run"] or given["calls"] == "none" or not may_ask(given):
            return seconds
        before = time.monotonic()
        looking = self._several(seconds, only_list=True)
        self._drive(looking)
        left = max(1.0, seconds - (time.monotonic() - before))
        try:
            for run in () if self._interruption.has_come else looking.runs:
                self._ask_about(run)
        except (KeyboardInterrupt, click.Abort):
            self._interruption.has_come = True
        return left

    def _ask_about(self, run: ServerRun) -> None:
        if closed := run.closed():
            complain(f"Server {plain(run.name)}:")
            self._asked[run.name] = remembered(ask(closed), closed)

    def _conclude(self, runs: Iterable[ServerRun]) -> None:
        """Note what ended each run before its time."""
        if self._interruption.has_come:
            self._codes.append(INTERRUPTED)
            complain("mcp-assay: interrupted; the report holds what was found before.")
        for run in runs:
            if self._interruption.has_come:
                run.interrupt()
            if run.refusal is not None:
                run.assessment.dossier.unreached = words_about(run.refusal, run.target)
            if run.fault is not None:
                self._codes.append(OUR_FAULT)

    def _report(self, run: ServerRun) -> Report:
        """The report on one server, held against its baseline if it has one."""
        report = run.report()
        try:
            return settled(report, self._own[run.name])
        except click.ClickException as refusal:
            self._fail(refusal)
            return report

    def _fail(self, refusal: click.ClickException) -> None:
        """Say what could not be written; everything else still is."""
        complain(f"mcp-assay: {refusal.message}")
        self._codes.append(USAGE)

    def _publish(self, reports: Mapping[str, Report], several: Several) -> None:
        """Write the report on all servers and those on each."""
        whole = report_on_all(
            self._every.file,
            dict(reports),
            self._every.skipped,
            jobs=self._jobs,
            max_time=self._given["max_time"],
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
        given = self._given
        if given["format"] != TEXT:
            write(WRITERS[given["format"]](whole))
            return
        verbose = given["verbose"]
        lines = overall_lines(whole) if given["quiet"] else overall_text(whole, verbose=verbose)
        show(lines, color=not given["no_color"])

    def _remark(self, runs: Sequence[ServerRun]) -> None:
        """Say of --allow and --deny which tools no server has."""
        dossiers = [run.assessment.dossier for run in runs]
        listed = [one for one in dossiers if one.permissions]
        unknown = [strangers(one) for one in listed]
        for name, option in (unknown[0] if unknown else {}).items():
            if all(name in one for one in unknown):
                complain(f"mcp-assay: {option}: no server has a tool {name!r}.")


def assess_all(context: click.Context, given: dict[str, Any]) -> int:
    """Assess every server of --config."""
    for name in OF_ONE:
        if given[name] is not None:
            raise click.UsageError(f"--{name} speaks of one server: use --server NAME.")
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    require_overall(given["format"], f"--format {given['format']}")
    return AllServers(every_server(context, given), given).run()


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
