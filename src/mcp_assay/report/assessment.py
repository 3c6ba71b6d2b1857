"""The report on a server, for people: verdict, tools, findings, and what was not tested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mcp_assay.model.report import Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.report.annotations_table import annotations_text
from mcp_assay.report.effects_table import effects_text
from mcp_assay.report.finding_text import finding_sections, finding_text
from mcp_assay.report.footer import (
    DECIDED,
    baseline,
    checks,
    decided_checks,
    files_left,
    limits,
    next_step,
    overdue_entries,
    size,
)
from mcp_assay.report.headline import hints_of, mostly_unproven
from mcp_assay.report.least_policy import policy_text
from mcp_assay.report.shared_faults import for_people
from mcp_assay.report.single_answer import answer_text
from mcp_assay.report.tool_table import other_tables, tool_table, tools_counted
from mcp_assay.report.untested import untested
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    counted,
    cut,
    indented,
    sentences,
    width,
)
from mcp_assay.text.safe import plain
from mcp_assay.text.words import MOST_NAMED

WORDS: Final[Mapping[str, tuple[str, Style]]] = {
    "pass": ("PASS", "pass"),
    "fail": ("FAIL", "fail"),
    "incomplete": ("INCOMPLETE", "warning"),
}
UNCALLED: Final[tuple[str, Style]] = ("NOT CALLED", "warning")
"""In place of a pass where tools are listed and none was called."""
LONGEST_WORD: Final = 32
LONGEST_COMMAND: Final = 60
HEAD_MARGIN: Final = 6


def assessment_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The whole report; `verbose` adds every finding, the raw messages and every check."""
    report = report if verbose else for_people(report)
    yield from _verdict(report)
    if _is_untested(report):
        return
    yield BLANK
    yield from tool_table(report, verbose=verbose)
    yield from other_tables(report, verbose=verbose)
    yield from answer_text(report, verbose=verbose)
    yield from effects_text(report)
    yield from annotations_text(report, verbose=verbose)
    yield from policy_text(report)
    sections = finding_sections(report, verbose=verbose)
    for section in sections:
        yield from finding_text(section, verbose=verbose)
        yield BLANK
    if unseen := list(untested(report)):
        yield from unseen
        yield BLANK
    yield from sentences(left) if (left := files_left(report)) else ()
    yield from baseline(report)
    yield from limits(report)
    if report.surface and report.surface.bytes:
        yield from size(report.surface, verbose=verbose)
    if report.revision:
        yield from checks(report, verbose=verbose)
    else:
        yield from decided_checks(report)
    yield from next_step(section[0][0] for section in sections)


def _is_untested(report: Report) -> bool:
    """Whether there was no session, and nothing was decided without one."""
    is_decided = any(check.outcome in DECIDED for check in report.checks)
    return report.revision is None and not report.findings and not is_decided


def _verdict(report: Report) -> Iterator[Line]:
    """The verdict in words, what it rests on, which server it is about, and what is lacking."""
    summary = report.summary
    is_silent = summary.outcome == "pass" and summary.tools_listed and not summary.tools_called
    word, style = UNCALLED if is_silent else WORDS[summary.outcome]
    if summary.outcome == "pass" and (unproven := mostly_unproven(report)):
        word, style = f"{word}, but {unproven}", "warning"
    first, *more = _joined(_numbers(report), SCREEN - len(word) - 2)
    yield ((word, style), (f"  {first}", ""))
    about = _joined(_server(report), SCREEN - HEAD_MARGIN)
    yield from (indented(((line, ""),), HEAD_MARGIN) for line in (*more, *about))
    if summary.reason:
        for line in broken(summary.reason, SCREEN - HEAD_MARGIN):
            yield indented(((line, "warning"),), HEAD_MARGIN)
    yield from _hint(report)


def _hint(report: Report) -> Iterator[Line]:
    """How many more tools other options would call, and the commands, to be copied whole."""
    for words, command in hints_of(report):
        for line in broken(f"{words}:", SCREEN - HEAD_MARGIN):
            yield indented(((line, "strong"),), HEAD_MARGIN)
        yield indented(((plain(command), ""),), HEAD_MARGIN + 2)


def _numbers(report: Report) -> Iterator[str]:
    summary = report.summary
    if _is_untested(report):
        yield "nothing was tested"
        return
    shown_parts = [counted(summary.errors, "error"), counted(summary.warnings, "warning")]
    shown_parts += [counted(summary.infos, "note")] if summary.infos else []
    shown_parts += [stale] if (stale := overdue_entries(report)) else []
    yield ", ".join(shown_parts)
    if summary.tools_listed:
        called = f"{summary.tools_called} of {counted(tools_counted(report), 'tool')} called"
        yield called + (f", {summary.tools_succeeded} succeeded" if report.calls else "")
        yield from [_calls(report)] if report.calls else ()
    elif report.revision:
        yield "no tools listed"
    if summary.score is not None:
        yield f"score {summary.score} of 100"


def _calls(report: Report) -> str:
    """How many calls the rows of the tools count, and how many only compare tools with others."""
    compared = sum(call.scenario == COMPARED for call in report.calls)
    more = f", plus {compared} repeated for comparison" if compared else ""
    return counted(sum(tool.called for tool in report.tools), "call") + more


def _server(report: Report) -> Iterator[str]:
    """What the server calls itself, how it was reached, and how it was talked to."""
    info = report.subject.server_info or {}
    words = [cut(str(info[key]), LONGEST_WORD) for key in ("name", "version") if info.get(key)]
    command = cut(" ".join(report.subject.command or ()), LONGEST_COMMAND)
    if words or command:
        yield " ".join(words) or command
    yield "stdio" if report.subject.url is None else cut(report.subject.url, LONGEST_WORD)
    if report.revision:
        others = [one for one in report.revisions_offered if one != report.revision]
        also = f" (also {', '.join(cut(one, LONGEST_WORD) for one in others[:MOST_NAMED])})"
        yield report.revision + (also if others else "")
    if report.calls:
        yield f"seed {report.seed}"


def _joined(parts: Iterable[str], columns: int) -> list[str]:
    """The parts with dots between them, in lines that fit."""
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1]) + 3 + width(part) <= columns:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines
