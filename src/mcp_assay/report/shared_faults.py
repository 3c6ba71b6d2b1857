"""A fault that several tools share, as one finding for people; files keep one for each tool."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.model.finding import MOST_EXAMPLES, NOWHERE, Finding
from mcp_assay.model.report import Report
from mcp_assay.report.library_findings import own_first
from mcp_assay.rules.behaviour.causes import repeats, with_habit, without_habit
from mcp_assay.rules.engine.findings import fingerprint
from mcp_assay.text.words import MOST_NAMED, quote

NULL_DEFAULT: Final = "TOOL-015 null"
"""The sort of fault that frameworks make for every optional argument of a server."""
SAID_TOGETHER: Final[Mapping[str, str]] = {
    "CALL-007": "accept invalid arguments",
    "DRIFT-002": "accept values outside their enums",
    "DRIFT-003": "accept values of the wrong type",
    "DRIFT-004": "accept calls without required arguments",
    "DRIFT-005": "accept values outside their schema limits",
    "DRIFT-007": "accept unknown arguments",
    "LEAK-001": "return stack traces",
    "LEAK-002": "expose local file paths",
    "RESP-003": "reported errors without setting isError",
    "RESP-007": "failed because a dependency was unavailable",
    NULL_DEFAULT: "have arguments that default to null but do not allow null",
    "TOOL-019": "take no arguments but do not set additionalProperties: false",
}
"""What is said of several tools that have a fault, where each has words of its own for it."""
SEVERAL: Final = "several tools"
MOST_OWN_WORDS: Final = 100
"""So many different things are said of the tools that share a fault."""


def for_people(report: Report) -> Report:
    """The report with one finding for each fault that several tools share, the author's first."""
    return replace(report, findings=list(own_first(list(folded(report.findings)))))


def folded(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, those of the same fault of several tools as one."""
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_fault_of(finding), []).append(finding)
    for finding in findings:
        same = groups[_fault_of(finding)]
        if len({one.where.tool for one in same}) < 2:
            yield finding
        elif finding is same[0]:
            yield _together(same)


def _fault_of(finding: Finding) -> Hashable:
    """What findings of different tools have in common that people read as one."""
    if (sort := _sort_of(finding)) in SAID_TOGETHER:
        return sort, finding.severity
    if finding.where.tool is None:
        return finding.fingerprint
    about = finding.rule, finding.severity, finding.subject
    return *about, finding.pointer, finding.message, finding.fix


def _sort_of(finding: Finding) -> str:
    is_default = finding.rule == "TOOL-015" and finding.pointer.endswith("/default")
    return NULL_DEFAULT if is_default and finding.evidence == "null" else finding.rule


def _together(same: Sequence[Finding]) -> Finding:
    """One finding for the same fault of several tools."""
    first, sort = same[0], _sort_of(same[0])
    names = list(dict.fromkeys(one.where.tool or "" for one in same))
    details = {**(first.details or {}), "tools": names}
    if known := repeats((one.where.tool, one.details) for one in same):
        details["repeats"] = known
    is_counted = sort in SAID_TOGETHER
    if is_counted and len(words := own_words(same)) > 1:
        details["each"] = words[:MOST_OWN_WORDS]
    key = f"{SEVERAL} {sort}"
    together = replace(
        first,
        message=_sentence(first.message, sort, names),
        pointer="" if is_counted else first.pointer,
        where=NOWHERE,
        cause=sort if is_counted else first.rule,
        details=details,
        count=sum(one.count for one in same),
        examples=[one.where for one in same[:MOST_EXAMPLES]],
        fingerprint=fingerprint(first.rule, first.subject, "", first.pointer, key),
    )
    return with_habit(together) if is_counted else together


def own_words(same: Sequence[Finding]) -> list[dict[str, Any]]:
    """What is said of each tool and what to do there, once for tools of which it is the same."""
    groups: dict[Hashable, list[Finding]] = {}
    for one in same:
        groups.setdefault(_without_tool(one), []).append(one)
    shared = {one.fix for one in same if one.fix}
    return [
        {
            "tools": list(dict.fromkeys(it.where.tool or "" for it in group)),
            "message": without_habit(group[0]),
            **({"fix": group[0].fix} if group[0].fix and len(shared) > 1 else {}),
        }
        for group in groups.values()
    ]


def _without_tool(finding: Finding) -> Hashable:
    """A finding's words as they are for every tool."""
    name = quote(finding.where.tool or "")
    return finding.message.replace(name, ""), (finding.fix or "").replace(name, "")


def _sentence(message: str, sort: str, names: Sequence[str]) -> str:
    named = ", ".join(map(quote, names[:MOST_NAMED]))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    if sort in SAID_TOGETHER:
        return f"{len(names)} tools {SAID_TOGETHER[sort]}: {named}{more}."
    return f"{message} Seen in {len(names)} tools: {named}{more}."
