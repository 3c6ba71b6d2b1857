"""The first words about a run: the verdict, why, what it does not show, and what was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import MAX_CALLS, CheckOutcome, Offer, Report
from mcp_assay.report.ending import CHECK_WORDS, WHY
from mcp_assay.report.lines import counted
from mcp_assay.report.plain import shorten
from mcp_assay.report.untested import remedy_for

Tone: TypeAlias = Literal["bad", "unsure", "good"]

MOST_REASONS: Final = 3
MOST_NAMED: Final = 4
LONGEST_NAME: Final = 40
LONGEST_REASON: Final = 240
LONGEST_GAP: Final = 160
UNSEEN: Final[Mapping[str, str]] = {
    "unproven": "every valid call was refused",
    "connectivity_only": "what they need could not be reached",
}
"""What became of tools of which nobody knows whether they work."""
OPEN_CHECKS: Final[tuple[CheckOutcome, ...]] = (
    "undecided",
    "not_testable",
    "not_declared",
    "skipped",
)
NOT_ASKED: Final = "Nobody was asked anything: only what these messages show is judged."
NOT_CALLED: Final = "No tool was called: only what the server lists was judged."
NOT_LISTED: Final = "Anything about its tools: they were never listed."


class Verdict(Struct, frozen=True):
    """The verdict in words, and the numbers that it rests on."""

    word: str
    tone: Tone
    numbers: list[str]


class Reason(Struct, frozen=True):
    """One reason for the verdict; where it is a finding, which one."""

    text: str
    finding: int | None = None


class Gap(Struct, frozen=True):
    """Something that the report does not show, what would show it, and where more is said."""

    text: str
    remedy: str = ""
    link: str = ""


def verdict(report: Report) -> Verdict:
    """The verdict; a pass is good only where nothing was left unseen."""
    return Verdict(*_word(report), list(_numbers(report)))


def _word(report: Report) -> tuple[str, Tone]:
    summary = report.summary
    if summary.outcome == "incomplete":
        return "Not decided", "unsure"
    if summary.outcome == "fail":
        return ("Not ready" if report.subject.kind == "server" else "Faults found"), "bad"
    if report.seed is not None and summary.tools_listed and not summary.tools_called:
        return "Nothing was called", "unsure"
    is_seen = summary.tools_succeeded == summary.tools_listed
    where = "" if is_seen else " in what was tested"
    if summary.errors or summary.warnings:
        return f"Passed with {_faults(report)}{where}", "unsure"
    is_any = summary.tools_listed if report.subject.kind == "server" else summary.messages
    return f"No faults found{where}", "good" if is_seen and is_any else "unsure"


def _faults(report: Report) -> str:
    summary = report.summary
    return " and ".join(
        counted(number, noun)
        for number, noun in ((summary.errors, "error"), (summary.warnings, "warning"))
        if number
    )


def _numbers(report: Report) -> Iterator[str]:
    summary = report.summary
    yield counted(summary.errors, "error")
    yield counted(summary.warnings, "warning")
    yield from [counted(summary.infos, "note")] if summary.infos else ()
    if report.seed is None:
        yield f"{counted(summary.messages, 'message')} in {counted(summary.sessions, 'session')}"
    if summary.tools_listed:
        proven, listed = summary.tools_succeeded, summary.tools_listed
        yield f"{proven:,} of {counted(listed, 'tool')} proven to work"
    if report.tools and summary.tools_succeeded < summary.tools_listed:
        yield f"{summary.tools_listed - summary.tools_succeeded:,} not ({_not_proven(report)})"


def _not_proven(report: Report) -> str:
    idle = sum(tool["status"] == "not_called" for tool in report.tools)
    vain = sum(tool["called"] > 0 and not tool["succeeded"] for tool in report.tools)
    known = ((idle, "not called"), (vain, "never succeeded"))
    return ", ".join(f"{number:,} {words}" for number, words in known if number) or "unknown"


def why(report: Report) -> tuple[str, list[Reason]]:
    """A title and at most three reasons, the gravest first, no two of the same rule."""
    reasons = list(_reasons(report))[:MOST_REASONS]
    if report.summary.outcome == "pass":
        title = "Worth a look" if reasons else "What was found"
    elif report.summary.outcome == "incomplete":
        title = "Why it is not decided"
    else:
        title = "Why not ready" if report.subject.kind == "server" else "What is wrong"
    return title, reasons or [Reason(_counted(report))]


def _reasons(report: Report) -> Iterator[Reason]:
    if report.summary.reason:
        yield Reason(shorten(report.summary.reason, LONGEST_REASON))
    for overdue in report.baseline.overdue[:1] if report.baseline else ():
        words = WHY[overdue.why].format(day=overdue.entry.expires)
        yield Reason(f"Baseline: {overdue.entry.rule} {words}.")
    is_failed = report.summary.outcome == "fail"
    counting = ("error",) if is_failed and _fail_on(report) != "warning" else ("error", "warning")
    gravest = list(_gravest(report.findings, counting))
    for number, finding in gravest:
        yield Reason(shorten(finding.message, LONGEST_REASON), number)
    if is_failed and not gravest and report.options.get("min_tools"):
        yield Reason(_too_few(report))


def _fail_on(report: Report) -> str:
    return str(report.options.get("fail_on") or "error")


def _too_few(report: Report) -> str:
    seen, wanted = report.summary.tools_succeeded, report.options["min_tools"]
    return f"{counted(seen, 'tool')} succeeded; --min-tools {wanted} was asked for."


def _gravest(
    findings: Iterable[Finding], severities: Sequence[str]
) -> Iterator[tuple[int, Finding]]:
    """The first finding of each rule with its number, the gravest severity first."""
    first: dict[tuple[str, str], tuple[int, Finding]] = {}
    for number, finding in enumerate(findings):
        first.setdefault((finding.severity, finding.rule), (number, finding))
    for severity in severities:
        yield from (found for key, found in first.items() if key[0] == severity)


def _counted(report: Report) -> str:
    """What is said where no finding can be: there was none, or none was kept."""
    if faults := _faults(report):
        return f"{faults}: counted, but not kept in this report."
    passed = sum(check.outcome == "passed" for check in report.checks)
    return f"Nothing was found. {counted(passed, 'check')} passed."


def not_shown(report: Report) -> list[Gap]:
    """What a reader could wrongly take for shown."""
    return [*_tools(report), *_branches(report), *_offers(report), *_scope(report), *_rest(report)]


def _tools(report: Report) -> Iterator[Gap]:
    idle: dict[str, list[dict[str, Any]]] = {}
    for tool in report.tools:
        if tool["status"] == "not_called":
            idle.setdefault(tool["reason"], []).append(tool)
    for reason, tools in idle.items():
        words = f"not called: {shorten(reason, LONGEST_GAP)}"
        one = tools[0] if len(tools) == 1 else {**tools[0], "name": "NAME"}
        yield Gap(f"{named(tool['name'] for tool in tools)}: {words}", remedy_for(one, report))
    for status, words in UNSEEN.items():
        if names := [tool["name"] for tool in report.tools if tool["status"] == status]:
            yield Gap(f"{named(names)}: {words}")


def _branches(report: Report) -> Iterator[Gap]:
    """Values and arguments that no successful call has reached."""
    gaps = [
        f"{shorten(tool['name'], LONGEST_NAME)}: {shorten(gap, LONGEST_GAP)}"
        for tool in report.tools
        for gap in tool["coverage"].get("not_reached") or ()
    ]
    yield from map(Gap, gaps[:2])
    if len(gaps) > 2:
        yield Gap(f"{len(gaps) - 2:,} more values or arguments were not reached", "", "tools")


def _offers(report: Report) -> Iterator[Gap]:
    for noun, offers in offers_of(report):
        open_ones = [it for it in offers if it.status in ("not_called", "unproven")]
        if open_ones:
            yield Gap(f"{counted(len(open_ones), noun)} could not be read", "", "offers")


def _scope(report: Report) -> Iterator[Gap]:
    if report.subject.kind != "server":
        yield Gap(NOT_ASKED)
    elif report.seed is None:
        yield Gap(NOT_CALLED, "mcp-assay assess")
    elif not report.summary.tools_listed and report.summary.outcome == "incomplete":
        yield Gap(NOT_LISTED)
    if partial := sum(session.partial for session in report.sessions):
        yield Gap(f"{counted(partial, 'session')} judged in part", "", "sessions")


def _rest(report: Report) -> Iterator[Gap]:
    counts = Counter(check.outcome for check in report.checks)
    told = [f"{counts[one]} {CHECK_WORDS[one]}" for one in OPEN_CHECKS if counts[one]]
    if told:
        yield Gap(f"Checks: {', '.join(told)}", "", "checks")
    if accepted := len(report.baseline.accepted) if report.baseline else 0:
        yield Gap(f"{counted(accepted, 'finding')} that the baseline accepts")
    limits = [limit for limit in report.limits if limit.name != MAX_CALLS]
    for limit in limits[:2]:
        yield Gap(f"Limit {limit.name}: {shorten(limit.effect, LONGEST_GAP)}", "", "limits")
    if len(limits) > 2:
        yield Gap(f"{len(limits) - 2} more limits cut something", "", "limits")


def offers_of(report: Report) -> list[tuple[str, list[Offer]]]:
    """What a server has besides tools, by what one of it is called."""
    return [
        ("resource", report.resources),
        ("template", report.templates),
        ("prompt", report.prompts),
    ]


def named(names: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    all_names = list(names)
    shown = ", ".join(shorten(name, LONGEST_NAME) or "(no name)" for name in all_names[:MOST_NAMED])
    more = len(all_names) - MOST_NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown
