"""The forms in which the report on several servers is written for programs and services."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

import msgspec

from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report
from mcp_assay.model.reports import Reports, ServerReport, SharedCause
from mcp_assay.report.as_json import json_text
from mcp_assay.report.as_junit import to_junit
from mcp_assay.report.as_markdown import LARGEST, LONGEST_CELL, VERDICTS, cell, to_markdown
from mcp_assay.report.as_sarif import SCHEMA, to_sarif
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.overall_html import overall_html
from mcp_assay.report.overall_text import verdict_word
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten

MOST_CAUSES: Final = 200
MOST_SERVERS_IN_CELL: Final = 20


def overall_markdown(reports: Reports) -> str:
    """The report on all servers as Markdown; what a summary cannot hold is named."""
    text = "\n".join((*_overview(reports), ""))
    for server in reports.servers:
        part = "\n".join((*_details(server), ""))
        if len(text) + len(part) > LARGEST:
            part = (
                f"The details of {cell(server.name)} are omitted: the summary has reached "
                "its maximum length."
            )
            part += "\n\n"
        text += part
    return text


def _overview(reports: Reports) -> Iterator[str]:
    summary = reports.summary
    yield f"## {VERDICTS[summary.outcome]} {counted(summary.servers, 'server')}"
    yield ""
    yield (
        f"{counted(summary.errors, 'error')} · {counted(summary.warnings, 'warning')} · "
        f"{summary.tools_called} of {summary.tools_listed} tools called · "
        f"{summary.tools_succeeded} succeeded"
    )
    yield ""
    yield "| server | verdict | tools | called | ok | errors | warnings | reason |"
    yield "|---|---|---:|---:|---:|---:|---:|---|"
    yield from map(_row, reports.servers)
    yield ""
    for one in reports.skipped:
        yield f"- {cell(one.name)} was skipped: {cell(one.reason)}"
    yield from _causes(reports.causes)


def _row(server: ServerReport) -> str:
    its = server.summary
    numbers = (
        *(its.tools_listed, its.tools_called, its.tools_succeeded),
        *(its.errors, its.warnings),
    )
    cells = [cell(server.name), verdict_word(server)[0], *map(str, numbers), cell(its.reason or "")]
    return f"| {' | '.join(cells)} |"


def _causes(causes: list[SharedCause]) -> Iterator[str]:
    if not causes:
        return
    yield ""
    yield "| severity | rule | findings | servers |"
    yield "|---|---|---:|---|"
    for cause in causes[:MOST_CAUSES]:
        by = f" ({cell(cause.framework)})" if cause.framework else ""
        rule = f"{cause.rule} {cause.name}{by}"
        severity, servers = SEVERITY_WORDS[cause.severity], _servers(cause.servers)
        yield f"| {severity} | {rule} | {cause.findings} | {servers} |"
    yield ""
    if (more := len(causes) - MOST_CAUSES) > 0:
        yield f"and {counted(more, 'cause')} more"
        yield ""


def _servers(names: list[str]) -> str:
    more = len(names) - MOST_SERVERS_IN_CELL
    shown = ", ".join(map(cell, names[:MOST_SERVERS_IN_CELL]))
    return shown + (f" and {more} more" if more > 0 else "")


def _details(server: ServerReport) -> Iterator[str]:
    if server.report is None:
        return
    name = html.escape(shorten(plain(server.name), LONGEST_CELL))
    yield f"<details><summary>{name}</summary>"
    yield ""
    yield to_markdown(server.report)
    yield "</details>"
    yield ""


LONGEST_ID: Final = 200
COUNTS: Final = ("tests", "failures", "errors", "skipped")
TROUBLE: Final[Mapping[RunOutcome, str]] = {"fail": "failure", "incomplete": "error"}
"""What a verdict that is no pass is to CI systems."""


def overall_json(reports: Reports) -> str:
    """The report on all servers as indented JSON."""
    return json_text(msgspec.to_builtins(reports))


def overall_sarif(reports: Reports) -> str:
    """One run per server: services keep them apart by the id of each."""
    runs = [_run(one.name, one.report) for one in reports.servers if one.report is not None]
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": runs})


def overall_junit(reports: Reports) -> str:
    """A suite with the verdict on each server, then the suites of all of them."""
    root = Element("testsuites", name="mcp-assay")
    root.append(_verdicts(reports))
    for server in reports.servers:
        root.extend(_suites(server))
    for count in COUNTS:
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root, "")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _text(root) + "\n"


WRITERS: Final[Mapping[str, Callable[[Reports], str]]] = {
    "json": overall_json,
    "junit": overall_junit,
    "sarif": overall_sarif,
    "markdown": overall_markdown,
    "html": overall_html,
}


def _run(name: str, report: Report) -> dict[str, Any]:
    (run,) = json.loads(to_sarif(report))["runs"]
    shown = shorten(plain(name), LONGEST_ID)
    return {**run, "automationDetails": {"id": f"mcp-assay/{shown}/"}}


def _verdicts(reports: Reports) -> Element:
    summary = reports.summary
    numbers = (summary.servers, summary.failed, summary.incomplete, 0)
    counts = {name: str(number) for name, number in zip(COUNTS, numbers, strict=True)}
    suite = Element("testsuite", {"name": "servers", **counts, "timestamp": _started(reports)})
    for server in reports.servers:
        case = SubElement(
            suite, "testcase", classname="mcp-assay.servers", name=_safe(server.name), time="0"
        )
        outcome = server.summary.outcome
        if outcome in TROUBLE:
            SubElement(case, TROUBLE[outcome], message=_why(server))
    return suite


def _suites(server: ServerReport) -> Iterator[Element]:
    """The suites of one server, each under the server's name."""
    if server.report is None:
        return
    name = _safe(server.name)
    for suite in ET.fromstring(to_junit(server.report)):
        suite.set("name", f"{name}: {suite.get('name', '')}")
        for case in suite:
            case.set("classname", f"{name}.{case.get('classname', '')}")
        yield suite


def _why(server: ServerReport) -> str:
    its = server.summary
    return _safe(its.reason or f"{its.errors} errors, {its.warnings} warnings")


def _started(reports: Reports) -> str:
    return reports.timing.started.rstrip("Z")


def _safe(text: str) -> str:
    """The text with nothing in it that XML cannot hold."""
    return shorten(plain(text), LONGEST_ID)


def _text(root: Element) -> str:
    return ET.tostring(root, encoding="unicode")
