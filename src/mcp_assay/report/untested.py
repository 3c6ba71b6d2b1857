"""What a run did not show, and the exact option that would show it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.judge.reached import NO_SURROUNDINGS, WISHES
from mcp_assay.model.report import Report
from mcp_assay.report.columns import cut, labelled, padded, sentences, width
from mcp_assay.report.lines import Line, counted, indented, said
from mcp_assay.report.plain import as_typed, shorten
from mcp_assay.rules.behaviour.coverage import CALLED_NO_MORE, OVER_BUDGET
from mcp_assay.rules.probes.templates import variables

REMEDIES: Final = (
    ("no readOnlyHint", "--allow {name}"),
    ("destructiveHint", "--allow {name}"),
    ("its name says", "--allow {name}"),
    ("its name mixes alphabets", "--allow {name}"),
    ("left out by --deny", "leave out --deny {name}"),
    ("calls are switched off", "leave out --calls none"),
    ("nothing is called in a dry run", "leave out --dry-run"),
    ("left out by --only", "leave out --only"),
    ("left out by --calls none", "leave out --calls none"),
    ("left out by --dry-run", "leave out --dry-run"),
    ("reading took as much of --max-time", "--max-time {longer:g}"),
    ("the tools change too often", "--allow {name}"),
    ("not listed again", "--allow {name}"),
    ("no longer listed", "list it as long as it is assessed"),
    ("time ran out before", "--max-time {longer:g}"),
    ("the run was interrupted before", "let it run to its end"),
    ("the server was gone before", "--only {name}"),
)
"""How the reason begins why a tool was not called or a template not read, and what changes it."""
NEEDS_VALUES: Final = ("no value is known", "it refused the values that were tried")
"""How the reason begins why a template was not read that other values would fill in."""
ANY_VALUE: Final = "..."
MOST_SHOWN: Final = 6
LONGEST_NAME: Final = 26
LONGEST_REASON: Final = 30
LONGEST_TEXT: Final = 40
BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def untested(report: Report) -> Iterator[Line]:
    """The tools that were not called or never succeeded, each with what would change that."""
    lines = [
        *_not_called(report),
        *_called_no_more(report),
        *_unanswered(report),
        *_unproven(report),
        *_adrift(report),
        *_unread_templates(report),
        *_over_budget(report),
    ]
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


def _called_no_more(report: Report) -> Iterator[Line]:
    """The tools that changed so that calling them on would need permission."""
    for tool in report.tools:
        gaps = tool["coverage"].get("not_reached") or ()
        if tool["status"] != "not_called" and any(CALLED_NO_MORE in gap for gap in gaps):
            name = as_typed(tool["name"])
            yield from sentences(
                f"{name} changed during the run, and was left alone: --allow {name}"
            )


def remedy_for(tool: Mapping[str, Any], report: Report) -> str:
    """The option that would have had a tool called; "" where none is known."""
    return _remedy(str(tool["reason"]), report, tool["name"])


def _remedy(reason: str, report: Report, name: str = "") -> str:
    longer = 2 * float(report.options.get("max_time") or 60)
    known = (words for start, words in REMEDIES if reason.startswith(start))
    return next(known, "").format(name=as_typed(name), longer=longer)


def _unproven(report: Report) -> Iterator[Line]:
    """The tools that refused every valid call, with a beginning of what to write down."""
    tools = [
        tool
        for tool in report.tools
        if tool["status"] == "unproven" and not _wanted(tool) and not _is_adrift(tool)
    ]
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


def _adrift(report: Report) -> Iterator[Line]:
    """The tools that could not reach what they need, and what would help them."""
    names = [cut(tool["name"], LONGEST_NAME) for tool in report.tools if _is_adrift(tool)]
    if names:
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        yield from sentences(
            f"{', '.join(names[:MOST_SHOWN])}{more}: never succeeded, as what they need failed. "
            "Give the server network, programs and keys (--env), or arguments that lead to what "
            "there is, under [tools.NAME] valid in mcp-assay.toml."
        )


def _is_adrift(tool: Mapping[str, Any]) -> bool:
    return NO_SURROUNDINGS in (tool["coverage"].get("not_reached") or ())


def _unanswered(report: Report) -> Iterator[Line]:
    """The tools that failed for want of what they ask of their client, and what would answer."""
    for table, wish in WISHES.items():
        tools = [tool for tool in report.tools if not tool["succeeded"] and table in _wanted(tool)]
        if not tools:
            continue
        names = ", ".join(cut(tool["name"], LONGEST_NAME) for tool in tools[:MOST_SHOWN])
        yield from sentences(
            f"{names}: never succeeded, for want of {wish}. Give an answer in mcp-assay.toml:"
        )
        answer = _wanted(tools[-1])[table]
        for line in table_of(table, answer):
            yield indented(said(line), 6)
        if answer.get("content") == {}:
            yield from sentences("The next run then says what the content must be.")


def _wanted(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the server asked its client for in vain while it worked on a tool."""
    wanted: Mapping[str, Any] = tool["coverage"].get("asked_of_client") or {}
    return wanted


def _unread_templates(report: Report) -> Iterator[Line]:
    """The templates that were not read, with what would fill them in, or let them be read."""
    blank = [one for one in report.templates if one.reason.startswith(NEEDS_VALUES)]
    for offer in blank[:MOST_SHOWN]:
        name, fields = offer.name or "", variables(offer.uri or "")
        uri = cut(offer.uri or name, LONGEST_NAME)
        yield from sentences(f"{uri} was not read. Put values for it into mcp-assay.toml:")
        values = {field: [ANY_VALUE] for field in fields[:MOST_SHOWN]}
        for line in table_of(f"tools.{_key(name)}", {"values": values}):
            yield indented(said(line), 6)
    if len(blank) > MOST_SHOWN:
        yield from sentences(f"and {len(blank) - MOST_SHOWN} more templates in the same way")
    reasons = Counter(one.reason for one in report.templates if _remedy(one.reason, report))
    for reason, number in reasons.items():
        yield from sentences(f"{counted(number, 'template')} ({reason}): {_remedy(reason, report)}")


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
