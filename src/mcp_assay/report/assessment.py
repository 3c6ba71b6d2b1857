"""The report on a server, for people: verdict, tools, findings, and what was not tested."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.report.footer import SEVERITY_WORDS, baseline, checks, limits, next_step, size
from mcp_assay.report.shared_faults import for_people
from mcp_assay.report.tool_table import other_tables, tool_table
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
    labelled,
    named,
    sentences,
    width,
)
from mcp_assay.text.words import MOST_NAMED

WORDS: Final[Mapping[str, tuple[str, Style]]] = {
    "pass": ("PASS", "pass"),
    "fail": ("FAIL", "fail"),
    "incomplete": ("INCOMPLETE", "warning"),
}
UNCALLED: Final[tuple[str, Style]] = ("NOT CALLED", "warning")
"""In place of a pass where tools are listed and none was called."""
MANY: Final = 20
"""With more findings than this only the first of each rule is shown whole."""
LONGEST_WORD: Final = 32
LONGEST_COMMAND: Final = 60
LONGEST_CALL: Final = 400
HEAD_MARGIN: Final = 6


def assessment_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The whole report; `verbose` adds every finding, the raw messages and every check."""
    report = for_people(report)
    yield from _verdict(report)
    if report.revision is None and not report.findings:
        return
    yield BLANK
    yield from tool_table(report)
    yield from other_tables(report)
    groups = _groups(report, verbose)
    for group in groups:
        yield from _finding(group, verbose)
        yield BLANK
    if left := list(untested(report)):
        yield from left
        yield BLANK
    yield from baseline(report)
    yield from limits(report)
    if report.surface and report.surface.bytes:
        yield from _broken(size(report.surface, verbose=verbose))
    if report.revision:
        yield from checks(report, verbose=verbose)
    yield from next_step(group[0] for group in groups)


def _verdict(report: Report) -> Iterator[Line]:
    """The verdict in words, what it rests on, which server it is about, and what is lacking."""
    summary = report.summary
    is_silent = summary.outcome == "pass" and summary.tools_listed and not summary.tools_called
    word, style = UNCALLED if is_silent else WORDS[summary.outcome]
    first, *more = _joined(_numbers(report), SCREEN - len(word) - 2)
    yield ((word, style), (f"  {first}", ""))
    about = _joined(_server(report), SCREEN - HEAD_MARGIN)
    yield from (indented(((line, ""),), HEAD_MARGIN) for line in (*more, *about))
    if summary.reason:
        for line in broken(summary.reason, SCREEN - HEAD_MARGIN):
            yield indented(((line, "warning"),), HEAD_MARGIN)


def _numbers(report: Report) -> Iterator[str]:
    summary = report.summary
    if report.revision is None and not report.findings:
        yield "nothing was tested"
        return
    shown_parts = [counted(summary.errors, "error"), counted(summary.warnings, "warning")]
    shown_parts += [counted(summary.infos, "note")] if summary.infos else []
    yield ", ".join(shown_parts)
    if summary.tools_listed:
        called = f"{summary.tools_called} of {counted(summary.tools_listed, 'tool')} called"
        yield called + (f", {summary.tools_succeeded} succeeded" if report.calls else "")
        yield from [_calls(report)] if report.calls else ()
    elif report.revision:
        yield "no tools listed"


def _calls(report: Report) -> str:
    """How many calls the rows of the tools count, and how many only compare tools with others."""
    compared = sum(call.scenario == COMPARED for call in report.calls)
    more = f", plus {compared} repeated for comparison" if compared else ""
    return counted(len(report.calls) - compared, "call") + more


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


def _groups(report: Report, verbose: bool) -> list[list[Finding]]:
    """Findings in the order in which people want them; those of one rule together if many."""
    places: dict[str | None, int] = {tool.name: number for number, tool in enumerate(report.tools)}
    ordered = sorted(
        report.findings,
        key=lambda f: (SEVERITIES.index(f.severity), places.get(f.where.tool, -1)),
    )
    groups: dict[Any, list[Finding]] = {}
    is_many = len(ordered) > MANY and not verbose
    for finding in ordered:
        key = (
            (finding.severity, finding.rule) if is_many else (finding.fingerprint, finding.message)
        )
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _finding(group: Sequence[Finding], verbose: bool) -> Iterator[Line]:
    first = group[0]
    details = first.details or {}
    yield _headline(first)
    yield from sentences(first.message)
    if first.pointer not in first.message:
        yield from labelled("at", first.pointer)
    if first.evidence:
        yield from labelled("seen", first.evidence)
    yield from _call(details)
    if clients := details.get("clients"):
        yield from labelled("clients", clients)
    if first.fix:
        yield from labelled("fix", first.fix)
    if len(group) > 1:
        yield from labelled("also", _also(group[1:]))
    yield from _commands(details, verbose)


def _headline(finding: Finding) -> Line:
    where = finding.where.tool or ""
    rule = f"  {finding.rule} {finding.name}"
    word = SEVERITY_WORDS[finding.severity]
    room = max(SCREEN - len(word) - len(rule) - 2, LONGEST_WORD)
    named_tool = f"  {cut(where, room)}" if where else ""
    return ((word, finding.severity), (rule, ""), (named_tool, "strong"))


def _call(details: Mapping[str, Any]) -> Iterator[Line]:
    """The smallest call that shows it, and what was said about it.

    The whole call stands in the command that repeats it.
    """
    for label in ("smallest", "input"):
        if label in details:
            arguments = json.dumps(details[label], ensure_ascii=False)
            yield from labelled(label, cut(arguments, LONGEST_CALL))
    answer, stderr = details.get("answer"), details.get("stderr")
    if answer and not _says_all(stderr, answer):
        yield from labelled("answer", answer)
    for label, text in (("stderr", stderr), ("exit", details.get("exit"))):
        if text:
            yield from labelled(label, text)


def _says_all(stderr: str | None, answer: str) -> bool:
    """Whether the line of standard error repeats what the answer says of the fault, and more."""
    raised, _, place = (stderr or "").rpartition(" (")
    message = raised.partition(": ")[2]
    return bool(place and message) and message in answer


def _commands(details: Mapping[str, Any], verbose: bool) -> Iterator[Line]:
    """What can be copied stands in one line, however long it is."""
    if "repeat" in details:
        yield indented(named("repeat", details["repeat"]))
    for label in ("raw", "curl"):
        text = details.get(label)
        if text and (verbose or width(text) <= SCREEN - 11):
            yield indented(named(label, text))
            if needs := details.get("needs"):
                yield from labelled("", f"({needs})")


def _also(group: Sequence[Finding]) -> str:
    """Which other tools are concerned, or else how often it was found."""
    tools = list(dict.fromkeys(f.where.tool for f in group if f.where.tool))
    if not tools:
        return f"{counted(len(group), 'time')} more"
    shown = ", ".join(cut(name, LONGEST_WORD) for name in tools[:MOST_NAMED])
    more = len(tools) - MOST_NAMED
    return shown + (f" and {more:,} more" if more > 0 else "")


def _joined(parts: Iterable[str], columns: int) -> list[str]:
    """The parts with dots between them, in lines that fit."""
    lines: list[str] = []
    for part in parts:
        if lines and width(lines[-1]) + 3 + width(part) <= columns:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines


def _broken(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield from sentences("".join(text for text, _ in line), indent=0)
