"""`mcp-assay assess --config FILE --all`: call the tools of every server of a configuration."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
from msgspec.structs import replace

from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import Ask, strangers
from mcp_assay.cli.asking import ask, may_ask, say_yes
from mcp_assay.cli.assess import exit_code_of, judge_of, options_of
from mcp_assay.cli.every_server import Entry, Every, every_server
from mcp_assay.cli.output import complain
from mcp_assay.cli.several import AllServers
from mcp_assay.cli.targets import Named
from mcp_assay.drive.target import Command
from mcp_assay.model.report import Report
from mcp_assay.report.plain import plain
from mcp_assay.several import AssessedServer, Several, remembered

OF_ONE: Final = ("only", "args", "like")
"""Options that speak of one server."""
NOBODY: Final = Named(Command(command=()), ())


def assess_all(context: click.Context, given: dict[str, Any]) -> int:
    """Assess every server of --config."""
    for name in OF_ONE:
        if given[name] is not None:
            raise click.UsageError(f"--{name} speaks of one server: use --server NAME.")
    return AllAssessed(every_server(context, given), given).run()


class AllAssessed(AllServers[AssessedServer]):
    """All servers, their tools called as far as the user permits it."""

    command = "assess"

    def __init__(self, every: Every, given: Mapping[str, Any]) -> None:
        super().__init__(every, given, given["max_time"])
        self._options: Final = {
            entry.name: options_of(self.own[entry.name], entry.named or NOBODY)
            for entry in every.entries
        }
        self._asked: Final[dict[str, Ask]] = {}

    def server_run(self, entry: Entry) -> AssessedServer:
        """The assessment of one server, with the answers that the user has given for it."""
        run = _assessed(entry, self._options[entry.name])
        run.ask = say_yes if self.given["yes"] else self._asked.get(entry.name)
        return run

    def exit_code(self, run: AssessedServer, report: Report) -> int:
        """How the assessment of one server ended, as a number."""
        return exit_code_of(report, run.assessment, self.own[run.name])

    def prepare(self) -> float:
        """Ask about the tools of each server before any is called; what is left of the time.

        The servers are started once more for their calls: while a person thinks, none runs.
        """
        given = self.given
        if given["yes"] or given["dry_run"] or given["calls"] == "none" or not may_ask(given):
            return self.seconds
        before = time.monotonic()
        runs = [_assessed(it, _only_listing(self._options[it.name])) for it in self.every.entries]
        self.drive(Several(runs, jobs=self.jobs, seconds=self.seconds))
        left = self.seconds - (time.monotonic() - before)
        try:
            for run in () if self.interruption.has_come else runs:
                self._ask_about(run)
        except (KeyboardInterrupt, click.Abort):
            self.interruption.has_come = True
        return left

    def _ask_about(self, run: AssessedServer) -> None:
        if closed := run.closed():
            complain(f"Server {plain(run.name)}:")
            self._asked[run.name] = remembered(ask(closed), closed)

    def remark(self, runs: Sequence[AssessedServer]) -> None:
        """Say of --allow and --deny which tools no server has."""
        dossiers = [run.assessment.dossier for run in runs]
        unknown = [strangers(one) for one in dossiers if one.permissions]
        for name, option in (unknown[0] if unknown else {}).items():
            if all(name in one for one in unknown):
                complain(f"mcp-assay: {option}: no server has a tool {name!r}.")


def _assessed(entry: Entry, options: AssessOptions) -> AssessedServer:
    target = entry.named.target if entry.named else None
    return AssessedServer(entry.name, target, options, judge_of(), entry.problem)


def _only_listing(options: AssessOptions) -> AssessOptions:
    return replace(options, dry_run=True, record=None)
