"""The page on several servers: the verdict on each with a link to its page, then the causes."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.reports import Reports, ServerReport, SharedCause
from mcp_assay.report.as_html import content_hash, page_file
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.html.tables import Markup, filled, tag, text, together
from mcp_assay.report.overall_text import verdict_word
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import shorten

COLUMNS: Final = ("server", "verdict", "tools", "called", "proven", "errors", "warnings", "reason")
MOST_CAUSES: Final = 200
LONGEST_NAME: Final = 200
MOST_SERVERS_NAMED: Final = 20
TONES: Final[dict[RunOutcome, str]] = {"pass": "good", "fail": "bad", "incomplete": "unsure"}
POLICY: Final = "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'"
"""Nothing is loaded, sent or run."""


def overall_html(reports: Reports) -> str:
    """The report on all servers as one page."""
    style, summary = page_file("page.css"), reports.summary
    title = f"{summary.outcome.upper()}: {counted(summary.servers, 'server')}"
    return filled(
        page_file("overall_page.html"),
        {
            "policy": text(POLICY.format(content_hash(style))),
            "title": text(title),
            "style": style,
            "verdict": _verdict(reports),
            "servers": _servers(reports.servers),
            "skipped": _skipped(reports),
            "causes": _causes(reports.causes),
            "made_by": text(f"{reports.tool.name} {reports.tool.version}"),
        },
    )


def _verdict(reports: Reports) -> Markup:
    summary = reports.summary
    kinds = (
        (summary.passed, "passed"),
        (summary.failed, "failed"),
        (summary.incomplete, "incomplete"),
    )
    parts = [f"{number:,} {words}" for number, words in kinds if number]
    numbers = [
        counted(summary.errors, "error"),
        counted(summary.warnings, "warning"),
        f"{summary.tools_called:,} of {counted(summary.tools_listed, 'tool')} called",
        f"{summary.tools_succeeded:,} proven to work",
    ]
    return tag(
        "header",
        tag("h1", f"{counted(summary.servers, 'server')}: {', '.join(parts)}"),
        tag("p", " · ".join(numbers), class_="numbers"),
        class_=f"verdict {TONES[summary.outcome]}",
    )


def _servers(servers: list[ServerReport]) -> Markup:
    rows = (tag("tr", *_cells(server)) for server in servers)
    head = tag("tr", *(tag("th", name, scope="col") for name in COLUMNS))
    return tag("section", tag("table", tag("thead", head), tag("tbody", *rows)), class_="tools")


def _cells(server: ServerReport) -> tuple[Markup, ...]:
    its = server.summary
    name = shorten(server.name, LONGEST_NAME) or "(no name)"
    shown = tag("a", name, href=quote(server.file)) if server.file else name
    numbers = (its.tools_listed, its.tools_called, its.tools_succeeded, its.errors, its.warnings)
    return (
        tag("th", shown, scope="row"),
        tag("td", verdict_word(server)[0], class_=TONES[its.outcome]),
        *(tag("td", f"{number:,}", class_="number") for number in numbers),
        tag("td", its.reason or ""),
    )


def _skipped(reports: Reports) -> Markup:
    if not reports.skipped:
        return Markup()
    lines = (tag("li", f"{one.name} was skipped: {one.reason}") for one in reports.skipped)
    return tag("ul", *lines, class_="more")


def _causes(causes: list[SharedCause]) -> Markup:
    """What was found in several servers, the gravest first."""
    if not causes:
        return Markup()
    head = tag("tr", *(tag("th", one) for one in ("severity", "rule", "findings", "servers")))
    rows = (tag("tr", *map(_cell, _cause(cause))) for cause in causes[:MOST_CAUSES])
    more = len(causes) - MOST_CAUSES
    rest = tag("p", f"and {counted(more, 'cause')} more", class_="more") if more > 0 else Markup()
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("section", tag("h2", "What was found"), together((table, rest)), class_="tools")


def _cell(value: str) -> Markup:
    return tag("td", value)


def _cause(cause: SharedCause) -> tuple[str, str, str, str]:
    by = f" ({cause.framework})" if cause.framework else ""
    named = ", ".join(cause.servers[:MOST_SERVERS_NAMED])
    more = len(cause.servers) - MOST_SERVERS_NAMED
    servers = f"{named} and {more:,} more" if more > 0 else named
    rule = f"{cause.rule} {cause.name}{by}"
    return SEVERITY_WORDS[cause.severity], rule, f"{cause.findings:,}", servers
