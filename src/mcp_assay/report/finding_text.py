"""Findings about a server for people: the same of several tools once, each with its own words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.model.finding import DECIDED_BY, Finding
from mcp_assay.model.report import Report
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.library_findings import is_of_library, library_name
from mcp_assay.report.tool_table import ordered_tools
from mcp_assay.text.lines import (
    SCREEN,
    Line,
    counted,
    cut,
    indented,
    labelled,
    named,
    sentences,
    width,
)
from mcp_assay.text.words import MOST_NAMED, quote

MANY: Final = 20
"""With more findings than this, those of one rule stand together, and only the first is whole."""
MOST_ALSO: Final = 12
"""So many other tools are named that have the same fault; of errors, all are."""
MOST_OWN_WORDS: Final = 6
"""Of so many tools that share a fault it is said what is wrong with each; of errors, of all."""
LEAST_NAME: Final = 32
LONGEST_NAME: Final = 60
LONGEST_CALL: Final = 400
THE_TOOL: Final = "\0"
"""Stands for the name of a tool where words are compared; no sentence holds it."""

Fold: TypeAlias = list[Finding]
"""Findings that differ in nothing but the tool that they are about."""
Section: TypeAlias = list[Fold]
"""Folds that stand together, because they are of one rule."""


def finding_sections(report: Report, *, verbose: bool = False) -> list[Section]:
    """The findings, the gravest first, then as the tools stand in the table.

    What is said of several tools in the same words is one fold. Where there are many findings, the
    folds of a rule are one section. `verbose` shows each finding by itself.
    """
    folds = [[one] for one in _ordered(report)] if verbose else _folds(_ordered(report))
    if verbose or len(report.findings) <= MANY:
        return [[fold] for fold in folds]
    sections: dict[tuple[str, str], Section] = {}
    for fold in folds:
        rule = f"{fold[0].rule} {library_name(fold[0])}"
        sections.setdefault((fold[0].severity, rule), []).append(fold)
    return list(sections.values())


def _ordered(report: Report) -> list[Finding]:
    places = {tool.name: place for place, tool in enumerate(ordered_tools(report))}
    return sorted(
        report.findings,
        key=lambda one: (
            is_of_library(one),
            SEVERITIES.index(one.severity),
            places.get(one.where.tool or "", -1),
        ),
    )


def _folds(findings: Iterable[Finding]) -> list[Fold]:
    folds: dict[tuple[str | None, ...], Fold] = {}
    for one in findings:
        key = (one.severity, one.rule, _without_tool(one, one.message), _without_tool(one, one.fix))
        folds.setdefault(key, []).append(one)
    return list(folds.values())


def _without_tool(finding: Finding, text: str | None) -> str | None:
    """A sentence as it is for every tool."""
    tool = finding.where.tool
    return text.replace(quote(tool), THE_TOOL) if text and tool else text


def finding_text(section: Section, *, verbose: bool = False) -> Iterator[Line]:
    """A section: its first fold whole, of each further one what differs."""
    first, *others = section
    yield _headline(section)
    yield from _fold(first)
    yield from _commands(first[0].details or {}, verbose=verbose)
    for fold in others:
        yield from _further(fold, first[0])


def _headline(section: Section) -> Line:
    first = section[0][0]
    rule = f"  {_title(first)}"
    word = SEVERITY_WORDS[first.severity]
    room = max(SCREEN - len(word) - len(rule) - 2, LEAST_NAME)
    about = cut(_about([one for fold in section for one in fold]), room)
    return ((word, first.severity), (rule, ""), (f"  {about}" if about else "", "strong"))


def _title(finding: Finding) -> str:
    """The rule, or the library that decides several."""
    rules = (finding.details or {}).get(DECIDED_BY, {}).get("rules")
    return library_name(finding) if rules else f"{finding.rule} {finding.name}"


def _about(findings: Sequence[Finding]) -> str:
    """The tool that findings are about, or how many there are."""
    tools = {tool for one in findings for tool in _tools(one)}
    return next(iter(tools)) if len(tools) == 1 else counted(len(tools), "tool") if tools else ""


def _tools(finding: Finding) -> Sequence[str]:
    known = (finding.details or {}).get("tools")
    if isinstance(known, list):
        return [str(one) for one in known]
    return [finding.where.tool] if finding.where.tool else []


def _fold(fold: Fold) -> Iterator[Line]:
    first = fold[0]
    details = first.details or {}
    yield from sentences(first.message)
    if first.pointer not in first.message and _is_same(one.pointer for one in fold):
        yield from labelled("at", first.pointer)
    if first.evidence and _is_same(one.evidence for one in fold):
        yield from labelled("seen", first.evidence)
    yield from _call(details)
    if clients := details.get("clients"):
        yield from labelled("clients", clients)
    yield from _each(first)
    if first.fix and not _has_own_fixes(first):
        yield from labelled("fix", first.fix)
    yield from _others(fold)


def _each(finding: Finding) -> Iterator[Line]:
    """What is said of each tool that shares a fault, and what to do there."""
    each: Sequence[Mapping[str, Any]] = (finding.details or {}).get("each") or ()
    shown = each if finding.severity == "error" else each[:MOST_OWN_WORDS]
    for one in shown:
        yield from sentences(f"- {one['message']}")
        if fix := one.get("fix"):
            yield from labelled("fix", fix)
        if others := one["tools"][1:]:
            yield from labelled("also", _named(others, finding))
    if left := len(each) - len(shown):
        yield from sentences(f"- and {left:,} more (--verbose lists all)")


def _has_own_fixes(finding: Finding) -> bool:
    """Whether what is to be done differs from tool to tool, and stands with each of them."""
    return any("fix" in one for one in (finding.details or {}).get("each") or ())


def _further(fold: Fold, first: Finding) -> Iterator[Line]:
    """Findings of a rule that were not the first: their own words, and what helps against them."""
    own = fold[0]
    details = own.details or {}
    yield from sentences(own.message)
    yield from _each(own)
    yield from _arguments(details)
    if (
        own.fix
        and not _has_own_fixes(own)
        and _without_tool(own, own.fix) != _without_tool(first, first.fix)
    ):
        yield from labelled("fix", own.fix)
    yield from _others(fold)
    if own.severity == "error" and "repeat" in details:
        yield indented(named("repeat", details["repeat"]))


def _is_same(values: Iterable[str | None]) -> bool:
    return len(set(values)) == 1


def _others(fold: Fold) -> Iterator[Line]:
    """Which other tools have the same fault, or how often it was found besides."""
    first, *rest = fold
    tools = list(dict.fromkeys(tool for one in rest for tool in _tools(one)))
    if len(_tools(first)) > MOST_NAMED:  # their sentence names only some of them
        yield from labelled("tools", _named(_tools(first), first))
    if tools:
        yield from labelled("also", _named(tools, first))
    elif rest:
        yield from labelled("also", f"{counted(len(rest), 'time')} more")


def _named(tools: Sequence[str], finding: Finding) -> str:
    """The names; who has an error is never hidden behind a number."""
    most = MOST_ALSO if finding.severity != "error" and len(tools) > MOST_ALSO + 1 else len(tools)
    more = len(tools) - most
    shown = [cut(name, LONGEST_NAME) for name in tools[:most]]
    return ", ".join(shown) + (f" and {more:,} more (--verbose lists all)" if more else "")


def _call(details: Mapping[str, Any]) -> Iterator[Line]:
    """The smallest call that shows it, and what was said about it."""
    yield from _arguments(details)
    if proof := details.get("proof"):
        yield from labelled("proof", proof)
    answer, stderr = details.get("answer"), details.get("stderr")
    if answer and not _says_all(stderr, answer):
        yield from labelled("answer", answer)
    for label, text in (("stderr", stderr), ("exit", details.get("exit"))):
        if text:
            yield from labelled(label, text)


def _arguments(details: Mapping[str, Any]) -> Iterator[Line]:
    """What was sent; the whole call stands in the command that repeats it."""
    for label in ("smallest", "input"):
        if label in details:
            arguments = json.dumps(details[label], ensure_ascii=False)
            yield from labelled(label, cut(arguments, LONGEST_CALL))


def _says_all(stderr: str | None, answer: str) -> bool:
    """Whether the line of standard error repeats what the answer says of the fault, and more."""
    raised, _, place = (stderr or "").rpartition(" (")
    message = raised.partition(": ")[2]
    return bool(place and message) and message in answer


def _commands(details: Mapping[str, Any], *, verbose: bool) -> Iterator[Line]:
    """What can be copied stands in one line, however long it is."""
    if "repeat" in details:
        yield indented(named("repeat", details["repeat"]))
    for label in ("raw", "curl"):
        text = details.get(label)
        if text and (verbose or width(text) <= SCREEN - 11):
            yield indented(named(label, text))
            if needs := details.get("needs"):
                yield from labelled("", f"({needs})")
