"""`mcp-assay lint`: definitions in, a report out."""

from __future__ import annotations

from typing import Any

import click

from mcp_assay.cli.reporting import publish, refuse_quiet_and_verbose, reporting_options
from mcp_assay.lint import LintOptions, Unreadable, lint
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS


@click.command("lint", short_help="Judge the definitions of tools, resources and prompts.")
@click.argument("file", metavar="FILE")
@click.option(
    "--revision",
    type=click.Choice(REVISIONS),
    default=DEFAULT_REVISION,
    show_default=True,
    help="The revision of MCP to judge by.",
)
@reporting_options
def command(file: str, **given: Any) -> int:
    """Judge what FILE lists, or standard input where FILE is -; nothing is called.

    FILE is a saved result of tools/list, a JSON-RPC response with it, or an object with any of
    tools, resources, resourceTemplates and prompts.
    """
    refuse_quiet_and_verbose(given)
    try:
        report = lint(file, _options(given))
    except Unreadable as refusal:
        raise click.ClickException(f"{refusal}.") from None
    publish(report, given)
    return 1 if report.summary.outcome == "fail" and given["fail_on"] != "never" else 0


def _options(given: dict[str, Any]) -> LintOptions:
    names = ("revision", "select", "ignore", "max_findings", "fail_on")
    return LintOptions(**{name: given[name] for name in names})
