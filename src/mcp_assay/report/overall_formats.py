"""The forms in which the report on several servers is written for programs and services."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

import msgspec

from mcp_assay.model.report import Report, RunOutcome
from mcp_assay.model.reports import Reports, ServerReport
from mcp_assay.report.as_json import json_text
from mcp_assay.report.as_junit import to_junit
from mcp_assay.report.as_sarif import SCHEMA, to_sarif
from mcp_assay.report.overall_markdown import overall_markdown
from mcp_assay.report.plain import plain, shorten

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
