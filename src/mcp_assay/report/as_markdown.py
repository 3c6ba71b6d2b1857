"""Report -> Markdown for a step summary or a comment: the verdict first, details folded."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.annotations_table import CAUTION, annotation_rows
from mcp_assay.report.annotations_table import COLUMNS as PROPOSED
from mcp_assay.report.annotations_table import TITLE as ANNOTATIONS
from mcp_assay.report.effects_table import COLUMNS, LEGEND, TITLE, effect_rows, world_words
from mcp_assay.report.footer import CHECK_WORDS, SEVERITY_WORDS, files_left, overdue_entries
from mcp_assay.report.headline import hints_of, mostly_unproven
from mcp_assay.report.least_policy import TITLE as POLICY
from mcp_assay.report.least_policy import policy_rows
from mcp_assay.report.library_findings import is_of_library
from mcp_assay.report.single_answer import answers
from mcp_assay.report.tool_table import (
    CALL_WORDS,
    NOTE,
    STATUS_WORDS,
    call_numbers,
    note_on,
    ordered_tools,
    tools_counted,
)
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten

VERDICTS: Final = {"pass": "PASS", "fail": "FAIL", "incomplete": "INCOMPLETE"}
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
LARGEST: Final = 900_000
"""Characters; a step summary takes a mebibyte."""
LONGEST_CELL: Final = 120
LONGEST_TEXT: Final = 2000
MEANINGFUL: Final = re.compile(r"([\\`*_\[\]|~#!])")
"""What Markdown, or a service that shows it, could take for more than a character in a line."""


def to_markdown(report: Report) -> str:
    """The report as Markdown."""
    text, written = [], 0
    for line in _lines(report):
        written += len(line) + 1
        if written > LARGEST:
            text.append("\nThe rest is omitted: the summary has reached its maximum length.")
            break
        text.append(line)
    return "\n".join((*text, ""))


def _lines(report: Report) -> Iterator[str]:
    yield f"## {_verdict(report)} {_subject(report)}"
    yield ""
    yield _numbers(report)
    yield ""
    for words, command in hints_of(report):
        yield f"{passage(words)}: {_code(command)}"
        yield ""
    yield from _tools(report)
    if left := files_left(report):
        yield passage(left)
        yield ""
    yield from _answers(report)
    yield from _effects(report)
    yield from _annotations(report)
    yield from _policy(report)
    shown = report.findings
    if report.command == "assess":
        from mcp_assay.report.shared_faults import for_people  # noqa: PLC0415  files need none of it

        shown = for_people(report).findings
    of_author = [it for it in shown if not is_of_library(it)]
    for severity in SEVERITIES:
        number = sum(it.severity == severity for it in report.findings if not is_of_library(it))
        yield from _findings(severity, number, [it for it in of_author if it.severity == severity])
    for finding in shown:
        if is_of_library(finding):
            yield passage(finding.message)
            yield ""
    yield from _open(report)


def _subject(report: Report) -> str:
    info = report.subject.server_info or {}
    named = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    command = " ".join(report.subject.command or ())
    return cell(named or command or report.subject.url or report.subject.kind)


def _verdict(report: Report) -> str:
    word = VERDICTS[report.summary.outcome]
    unproven = mostly_unproven(report) if report.summary.outcome == "pass" else ""
    return f"{word}, but {unproven}:" if unproven else word


def _numbers(report: Report) -> str:
    summary = report.summary
    parts = [counted(summary.errors, "error"), counted(summary.warnings, "warning")]
    if summary.infos:
        parts.append(counted(summary.infos, "note"))
    parts += [stale] if (stale := overdue_entries(report)) else []
    if summary.tools_listed:
        parts.append(f"{summary.tools_called} of {tools_counted(report)} tools called")
        parts.append(f"{summary.tools_succeeded} succeeded")
    if summary.score is not None:
        parts.append(f"score {summary.score} of 100")
    if report.revision:
        parts.append(report.revision)
    return " · ".join(parts)


def _tools(report: Report) -> Iterator[str]:
    numbers = call_numbers(report)
    rows = [_row(tool, numbers[tool.name]) for tool in ordered_tools(report)]
    if rows:
        yield f"| tool | verdict | calls | {' | '.join(CALL_WORDS)} | {NOTE} |"
        yield f"|---|---|---:|{'---:|' * len(CALL_WORDS)}---|"
        yield from rows
        yield ""


def _row(tool: ToolRow, numbers: Iterable[int]) -> str:
    counts = map(str, (tool.called, *numbers))
    cells = [cell(tool.name), STATUS_WORDS[tool.status], *counts, cell(note_on(tool))]
    return f"| {' | '.join(cells)} |"


def _answers(report: Report) -> Iterator[str]:
    """What a call answered that the user typed."""
    for title, lines in answers(report):
        yield f"### {cell(title)}"
        yield ""
        yield from (f"- {passage(line)}" for line in lines)
        yield ""


def _effects(report: Report) -> Iterator[str]:
    """What each tool did to the machine, where a sandbox saw it."""
    rows = effect_rows(report)
    if not rows or report.sandbox is None:
        return
    yield f"### {TITLE}"
    yield ""
    yield f"{passage(world_words(report.sandbox))}; {LEGEND}"
    yield ""
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{'---|' * len(COLUMNS)}"
    for row in rows:
        yield f"| {' | '.join(map(cell, row.cells))} |"
    yield ""


def _policy(report: Report) -> Iterator[str]:
    """The least that the server needs, and whether it is enough."""
    rows = policy_rows(report)
    if not rows:
        return
    yield f"### {POLICY}"
    yield ""
    yield from (f"- {label}: {passage(words)}" for label, words in rows)
    yield ""


def _annotations(report: Report) -> Iterator[str]:
    """The annotations that the calls support, and how they are declared."""
    rows = annotation_rows(report)
    if not rows:
        return
    yield f"### {ANNOTATIONS}"
    yield ""
    yield f"| {' | '.join(PROPOSED)} |"
    yield f"|{'---|' * len(PROPOSED)}"
    for row in rows:
        yield f"| {' | '.join(map(cell, row.cells))} |"
    yield ""
    yield f"<details><summary>To paste. {CAUTION}</summary>"
    yield ""
    for row in rows:
        codes = ", ".join(f"{language}: {_code(code)}" for language, code in row.code.items())
        yield f"- {cell(row.cells[0])}: {codes}"
    yield ""
    yield "</details>"
    yield ""


def _findings(severity: Severity, number: int, findings: list[Finding]) -> Iterator[str]:
    """The findings of a severity; their number counts each tool of those that are one here."""
    if not findings:
        return
    shown = " open" if severity == "error" else ""
    title = counted(number, SEVERITY_WORDS[severity])
    yield f"<details{shown}><summary>{title}</summary>"
    yield ""
    for finding in findings:
        yield from _finding(finding)
    yield "</details>"
    yield ""


def _finding(finding: Finding) -> Iterator[str]:
    where = finding.where
    place = where.tool or (f"{where.file}:{where.line or 1}" if where.file else "")
    rule = f"[{finding.rule}]({finding.url})" if finding.url else finding.rule
    head = f"**{cell(place)}** " if place else ""
    yield f"- {head}{rule} {finding.name}: {passage(finding.message)}"
    details = finding.details or {}
    for one in details.get("each") or ():
        fix = f" Fix: {passage(one['fix'])}" if one.get("fix") else ""
        yield f"  - {passage(one['message'])}{fix}"
    shown = (("fix", finding.fix), ("seen", finding.evidence), ("proof", details.get("proof")))
    for label, value in shown:
        if value:
            yield f"  - {label}: {passage(value)}"
    if isinstance(details.get("repeat"), str):
        yield f"  - repeat: {_code(details['repeat'])}"


def _open(report: Report) -> Iterator[str]:
    """What the report does not show."""
    counts = Counter(check.outcome for check in report.checks)
    words = [
        f"{number} {CHECK_WORDS[outcome]}"
        for outcome, number in sorted(counts.items())
        if outcome not in ("passed", "failed", "warned")
    ]
    idle = [tool.name for tool in report.tools if tool.status in ("not_called", "unproven")]
    if not (words or idle or report.limits):
        return
    yield "<details><summary>What this report does not show</summary>"
    yield ""
    if idle:
        yield f"- tools not proven to work: {', '.join(map(cell, idle[:50]))}"
    if words:
        yield f"- checks: {', '.join(words)}"
    for limit in report.limits:
        yield f"- limit {cell(limit.name)} {limit.value:,}: {passage(limit.effect)}"
    yield ""
    yield "</details>"


def cell(text: str) -> str:
    """Text that fits into a cell of a table, and stays text there."""
    return _escaped(plain(shorten(str(text), LONGEST_CELL)))


def passage(text: str) -> str:
    """Text of some length that stays text."""
    return _escaped(plain(shorten(text, LONGEST_TEXT)))


def _escaped(text: str) -> str:
    """Text that stays text: neither Markdown nor HTML, no mention and no link."""
    safe = html.escape(MEANINGFUL.sub(r"\\\1", text), quote=False)
    return safe.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def _code(text: str) -> str:
    """A code span that no run of backticks can end."""
    shown = plain(shorten(text, LONGEST_TEXT))
    runs = [len(run) for run in re.findall("`+", shown)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
