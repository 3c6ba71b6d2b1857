"""`mcp-assay rules`: the catalogue."""

from __future__ import annotations

import click

from mcp_assay.cli.output import show, write
from mcp_assay.cli.parameters import rule_names
from mcp_assay.report.about_rules import facts, table
from mcp_assay.report.as_json import json_text
from mcp_assay.report.lines import BLANK, counted, said
from mcp_assay.report.selection import chosen
from mcp_assay.rules import load
from mcp_assay.spec.catalogue import Entry
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.validate import KNOWN_RULES, rule_name


@click.command("rules", short_help="List the rules.")
@click.option("--revision", type=click.Choice(REVISIONS), help="Only the rules of this revision.")
@click.option(
    "--select",
    metavar="RULE[,...]",
    callback=rule_names,
    multiple=True,
    help="Only these rules or families.",
)
@click.option(
    "--format",
    "format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the list.",
)
@click.option("--no-color", is_flag=True, help="Plain text, also on a terminal.")
def command(revision: str | None, select: tuple[str, ...], format: str, no_color: bool) -> int:
    """List the rules: severity, who is at fault, revisions, and what decides them."""
    entries = _entries(revision, select)
    if format == "json":
        write(json_text([facts(entry, rule_name(entry.id)) for entry in entries]))
    else:
        show([*table(entries), BLANK, said(_total(entries))], color=not no_color)
    return 0


def _total(entries: list[Entry]) -> str:
    from_one = sum(entry.undecided is None for entry in entries)
    from_lists = sum("definitions" in entry.observable for entry in entries)
    others = sum(entry.undecided is not None and entry.id in load() for entry in entries)
    rules = counted(len(entries), "rule")
    return (
        f"{rules}: {from_one} decided from one message, {others - from_lists} from a conversation, "
        f"{from_lists} from what a server lists"
    )


def _entries(revision: str | None, select: tuple[str, ...]) -> list[Entry]:
    wanted = chosen(KNOWN_RULES, select, ())
    return [
        entry
        for entry in KNOWN_RULES.values()
        if entry.id in wanted and revision in (None, *entry.revisions)
    ]
