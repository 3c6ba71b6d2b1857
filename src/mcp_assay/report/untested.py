"""What a run did not show, and the exact option that would show it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.judge.coverage import CLIENT_INPUTS
from mcp_assay.model.obstacle import OBSTACLE_REASONS, OBSTACLE_REMEDIES, Obstacle
from mcp_assay.model.report import MAX_CALLS, Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.tool import NotCalled, ToolRow
from mcp_assay.report.tool_table import NAMELESS, ordered_tools
from mcp_assay.spec.uri_templates import variables
from mcp_assay.text.lines import (
    SCREEN,
    Line,
    counted,
    cut,
    indented,
    padded,
    said,
    sentences,
    width,
)
from mcp_assay.text.safe import as_typed, plain, shorten

ALLOW: Final = "--allow {name}"
LONGER: Final = "--max-time {longer:g}"
REMEDIES: Final[Mapping[NotCalled, str]] = {
    NotCalled.NO_HINT: ALLOW,
    NotCalled.NOT_READ_ONLY: ALLOW,
    NotCalled.DESTRUCTIVE: ALLOW,
    NotCalled.CHANGING_NAME: ALLOW,
    NotCalled.MIXED_NAME: ALLOW,
    NotCalled.DENIED: "remove --deny {name}",
    NotCalled.SWITCHED_OFF: "remove --calls none",
    NotCalled.DRY_RUN: "remove --dry-run",
    NotCalled.NOT_CHOSEN: "remove --only",
    NotCalled.NOT_READ: "remove --calls none",
    NotCalled.NOT_READ_DRY: "remove --dry-run",
    NotCalled.READ_TOO_LATE: LONGER,
    NotCalled.UNSTEADY: ALLOW,
    NotCalled.NOT_LISTED_AGAIN: ALLOW,
    NotCalled.GONE: "keep it listed during the run",
    NotCalled.TIME_RAN_OUT: LONGER,
    NotCalled.INTERRUPTED: "let the run finish",
    NotCalled.SERVER_LOST: "--only {name}",
}
"""What has a tool called that was not, or a template read."""
NEEDS_VALUES: Final = (NotCalled.NO_VALUE, NotCalled.VALUES_REFUSED)
"""Why a template was not read that other values would fill in."""
ANY_VALUE: Final = "..."
MOST_SHOWN: Final = 6
MOST_SNIPPETS: Final = 6
MOST_NAMES: Final = 12
"""So many tools are named of which the same is to be said: the table has them all."""
LONGEST_NAME: Final = 60
SUCCEEDED: Final = (Obstacle.SAME_RESULT, Obstacle.ANOTHER_STEP, Obstacle.NO_INFORMATION)
"""What keeps a tool unproven of which calls were answered without an error."""
ARGUMENTS_HELP: Final = "If other arguments work, add them to mcp-assay.toml:"
LONGEST_TEXT: Final = 40
BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def untested(report: Report) -> Iterator[Line]:
    """The tools that were not called or never succeeded, each with what would change that."""
    lines = [
        *_not_called(report),
        *_called_no_more(report),
        *_unanswered(report),
        *_in_vain(report),
        *_unread_templates(report),
        *_over_budget(report),
    ]
    if lines:
        yield said("Not tested, and how to test it:", "strong")
        yield from lines


def _not_called(report: Report) -> Iterator[Line]:
    tools = [tool for tool in ordered_tools(report) if tool.status == "not_called"]
    is_same = len({(tool.reason, remedy_for(tool, report)) for tool in tools}) == 1
    if is_same and len(tools) > 1:
        reason, remedy = tools[0].reason, remedy_for(tools[0], report)
        yield from sentences(f"{len(tools)} tools ({reason}): {remedy}")
        return
    shown = tools if len(tools) <= MOST_SHOWN + 1 else tools[:MOST_SHOWN]
    rows = [(plain(one.name) or NAMELESS, one.reason, remedy_for(one, report)) for one in shown]
    yield from _aligned(rows)
    if len(tools) > len(shown):
        yield from sentences(f"and {len(tools) - len(shown)} more; --calls all calls every tool")


def _aligned(rows: Sequence[tuple[str, str, str]]) -> Iterator[Line]:
    """Names, reasons and remedies in columns; where those do not fit, in sentences."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)] if rows else []
    for name, reason, remedy in rows:
        if sum(widths) + 6 <= SCREEN:
            text = f"{padded(name, widths[0])}  {padded(reason, widths[1])}  {remedy}"
            yield indented(said(text))
        else:
            yield from sentences(f"{cut(name, LONGEST_NAME)} ({reason}): {remedy}")


def _called_no_more(report: Report) -> Iterator[Line]:
    """The tools that changed so that calling them on would need permission."""
    for tool in report.tools:
        if tool.is_withdrawn:
            name = as_typed(tool.name)
            yield from sentences(f"{name} changed during the run and was skipped: --allow {name}")


def remedy_for(tool: ToolRow, report: Report) -> str:
    """The option that would have had a tool called; "" where none is known."""
    return _remedy(tool.reason, report, tool.name)


def would_prove(tool: ToolRow, report: Report) -> str | None:
    """What would show whether a tool works; None where that is shown already, or cannot be."""
    if tool.status == "not_called":
        return remedy_for(tool, report) or None
    obstacle = obstacle_in(tool, report)
    if obstacle is None:
        return None
    wanted = f"Arguments that work: valid of [tools.{_key(tool.name)}] in mcp-assay.toml."
    return OBSTACLE_REMEDIES.get(obstacle, wanted)


def _remedy(reason: str, report: Report, name: str = "") -> str:
    longer = 2 * float(report.options.get("max_time") or 60)
    kind = NotCalled.read(reason)
    words = REMEDIES.get(kind, "") if kind else ""
    return words.format(name=as_typed(name), longer=longer)


