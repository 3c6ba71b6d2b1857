"""`mcp-assay rules` and `mcp-assay explain`: the catalogue, and one rule of it."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_assay.cli.output import UsageError, show, write
from mcp_assay.report.about_rules import facts, story, table
from mcp_assay.report.as_json import json_text
from mcp_assay.rules import load_rule, rule_id, rule_name
from mcp_assay.rules.index import INDEX
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.selection import KNOWN_RULES, chosen, unknown_rule
from mcp_assay.text.lines import BLANK, Line, counted, said


def list_rules(revision: str | None, select: tuple[str, ...], format: str, *, color: bool) -> int:
    """Show the rules of a revision that are selected, as a table or as JSON."""
    if format == "json":
        entries = _entries(revision, select)
        write(json_text([facts(entry, rule_name(entry.id)) for entry in entries]))
    else:
        show(rule_list(revision, select), color=color)
    return 0


def explain_rule(rule: str, revision: str, *, color: bool) -> int:
    """Show one rule: why it exists, and how to follow it."""
    id = rule_id(rule)
    if id not in KNOWN_RULES:
        raise UsageError(unknown_rule(rule))
    show(rule_story(id, revision), color=color)
    return 0


def rule_list(revision: str | None, select: tuple[str, ...]) -> list[Line]:
    """The table of the rules of a revision that are selected, and how many they are."""
    entries = _entries(revision, select)
    return [*table(entries), BLANK, said(_total(entries))]


def rule_story(id: str, revision: str) -> Iterator[Line]:
    """What is known about the rule of this id."""
    return story(KNOWN_RULES[id], rule_name(id), load_rule(id), revision)


def _total(entries: list[CatalogueEntry]) -> str:
    from_one = sum(entry.undecided is None for entry in entries)
    from_lists = sum("definitions" in entry.observable for entry in entries)
    others = sum(entry.undecided is not None and entry.id in INDEX for entry in entries)
    rules = counted(len(entries), "rule")
    return (
        f"{rules}: {from_one} decided from one message, {others - from_lists} from a session, "
        f"{from_lists} from definitions"
    )


def _entries(revision: str | None, select: tuple[str, ...]) -> list[CatalogueEntry]:
    wanted = chosen(KNOWN_RULES, select, ())
    return [
        entry
        for entry in KNOWN_RULES.values()
        if entry.id in wanted and revision in (None, *entry.revisions)
    ]
