"""The first words about a run: the verdict, why, what it does not show, and what was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import failing
from mcp_assay.model.report import MAX_CALLS, CheckOutcome, Offer, Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.footer import CHECK_WORDS, LONGEST_NAME, WHY, overdue_entries
from mcp_assay.report.tool_table import tools_counted, why_in_vain
from mcp_assay.report.untested import remedy_for
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import shorten

Tone: TypeAlias = Literal["bad", "unsure", "good"]

MOST_REASONS: Final = 3
MOST_IN_HEADLINE: Final = 4
LONGEST_REASON: Final = 240
LONGEST_GAP: Final = 160
IN_VAIN: Final = ("connectivity_only", "unproven")
"""The statuses of tools of which nobody knows whether they work."""
OPEN_CHECKS: Final[tuple[CheckOutcome, ...]] = (
    "undecided",
    "not_testable",
    "not_declared",
    "skipped",
)
NOT_ASKED: Final = "No server was contacted: only these messages were checked."
NOT_CALLED: Final = "No tool was called: only the definitions were checked."
NOT_LISTED: Final = "Anything about the tools: they were never listed."


class Headline(Struct, frozen=True):
    """The verdict in words, and the numbers that it rests on."""

    word: str
    tone: Tone
    numbers: list[str]


class HeadlineReason(Struct, frozen=True):
    """One reason for the verdict; where it is a finding, which one."""

    text: str
    finding: int | None = None


class Shortfall(Struct, frozen=True):
    """Something that the report does not show, what would show it, and where more is said."""

    text: str
    remedy: str = ""
    link: str = ""


def verdict(report: Report) -> Headline:
    """The verdict; a pass is good only where nothing was left unseen."""
    return Headline(*_word(report), list(_numbers(report)))


def _word(report: Report) -> tuple[str, Tone]:
    summary = report.summary
    if summary.outcome == "incomplete":
        return "Incomplete", "unsure"
    if summary.outcome == "fail":
        return ("Not ready" if report.subject.kind == "server" else "Problems found"), "bad"
    if report.command == "assess" and summary.tools_listed and not summary.tools_called:
        return "No tool was called", "unsure"
    if words := mostly_unproven(report):
        return f"Passed, but {words}", "unsure"
    is_seen = summary.tools_succeeded == summary.tools_listed
    where = "" if is_seen else " in what was tested"
    if summary.errors or summary.warnings:
        return f"Passed with {_faults(report)}{where}", "unsure"
    is_any = summary.tools_listed if report.subject.kind == "server" else summary.messages
    return f"No problems found{where}", "good" if is_seen and is_any else "unsure"


def mostly_unproven(report: Report) -> str:
    """Where most tools that were called are not proven to work, in words; else nothing."""
    called = [tool for tool in report.tools if tool.status != "not_called"]
    vain = sum(tool.status in IN_VAIN for tool in called)
    if 2 * vain <= len(called):
        return ""
    return f"{vain:,} of {counted(len(called), 'called tool')} unproven"


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
    yield from [stale] if (stale := overdue_entries(report)) else ()
    if report.command != "assess":
        yield f"{counted(summary.messages, 'message')} in {counted(summary.sessions, 'session')}"
    if summary.tools_listed:
        proven, listed = summary.tools_succeeded, tools_counted(report)
        yield f"{proven:,} of {counted(listed, 'tool')} proven to work"
    if report.tools and summary.tools_succeeded < tools_counted(report):
        yield f"{tools_counted(report) - summary.tools_succeeded:,} not ({_not_proven(report)})"
    if summary.score is not None:
        yield f"score {summary.score} of 100"


def _not_proven(report: Report) -> str:
    idle = sum(tool.status == "not_called" for tool in report.tools)
    vain = sum(tool.called > 0 and not tool.succeeded for tool in report.tools)
    known = ((idle, "not called"), (vain, "never succeeded"))
    return ", ".join(f"{number:,} {words}" for number, words in known if number) or "unknown"


def why(report: Report) -> tuple[str, list[HeadlineReason]]:
    """A title and at most three reasons, the gravest first, no two of the same rule."""
    reasons = list(_reasons(report))[:MOST_REASONS]
    if report.summary.outcome == "pass":
        title = "Worth a look" if reasons else "What was found"
    elif report.summary.outcome == "incomplete":
        title = "Why this run is incomplete"
    else:
        title = "Why not ready" if report.subject.kind == "server" else "What is wrong"
    return title, reasons or [HeadlineReason(_counted(report))]


def _reasons(report: Report) -> Iterator[HeadlineReason]:
    if report.summary.reason:
        yield HeadlineReason(shorten(report.summary.reason, LONGEST_REASON))
    for overdue in report.baseline.overdue[:1] if report.baseline else ():
        words = WHY[overdue.why].format(day=overdue.entry.expires)
        yield HeadlineReason(f"Baseline: {overdue.entry.rule} {words}.")
    is_failed = report.summary.outcome == "fail"
    counting = failing(report.options.get("fail_on") if is_failed else "warning")
    gravest = list(_gravest(report.findings, counting))
    for number, finding in gravest:
        yield HeadlineReason(shorten(finding.message, LONGEST_REASON), number)
    if is_failed and not gravest and report.options.get("min_tools"):
        yield HeadlineReason(_too_few(report))


def _too_few(report: Report) -> str:
    seen, wanted = report.summary.tools_succeeded, report.options["min_tools"]
    return f"{counted(seen, 'tool')} succeeded; --min-tools requires {wanted}."


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
        return f"{faults}: counted, but not included in this report."
    passed = sum(check.outcome == "passed" for check in report.checks)
    return f"Nothing was found. {counted(passed, 'check')} passed."


def hints_of(report: Report) -> list[tuple[str, str]]:
    """How many more tools other options would call, and the command for each."""
    world, likely = report.sandbox_hint, report.likely_hint
    hints = []
    if likely is not None:
        tools = counted(likely.tools, "more tool")
        verb = "seems" if likely.tools == 1 else "seem"
        hints.append(
            (f"--calls likely would call {tools} that {verb} to only read", likely.command)
        )
    if world is not None:
        tools = counted(world.tools, "more tool")
        hints.append((f"--sandbox would call {tools} in a disposable world", world.command))
    return hints


def _more_calls(report: Report) -> Iterator[Shortfall]:
    for words, command in hints_of(report):
        yield Shortfall(f"{words}:", command)


def not_shown(report: Report) -> list[Shortfall]:
    """What a reader could wrongly take for shown."""
    return [
        *_more_calls(report),
        *_tools(report),
        *_branches(report),
        *_offers(report),
        *_scope(report),
        *_rest(report),
    ]


def _tools(report: Report) -> Iterator[Shortfall]:
    idle: dict[str, list[ToolRow]] = {}
    for tool in report.tools:
        if tool.status == "not_called":
            idle.setdefault(tool.reason, []).append(tool)
    for reason, tools in idle.items():
        words = f"not called: {shorten(reason, LONGEST_GAP)}"
        one = tools[0] if len(tools) == 1 else replace(tools[0], name="NAME")
        about = named(tool.name for tool in tools)
        yield Shortfall(f"{about}: {words}", remedy_for(one, report))
    in_vain: dict[str, list[str]] = {}
    for tool in report.tools:
        if tool.status in IN_VAIN:
            in_vain.setdefault(why_in_vain(tool), []).append(tool.name)
    for words, names in in_vain.items():
        yield Shortfall(f"{named(names)}: {words}")


def _branches(report: Report) -> Iterator[Shortfall]:
    """Values and arguments that no successful call has reached."""
    gaps = [
        f"{shorten(tool.name, LONGEST_NAME)}: {shorten(gap, LONGEST_GAP)}"
        for tool in report.tools
        for gap in tool.coverage.not_reached
    ]
    yield from map(Shortfall, gaps[:2])
    if len(gaps) > 2:
        yield Shortfall(f"{len(gaps) - 2:,} more values or arguments were not covered", "", "tools")


def _offers(report: Report) -> Iterator[Shortfall]:
    for noun, offers in offers_of(report):
        open_ones = [it for it in offers if it.status in ("not_called", "unproven")]
        if open_ones:
            yield Shortfall(f"{counted(len(open_ones), noun)} could not be read", "", "offers")


def _scope(report: Report) -> Iterator[Shortfall]:
    if report.subject.kind != "server":
        yield Shortfall(NOT_ASKED)
    elif report.command != "assess":
        yield Shortfall(NOT_CALLED, "mcp-assay assess")
    elif not report.summary.tools_listed and report.summary.outcome == "incomplete":
        yield Shortfall(NOT_LISTED)
    if partial := sum(session.partial for session in report.sessions):
        yield Shortfall(f"{counted(partial, 'session')} checked only in part", "", "sessions")


def _rest(report: Report) -> Iterator[Shortfall]:
    counts = Counter(check.outcome for check in report.checks)
    shown_parts = [f"{counts[one]} {CHECK_WORDS[one]}" for one in OPEN_CHECKS if counts[one]]
    if shown_parts:
        yield Shortfall(f"Checks: {', '.join(shown_parts)}", "", "checks")
    if accepted := len(report.baseline.accepted) if report.baseline else 0:
        yield Shortfall(f"{counted(accepted, 'finding')} accepted by the baseline")
    limits = [limit for limit in report.limits if limit.name != MAX_CALLS]
    for limit in limits[:2]:
        yield Shortfall(f"Limit {limit.name}: {shorten(limit.effect, LONGEST_GAP)}", "", "limits")
    if len(limits) > 2:
        yield Shortfall(f"{len(limits) - 2} more limits were reached", "", "limits")


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
    shown = ", ".join(
        shorten(name, LONGEST_NAME) or "(no name)" for name in all_names[:MOST_IN_HEADLINE]
    )
    more = len(all_names) - MOST_IN_HEADLINE
    return f"{shown} and {more:,} more" if more > 0 else shown