def _in_vain(report: Report) -> Iterator[Line]:
    """The tools that never succeeded: why, and what would help; arguments only where they do."""
    by_obstacle: dict[Obstacle, list[str]] = {}
    for tool in ordered_tools(report):
        obstacle = obstacle_in(tool, report)
        if obstacle is not None and not _wanted(tool):
            by_obstacle.setdefault(obstacle, []).append(tool.name)
    for obstacle, names in by_obstacle.items():
        helps = OBSTACLE_REMEDIES.get(obstacle, ARGUMENTS_HELP)
        more = len(names) - MOST_NAMES
        named = names[:MOST_NAMES] if more > 1 else names
        shown = ", ".join(cut(name, LONGEST_NAME) or NAMELESS for name in named)
        shown += f" and {more:,} more" if more > 1 else ""
        verb = "unproven" if obstacle in SUCCEEDED else "never succeeded"
        yield from sentences(f"{shown}: {verb}: {OBSTACLE_REASONS[obstacle]}. {helps}")
        for name in names[:MOST_SNIPPETS] if obstacle not in OBSTACLE_REMEDIES else ():
            for line in snippet(name, report):
                yield indented(said(line), 6)


def obstacle_in(tool: ToolRow, report: Report) -> Obstacle | None:
    """What kept a tool from success; of an older report, as far as its calls tell."""
    if tool.obstacle is not None or tool.status not in ("unproven", "connectivity_only"):
        known = Obstacle.read(tool.obstacle)
        return None if known is Obstacle.BROKEN_DOWN else known
    own = (one for one in report.calls if one.tool == tool.name and one.scenario != COMPARED)
    lacks = tool.status == "connectivity_only" or any(one.trouble == "environment" for one in own)
    return Obstacle.DEPENDENCY if lacks else Obstacle.REJECTED


def _unanswered(report: Report) -> Iterator[Line]:
    """The tools that failed for want of what they ask of their client, and what would answer."""
    for table, words in CLIENT_INPUTS.items():
        tools = [tool for tool in report.tools if not tool.succeeded and table in _wanted(tool)]
        if not tools:
            continue
        names = ", ".join(cut(tool.name, LONGEST_NAME) for tool in tools)
        yield from sentences(
            f"{names}: never succeeded: the client could not provide {words}. "
            "Add an answer to mcp-assay.toml:"
        )
        answer = _wanted(tools[-1])[table]
        for line in table_of(table, answer):
            yield indented(said(line), 6)
        if answer.get("content") == {}:
            yield from sentences("The next run then reports what the content must contain.")


def _wanted(tool: ToolRow) -> Mapping[str, Any]:
    """What the server asked its client for in vain while it worked on a tool."""
    return tool.coverage.asked_of_client


def _unread_templates(report: Report) -> Iterator[Line]:
    """The templates that were not read, with what would fill them in, or let them be read."""
    blank = [one for one in report.templates if NotCalled.read(one.reason) in NEEDS_VALUES]
    for offer in blank[:MOST_SHOWN]:
        name, fields = offer.name or "", variables(offer.uri or "")
        uri = cut(offer.uri or name, LONGEST_NAME)
        yield from sentences(f"{uri} was not read. Add values for it to mcp-assay.toml:")
        values = {field: [ANY_VALUE] for field in fields[:MOST_SHOWN]}
        for line in table_of(f"tools.{_key(name)}", {"values": values}):
            yield indented(said(line), 6)
    if len(blank) > MOST_SHOWN:
        yield from sentences(f"and {len(blank) - MOST_SHOWN} more templates")
    reasons = Counter(one.reason for one in report.templates if _remedy(one.reason, report))
    for reason, number in reasons.items():
        yield from sentences(f"{counted(number, 'template')} ({reason}): {_remedy(reason, report)}")


def _over_budget(report: Report) -> Iterator[Line]:
    """How many calls would have been worth making, where --max-calls left some out."""
    if any(limit.name == MAX_CALLS for limit in report.limits):
        most = 2 * int(report.options.get("max_calls") or 50)
        yield from sentences(f"Some scenarios did not fit into the call budget: --max-calls {most}")


def snippet(tool: str, report: Report) -> list[str]:
    """What to write into mcp-assay.toml: the arguments of a tool, with a placeholder for each."""
    arguments = dict.fromkeys(_argument_names(tool, report)[:MOST_SHOWN], ANY_VALUE)
    return table_of(f"tools.{_key(tool)}", {"valid": [arguments]})


def _argument_names(tool: str, report: Report) -> list[str]:
    """The arguments that a tool requires, else those that it takes; as far as it is known."""
    listed = report.surface.definitions.tools if report.surface else []
    known = (one for one in listed if isinstance(one, dict) and one.get("name") == tool)
    schema = next(known, {}).get("inputSchema")
    if isinstance(schema, dict):
        for key in ("required", "properties"):
            names = schema.get(key)
            if isinstance(names, list | dict) and names:
                return [name for name in names if isinstance(name, str)]
    made = (call.arguments for call in report.calls if call.tool == tool and call.valid)
    return list(next(made, {}))


def table_of(name: str, entry: Mapping[str, Any]) -> list[str]:
    """A table of mcp-assay.toml."""
    return [f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in entry.items())]


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _text(name)


def _toml(value: Any) -> str:
    """A JSON value as TOML on one line; what TOML lacks is left out."""
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {_toml(one)}" for key, one in value.items() if one is not None]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value[:3] if item is not None)}]"
    if isinstance(value, str):
        return _text(shorten(value, LONGEST_TEXT))
    return json.dumps(value)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
