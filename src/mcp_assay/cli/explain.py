"""`mcp-assay explain`: one rule, why it matters, and what to do about it."""

from __future__ import annotations

import click

from mcp_assay.cli.output import show
from mcp_assay.report.about_rules import story
from mcp_assay.report.selection import unknown_rule
from mcp_assay.rules import load
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS
from mcp_assay.validate import KNOWN_RULES, rule_name


@click.command("explain", short_help="Say why a rule exists and how to follow it.")
@click.argument("rule", metavar="RULE")
@click.option(
    "--revision",
    type=click.Choice(REVISIONS),
    default=DEFAULT_REVISION,
    show_default=True,
    help="The revision whose page is named.",
)
@click.option("--no-color", is_flag=True, help="Plain text, also on a terminal.")
def command(rule: str, revision: str, no_color: bool) -> int:
    """Explain the rule with the id RULE, such as JSONRPC-005."""
    id = rule.strip().upper()
    if id not in KNOWN_RULES:
        raise click.UsageError(unknown_rule(rule))
    lines = story(KNOWN_RULES[id], rule_name(id), load().get(id), revision)
    show(lines, color=not no_color)
    return 0
