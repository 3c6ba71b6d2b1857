"""The last lines of every report: surface, limits, what became of the rules, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import MAX_CALLS, CheckOutcome, Limit, Report
from mcp_assay.model.surface import DefinitionSize, SurfaceSize
from mcp_assay.text.lines import Line, counted, cut, indented, labelled, said, sentences

SEVERITY_WORDS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
CHECK_WORDS: Mapping[CheckOutcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "warned": "warned",
    "not_declared": "not declared",
    "not_testable": "not testable",
    "undecided": "undecided",
    "skipped": "skipped",
}
DECIDED: frozenset[CheckOutcome] = frozenset({"passed", "failed", "warned"})
WHY: Mapping[str, str] = {
    "stale": "no longer occurs; remove it or run --update-baseline",
    "expired": "was accepted until {day}; fix it, or extend the date",
}
"""Why an entry of a baseline fails a run."""
RAISED_BY: Mapping[str, str] = {"max-time": "--max-time", "max-findings": "--max-findings"}
"""The options that raise a limit."""
TIMED = ("assess", "lint")
"""The commands that have them."""


def expected(statement: str) -> str:
    """What a rule asks for, so that nobody takes it for what was observed."""
    first = statement.split(" ", 1)[0]
    is_plain = first == "A" or first[1:].islower()
    return f"Expected: {statement[:1].lower() if is_plain else statement[:1]}{statement[1:]}"


def limits(report: Report) -> Iterator[Line]:
    """Every limit that cut something, but for what stands among the untested."""
    for limit in report.limits:
        if limit.name == MAX_CALLS:
            continue
        option = RAISED_BY.get(limit.name) if report.command in TIMED else None
        yield from sentences(_limit(limit, option), indent=0)


def _limit(limit: Limit, option: str | None) -> str:
    if option == "--max-time":
        return f"Stopped at --max-time ({limit.value:,} s); {limit.effect}."
    value = f" ({limit.value:,})" if limit.value else ""
    number = f" ({limit.count:,} in all)" if limit.count > 1 else ""
    raised = f"; raise {option}" if option else ""
    return f"Limit {limit.name}{value}: {limit.effect}{number}{raised}"


def overdue_entries(report: Report) -> str:
    """How many entries of the baseline fail the run by themselves, in words; else nothing."""
    number = len(report.baseline.overdue) if report.baseline else 0
    return f"{number:,} outdated in the baseline" if number else ""


def baseline(report: Report) -> Iterator[Line]:
    """What the baseline took out of the report, and which of its entries have had their day."""
    known = report.baseline
    if known is None:
        return
    for overdue in known.overdue:
        entry = overdue.entry
        about = f"{entry.rule} {entry.tool}" if entry.tool else entry.rule
        why = WHY[overdue.why].format(day=entry.expires)
        text = f"Baseline: {about} {why} (fingerprint {entry.fingerprint})"
        yield from sentences(text, indent=0, style="error")
    if known.accepted:
        yield said(f"Baseline: {counted(len(known.accepted), 'finding')} accepted")


def checks(report: Report, *, verbose: bool) -> Iterator[Line]:
    """How many rules passed, failed and stayed open; `verbose` reports each, and why."""
    outcomes = Counter(check.outcome for check in report.checks)
    shown_parts = [f"{outcomes[key]} {word}" for key, word in CHECK_WORDS.items() if outcomes[key]]
    hint = "" if verbose else " (--verbose shows why)"
    yield from sentences(f"Checks: {', '.join(shown_parts)}{hint}", indent=0)
    for check in report.checks if verbose else ():
        label = f"{check.rule:<12} {CHECK_WORDS[check.outcome]:<12}"
        yield from labelled(label, check.reason or "", size=len(label))


def decided_checks(report: Report) -> Iterator[Line]:
    """The rules that were decided although there was no session."""
    decided = [check for check in report.checks if check.outcome in DECIDED]
    named = ", ".join(f"{check.rule} {CHECK_WORDS[check.outcome]}" for check in decided)
    yield from [said(f"Checks without a session: {named}")] if decided else ()


def next_step(findings: Iterable[Finding]) -> Iterator[Line]:
    """Where to read on about the gravest finding."""
    for finding in sorted(findings, key=lambda f: f.severity != "error")[:1]:
        yield said(f"Next: mcp-assay explain {finding.rule}")


KINDS = {"resources": "resource", "templates": "resource template", "prompts": "prompt"}
LARGEST_SHOWN = 3
MOST_FILES_NAMED = 5
LONGEST_NAME = 40
"""Characters of a name in a line of text; longer ones are cut, so that the line can be read."""


def listed(surface: SurfaceSize) -> str:
    """How many definitions there are of each kind; tools are named also where there are none."""
    tools = [counted(len(surface.tools), "tool")]
    numbers = {noun: getattr(surface, key) for key, noun in KINDS.items()}
    others = [counted(number, noun) for noun, number in numbers.items() if number]
    return ", ".join((tools if surface.tools or not others else []) + others)


def size(surface: SurfaceSize, *, verbose: bool = False) -> Iterator[Line]:
    """How large the surface is, and which tools take most of it; `verbose` reports all."""
    total = f"{surface.bytes:,} bytes, about {surface.tokens_estimated:,} tokens"
    largest = sorted(surface.tools, key=lambda tool: -tool.bytes)[:LARGEST_SHOWN]
    names = [f"{_name(tool)} {tool.tokens_estimated:,}" for tool in largest]
    is_short = verbose or len(surface.tools) < 2
    most = "" if is_short else f"; most in {', '.join(names)}"
    yield from sentences(f"Surface: {total}{most}", indent=0)
    for tool in surface.tools if verbose else ():
        facts = f"{tool.bytes:>9,} bytes {tool.tokens_estimated:>7,} tokens  {_name(tool)}"
        yield indented(said(facts))


def _name(tool: DefinitionSize) -> str:
    return cut(str(tool.name or "(no name)"), LONGEST_NAME)


def files_left(report: Report) -> str:
    """What the server left in the working folder, in a sentence; "" where that is nothing."""
    names = report.timing.files_left
    if not names:
        return ""
    more = len(names) - MOST_FILES_NAMED + report.timing.files_left_out
    shown = ", ".join(cut(name, LONGEST_NAME) for name in names[:MOST_FILES_NAMED])
    rest = f" and {more:,} more" if more > 0 else ""
    total = counted(len(names) + report.timing.files_left_out, "file")
    return f"{total} left behind in the working folder: {shown}{rest}."
