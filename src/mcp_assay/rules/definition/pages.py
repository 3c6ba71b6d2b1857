"""A page of a list -> findings, each at its place in the answer that has the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Limit
from mcp_assay.rules.definition.enums import listed_options
from mcp_assay.rules.definition.linter import MOST_DEFINITIONS, TOGETHER, Linter
from mcp_assay.rules.definition.surface import surface_of
from mcp_assay.schema.checker import Schemas

ANSWER: Final = "/result"
"""Where an answer holds its lists."""


class ListPage(Struct, frozen=True, kw_only=True):
    """A page of a list, and what is remembered of the pages before it."""

    member: str
    """The member of the result that holds it: tools, resources, resourceTemplates or prompts."""
    definitions: Sequence[Any]
    earlier: Sequence[Any] = ()
    """The outlines of what came on earlier pages."""
    is_last: bool = True
    is_whole: bool = True
    """Whether everything that came on earlier pages is remembered."""


class JudgedPage(Struct, frozen=True, kw_only=True):
    """What the rules about definitions say about a page."""

    findings: tuple[Finding, ...]
    decided: frozenset[str]
    left_open: tuple[tuple[str, str], ...]
    limits: tuple[Limit, ...]


def judge_page(page: ListPage, revision: str, schemas: Schemas) -> JudgedPage:
    """Judge what a page lists, and what it is together with the pages before it.

    Two definitions of one name are a fault as soon as both have come; that there are none is known
    when the last page has come, and all the others.
    """
    linter = Linter(revision, schemas=schemas)
    listed = surface_of({page.member: list(page.definitions)})
    room = max(0, MOST_DEFINITIONS - len(page.earlier))
    so_far = surface_of({page.member: [*page.earlier, *page.definitions[:room]]})
    found = [*linter.findings_of_each(listed), *linter.findings_together(so_far, len(page.earlier))]
    unsure = frozenset[str]() if page.is_last and page.is_whole else rules_together(page.member)
    return JudgedPage(
        findings=tuple(_in_answer(finding) for finding in found),
        decided=linter.decided - unsure,
        left_open=tuple(linter.left_open),
        limits=tuple(linter.limits),
    )


def rules_together(member: str) -> frozenset[str]:
    """The rules about a list as a whole."""
    return frozenset(rule for rule, holder in TOGETHER.items() if holder == member)


def outlines(member: str, definitions: Sequence[Any]) -> list[Any]:
    """What rules about the whole list must know of a page that others follow."""
    return [_outline(member, definition) for definition in definitions]


def _outline(member: str, definition: Any) -> dict[str, Any]:
    if not isinstance(definition, dict):
        return {}
    key = "uri" if member == "resources" else "name"
    outline = {key: definition.get(key)} if isinstance(definition.get(key), str) else {}
    arguments = dict(_with_options(definition)) if member == "tools" else {}
    return {**outline, "inputSchema": {"properties": arguments}} if arguments else outline


def _with_options(tool: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The arguments of a tool that list their values."""
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, value in properties.items() if isinstance(properties, dict) else ():
        if options := listed_options(value) if isinstance(value, dict) else ():
            yield name, {"enum": list(options)}


def _in_answer(finding: Finding) -> Finding:
    return replace(finding, pointer=f"{ANSWER}{finding.pointer}")
