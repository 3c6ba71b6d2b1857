"""What the script of the HTML report shows on demand, as JSON that no page can take for markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_line
from mcp_assay.report.claims import definitions
from mcp_assay.report.html.tables import tool_names
from mcp_assay.report.plain import HIDDEN

ROOM_OF_LISTS: Final = 2_000_000
ROOM_OF_FINDINGS: Final = 8_000_000
ROOM_OF_CALLS: Final = 3_500_000
"""Bytes; what one part does not need, the next may use. A huge report must open, too."""
LONGEST_TEXT: Final = 16_000
"""Characters of one text."""
CUT: Final = "… [cut here; the JSON report has it all]"
OF_THE_RULE: Final = ("name", "statement", "url")
"""What all findings of a rule have in common, and so is told once."""
OF_A_FINDING: Final = tuple(
    name for name in Finding.__struct_fields__ if name not in (*OF_THE_RULE, "reason", "revision")
)
LONG: Final = ("raw", "curl")
"""The details of a finding that say in many words what others say, too."""
ABSENT: Final[tuple[object, ...]] = (None, "", [], {})
MARKUP: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class Room:
    """Takes values while there is room for them."""

    def __init__(self) -> None:
        self._left = 0

    def grow(self, bytes: int) -> None:
        """Make more room."""
        self._left += bytes

    def take(self, value: object) -> str | None:
        """The value as JSON, or None where there is no room for it."""
        piece = safe_json(value)
        if len(piece) > LONGEST_TEXT:
            piece = safe_json(_short(value))
        size = _size(piece)
        if size > self._left:
            return None
        self._left -= size
        return piece

    def take_all(self, values: Iterable[object]) -> list[str]:
        """The first values as JSON, as many as there is room for."""
        taken: list[str] = []
        for value in values:
            piece = self.take(value)
            if piece is None:
                break
            taken.append(piece)
        return taken


def page_data(report: Report) -> str:
    """The data of the page; what there is no room for is counted in it."""
    room = Room()
    room.grow(ROOM_OF_LISTS)
    lists = _lists(report)
    parts = {name: room.take_all(values) for name, values in lists.items()}
    room.grow(ROOM_OF_FINDINGS)
    parts["findings"] = _findings(room, report.findings)
    room.grow(ROOM_OF_CALLS)
    shown = {finding.where.call for finding in report.findings[: len(parts["findings"])]}
    parts["calls"], silent = _calls(room, report.calls, shown)
    whole = {**lists, "findings": report.findings, "calls": report.calls}
    left_out = {name: len(values) - len(parts[name]) for name, values in whole.items()}
    left_out["messages"] += report.timing.messages_left_out
    facts = {
        "kind": report.subject.kind,
        "hidden": _hidden_characters(),
        "rules": _rules(report.findings),
        "left_out": {**left_out, "answers": silent},
    }
    members = [f'"{name}":[{",".join(pieces)}]' for name, pieces in parts.items()]
    return f"{{{','.join(members)},{safe_json(facts)[1:]}"


def safe_json(value: object) -> str:
    """A value as JSON that cannot end the element it stands in, nor be taken for markup."""
    piece = json_line(value).rstrip("\n")
    for character, escape in MARKUP.items():
        piece = piece.replace(character, escape)
    return piece


def _lists(report: Report) -> dict[str, Sequence[Any]]:
    return {
        "tools": tool_names(report),
        "limits": report.limits,
        "checks": report.checks,
        "causes": report.causes,
        "sessions": report.sessions,
        "messages": [msgspec.structs.astuple(one) for one in report.timing.messages],
        "definitions": list(definitions(report).values()),
    }


def _findings(room: Room, findings: Sequence[Finding]) -> list[str]:
    """The findings; where not all have room, those of their details are left out that are long."""
    taken = room.take_all(_finding(one, ("clients",)) for one in findings)
    if len(taken) == len(findings):
        return taken
    room.grow(sum(map(_size, taken)))
    return room.take_all(_finding(one, ("clients", *LONG)) for one in findings)


def _finding(finding: Finding, left_out: Collection[str]) -> dict[str, Any]:
    """A finding without what its rule says, and without what it does not have."""
    told = {name: getattr(finding, name) for name in OF_A_FINDING}
    if finding.details:
        told["details"] = {
            name: value for name, value in finding.details.items() if name not in left_out
        }
    return {name: value for name, value in told.items() if value not in ABSENT}


def _rules(findings: Iterable[Finding]) -> dict[str, Any]:
    """What is the same for all findings of a rule."""
    found: dict[str, Any] = {}
    for one in findings:
        if one.rule not in found:
            found[one.rule] = {name: getattr(one, name) for name in OF_THE_RULE}
            found[one.rule]["clients"] = (one.details or {}).get("clients")
    return found


def _calls(
    room: Room, calls: Sequence[dict[str, Any]], shown: set[int | None]
) -> tuple[list[str], int]:
    """The calls, and how many are without their answers: those of findings are needed most."""
    taken = room.take_all({**call, "answer": None} for call in calls)
    silent = 0
    for number in sorted(range(len(taken)), key=lambda n: calls[n]["number"] not in shown):
        if calls[number]["answer"] is None:
            continue
        whole = room.take(calls[number])
        if whole is None:
            silent += 1
        else:
            room.grow(_size(taken[number]))
            taken[number] = whole
    return taken, silent


def _size(piece: str) -> int:
    """The bytes of a piece, with the comma behind it."""
    return 1 + (len(piece) if piece.isascii() else len(piece.encode()))


def _short(value: Any) -> Any:
    """The value with every text cut that nobody could read in a page."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + CUT
    if isinstance(value, msgspec.Struct):
        return _short(msgspec.to_builtins(value))
    if isinstance(value, Mapping):
        return {_short(name): _short(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_short(item) for item in value]
    return value


def _hidden_characters() -> str:
    """The characters that are shown as their codes, as a class of a regular expression."""
    ranges = (f"\\u{{{ord(first):x}}}-\\u{{{ord(last):x}}}" for first, last in HIDDEN)
    return "".join(ranges)
