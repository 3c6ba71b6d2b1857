"""What a run did not show, and the exact option that would show it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.model.report import Report
from mcp_assay.report.columns import cut, labelled, padded, sentences, width
from mcp_assay.report.lines import Line, indented, said
from mcp_assay.report.plain import shorten
from mcp_assay.rules.behaviour.coverage import OVER_BUDGET

REMEDIES: Final = (
    ("no readOnlyHint", "--allow {name}"),
    ("destructiveHint", "--allow {name}"),
    ("its name says", "--allow {name}"),
    ("left out by --deny", "leave out --deny {name}"),
    ("calls are switched off", "leave out --calls none"),
    ("nothing is called in a dry run", "leave out --dry-run"),
    ("left out by --only", "leave out --only"),
    ("time ran out before", "--max-time {longer:g}"),
    ("the run was interrupted before", "let it run to its end"),
    ("the server was gone before", "--only {name}"),
)
"""How the reason begins why a tool was not called, and what changes it."""
MOST_SHOWN: Final = 6
LONGEST_NAME: Final = 26
LONGEST_REASON: Final = 30
LONGEST_TEXT: Final = 40
BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def untested(report: Report) -> Iterator[Line]:
    """The tools that were not called or never succeeded, each with what would change that."""
    lines = [*_not_called(report), *_unproven(report), *_over_budget(report)]
    if lines:
        yield said("Not tested, and what would test it:", "strong")
        yield from lines


def _not_called(report: Report) -> Iterator[Line]:
    tools = [tool for tool in report.tools if tool["status"] == "not_called"]
    if len({remedy_for(tool, report) for tool in tools}) == 1 < len(tools):
        reason, remedy = tools[0]["reason"], remedy_for(tools[0], report)
        yield from sentences(f"{len(tools)} tools ({reason}): {remedy}")
        return
    rows = [
        (
            cut(tool["name"], LONGEST_NAME),
            cut(tool["reason"], LONGEST_REASON),
            remedy_for(tool, report),
        )
        for tool in tools[:MOST_SHOWN]
    ]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)] if rows else []
    for name, reason, remedy in rows:
        yield indented(said(f"{padded(name, widths[0])}  {padded(reason, widths[1])}  {remedy}"))
    if len(tools) > MOST_SHOWN:
        yield from sentences(f"and {len(tools) - MOST_SHOWN} more; --calls all calls every tool")


def remedy_for(tool: Mapping[str, Any], report: Report) -> str:
    """The option that would have had a tool called; "" where none is known."""
    reason, longer = str(tool["reason"]), 2 * float(report.options.get("max_time") or 60)
    known = (words for start, words in REMEDIES if reason.startswith(start))
    return next(known, "").format(name=shlex.quote(tool["name"]), longer=longer)


def _unproven(report: Report) -> Iterator[Line]:
    """The tools that refused every valid call, with a beginning of what to write down."""
    tools = [tool for tool in report.tools if tool["status"] == "unproven"]
    for tool in tools[:MOST_SHOWN]:
        name = cut(tool["name"] or "(no name)", LONGEST_NAME)
        yield from sentences(
            f"{name} never succeeded. Put arguments that it takes into mcp-assay.toml:"
        )
        for line in snippet(tool["name"], report.calls):
            yield indented(said(line), 6)
    if len(tools) > MOST_SHOWN:
        rest = ", ".join(
            cut(tool["name"], LONGEST_NAME) for tool in tools[MOST_SHOWN:][:MOST_SHOWN]
        )
        yield from labelled("also", rest)


def _over_budget(report: Report) -> Iterator[Line]:
    """How many calls would have been worth making, where --max-calls left some out."""
    gaps = [gap for tool in report.tools for gap in tool["coverage"].get("not_reached") or ()]
    if any(OVER_BUDGET in gap for gap in gaps):
        most = 2 * int(report.options.get("max_calls") or 50)
        yield from sentences(f"scenarios beyond the budget of calls: --max-calls {most}")


def snippet(tool: str, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """What to write into mcp-assay.toml, from the first valid call that was made of a tool."""
    made = (call["arguments"] for call in calls if call["tool"] == tool and call["valid"])
    return [f"[tools.{_key(tool)}]", f"valid = [{_toml(next(made, {}))}]"]


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
