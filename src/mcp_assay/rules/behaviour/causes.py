"""What one fix removes: causes that findings share, and habits of what servers are built with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.call import ToolRun
from mcp_assay.model.finding import Finding
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.text.words import quote

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


def with_causes(findings: Sequence[Finding], framework: Framework | None) -> Iterator[Finding]:
    """The findings of calls, with what one fix removes for several tools, and whose habit it is."""
    tools = {one.where.tool for one in findings if SHARED.get(one.rule) is UNCHECKED}
    for finding in findings:
        is_shared = len(tools) > 1 and SHARED.get(finding.rule) is UNCHECKED
        caused = replace(finding, cause=UNCHECKED) if is_shared else finding
        yield with_habit(_made_by(caused, framework))


def repeats(found: Iterable[tuple[str | None, Mapping[str, Any] | None]]) -> list[dict[str, Any]]:
    """What repeats a fault of each tool, out of the details of its finding, where that is known."""
    known = [(tool, details) for tool, details in found if details and "repeat" in details]
    return [
        {"tool": tool, **{name: its[name] for name in REPEATED if name in its}}
        for tool, its in known[:MOST_REPEATED]
    ]


def _made_by(finding: Finding, framework: Framework | None) -> Finding:
    """The finding with the name of the framework that does it."""
    if framework is None or finding.rule not in framework.habits:
        return finding
    return replace(finding, details={**(finding.details or {}), "framework": framework.name})


def without_habit(finding: Finding) -> str:
    """What a finding says, but for the habit of a framework, which is said of all tools."""
    habit = _habit_of(finding)
    return finding.message.replace(f"; {habit[0]}", "") if habit else finding.message


def _habit_of(finding: Finding) -> tuple[str, str] | None:
    name = (finding.details or {}).get("framework")
    framework = next((one for one in FRAMEWORKS if one.name == name), None)
    return framework.habits.get(finding.rule) if framework else None


def with_habit(finding: Finding) -> Finding:
    """The finding with what is known of the framework that does it, where one does."""
    habit = _habit_of(finding)
    if habit is None:
        return finding
    words, fix = habit
    return replace(finding, message=f"{finding.message.removesuffix('.')}; {words}.", fix=fix)
