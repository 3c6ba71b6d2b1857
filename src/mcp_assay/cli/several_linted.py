"""`mcp-assay lint --config FILE --all`: judge what every server of a configuration lists."""

from __future__ import annotations

from typing import Any, Final

import click

from mcp_assay.cli.every_server import Entry, every_server
from mcp_assay.cli.lint import driving_of, lint_exit_code, lint_options
from mcp_assay.cli.several import AllServers
from mcp_assay.model.report import Report
from mcp_assay.several import LintedServer

SECONDS: Final = 120.0
"""The budget of the whole run: nothing is called, so nobody needs to choose it."""


def lint_all(context: click.Context, given: dict[str, Any]) -> int:
    """Lint every server of --config."""
    return AllLinted(every_server(context, given), given, SECONDS).run()


class AllLinted(AllServers[LintedServer]):
    """All servers, their definitions judged."""

    command = "lint"

    def server_run(self, entry: Entry) -> LintedServer:
        """The linting of one server."""
        target, secrets = (entry.named.target, entry.named.secrets) if entry.named else (None, ())
        driving = driving_of(self.given, secrets)
        return LintedServer(entry.name, target, lint_options(self.given), driving, entry.problem)

    def exit_code(self, run: LintedServer, report: Report) -> int:
        """How the linting of one server ended, as a number."""
        return lint_exit_code(report, self.own[run.name])
