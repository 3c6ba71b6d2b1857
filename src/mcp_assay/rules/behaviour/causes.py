"""What one fix removes: causes that findings share, and faults that all tools of a server show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.call import ToolRun
from mcp_assay.model.finding import MOST_EXAMPLES, NOWHERE, Finding
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.rules.engine.findings import fingerprint
from mcp_assay.text.words import MOST_NAMED, quote

UNCHECKED: Final = "arguments are not checked against the inputSchema"
LISTED: Final = "the listed values are not those that are taken"
SHARED: Final[Mapping[str, str]] = {
    "CALL-007": UNCHECKED,
    "DRIFT-002": UNCHECKED,
    "DRIFT-003": UNCHECKED,
    "DRIFT-004": UNCHECKED,
    "DRIFT-005": UNCHECKED,
    "DRIFT-007": UNCHECKED,
    "DRIFT-001": LISTED,
    "DRIFT-006": LISTED,
}
"""The cause of the faults that have it in common with others; every other rule is its own."""

NULL_DEFAULT: Final = "TOOL-015 null"
"""The sort of fault that frameworks make for every optional argument of a server."""
FOLDED: Final[Mapping[str, str]] = {
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
"""The faults that are reported once where several tools show them, and what is said of them."""
SEVERAL: Final = "several tools"
REPEATED: Final = ("smallest", "repeat")
"""The details that repeat a fault: the arguments of the one call that shows it, and a command."""
MOST_REPEATED: Final = 50
"""For so many tools it is said how a fault that they share is repeated."""
MOST_READ: Final = 4_096
"""Characters of a refusal that are searched for the words of a framework."""


class Framework(Struct, frozen=True):
    """What servers are built with: words by which its refusals are known, and what it does."""

    name: str
    words: re.Pattern[str]
    habits: Mapping[str, tuple[str, str]]
    """By rule: what it does to arguments, and what to do about that."""


FRAMEWORKS: Final = (
    Framework(
        "FastMCP",
        re.compile(r"\b[0-9]{1,6} validation errors? for call\["),
        {
            "DRIFT-003": (
                "FastMCP converts arguments before a tool sees them",
                "Create the server with FastMCP(name, strict_input_validation=True).",
            )
        },
    ),
    Framework(
        "the Python SDK",
        re.compile(r"\b[0-9]{1,6} validation errors? for \w{1,200}Arguments\b"),
        {
            "DRIFT-003": (
                "the Python SDK converts arguments before a tool sees them",
                "Give arguments strict types, such as Annotated[int, Field(strict=True)].",
            )
        },
    ),
)
"""Frameworks that treat the arguments of all tools in the same way; seen with FastMCP 4.1 and mcp
2.3."""


def cause_of(rule: str, tool: str, pointer: str) -> str:
    """What a fix must remove: a cause that a tool has, for all its arguments or for one."""
    cause = SHARED.get(rule, rule)
    place = f"{quote(tool)} {pointer}" if cause is LISTED else quote(tool)
    return f"{cause}: {place}"


def framework_of(tool_runs: Iterable[ToolRun]) -> Framework | None:
    """What a server is built with, as far as its refusals show it."""
    texts = [
        text[:MOST_READ]
        for tool_run in tool_runs
        for call in tool_run.calls
        for text in texts_of(call.answer.result)[:1]
        if call.answer.result.get("isError") is True
    ]
    known = (one for one in FRAMEWORKS if any(one.words.search(text) for text in texts))
    return next(known, None)


def reported_once(findings: Sequence[Finding], framework: Framework | None) -> Iterator[Finding]:
    """The findings of calls, with one for what several tools do in the same way."""
    tools = {one.where.tool for one in findings if SHARED.get(one.rule) is UNCHECKED}
    for finding in folded(findings):
        is_shared = len(tools) > 1 and SHARED.get(finding.rule) is UNCHECKED
        yield _with_habit(replace(finding, cause=UNCHECKED) if is_shared else finding, framework)


def folded(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, those of the same fault of several tools as one."""
    by_sort: dict[str, list[Finding]] = {sort: [] for sort in FOLDED}
    for finding in findings:
        by_sort.get(_sort_of(finding), []).append(finding)
    for finding in findings:
        same = by_sort.get(_sort_of(finding), [])
        if len({one.where.tool for one in same}) < 2:
            yield finding
        elif finding is same[0]:
            yield _together(same)


def _sort_of(finding: Finding) -> str:
    """What findings have in common that are reported as one."""
    is_default = finding.rule == "TOOL-015" and finding.pointer.endswith("/default")
    return NULL_DEFAULT if is_default and finding.evidence == "null" else finding.rule


def _together(same: Sequence[Finding]) -> Finding:
    """One finding for the same fault of several tools."""
    first, sort = same[0], _sort_of(same[0])
    names = list(dict.fromkeys(str(one.where.tool) for one in same))
    details = {**(first.details or {}), "tools": names}
    if known := repeats((one.where.tool, one.details) for one in same):
        details["repeats"] = known
    named = ", ".join(map(quote, names[:MOST_NAMED]))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    key = sort.replace(first.rule, SEVERAL)
    return replace(
        first,
        message=f"{len(names)} tools {FOLDED[sort]}: {named}{more}.",
        pointer="",
        where=NOWHERE,
        cause=sort,
        details=details,
        count=len(same),
        examples=[one.where for one in same[:MOST_EXAMPLES]],
        fingerprint=fingerprint(first.rule, first.subject, "", "", key),
    )


def repeats(found: Iterable[tuple[str | None, Mapping[str, Any] | None]]) -> list[dict[str, Any]]:
    """What repeats a fault of each tool, out of the details of its finding, where that is known."""
    known = [(tool, details) for tool, details in found if details and "repeat" in details]
    return [
        {"tool": tool, **{name: its[name] for name in REPEATED if name in its}}
        for tool, its in known[:MOST_REPEATED]
    ]


def _with_habit(finding: Finding, framework: Framework | None) -> Finding:
    """The finding with what is known of the framework that does it."""
    if framework is None or finding.rule not in framework.habits:
        return finding
    words, fix = framework.habits[finding.rule]
    message = f"{finding.message.removesuffix('.')}; {words}."
    details = {**(finding.details or {}), "framework": framework.name}
    return replace(finding, message=message, details=details, fix=fix)
