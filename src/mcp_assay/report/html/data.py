"""What the script of the HTML report shows on demand, as JSON that no page can take for markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.report import Report
from mcp_assay.model.tool import CallRow
from mcp_assay.report.as_json import json_line
from mcp_assay.report.declared_behaviour import definitions
from mcp_assay.report.html.tables import tool_names
from mcp_assay.text.safe import HIDDEN

ROOM_OF_LISTS: Final = 2_000_000
ROOM_OF_FINDINGS: Final = 8_000_000
ROOM_OF_CALLS: Final = 3_500_000
"""Bytes; what one part does not need, the next may use. A huge report must open, too."""
LARGEST: Final = 13_800_000
"""Bytes of all data together."""
LONGEST_TEXT: Final = 8_000
"""Characters of one text."""
CUT: Final = "… [truncated; see the JSON report]"
OF_THE_RULE: Final = ("name", "statement", "url")
"""What all findings of a rule have in common, and so is reported once."""
SHOWN_ELSEWHERE: Final = ("clients", "repeats")
"""The details that the page tells with the rule, or by the example of one tool."""
LONG: Final = ("raw", "curl")
"""The details of a finding that say in many words what others say, too."""
SAMPLE: Final = 100
"""So many findings tell how long the others will be."""
MARKUP: Final = {b"<": b"\\u003c", b">": b"\\u003e", b"&": b"\\u0026"}


class Shown(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A finding as the page has it: without what its rule says, and what it does not have."""

    rule: str
    severity: str
    message: str
    where: Where
    cause: str
    fingerprint: str
    subject: str | None = None
    pointer: str = ""
    details: dict[str, Any] = {}
    evidence: str | None = None
    fix: str | None = None
    count: int = 1
    examples: list[Where] = []


class DataBudget:
    """Takes values while there is room for them."""

    def __init__(self, share: float) -> None:
        self._share: Final = share
        self._left = 0

    def grow(self, bytes: int) -> None:
        """Make more room, or as much of it as there may be."""
        self._left += int(self._share * bytes)

    def give_back(self, pieces: Iterable[bytes]) -> None:
        """Have the room again that these pieces took."""
        self._left += sum(map(_size, pieces))

    def take(self, value: object) -> bytes | None:
        """The value as JSON, or None where there is no room for it."""
        piece = _encoded(value)
        if len(piece) > LONGEST_TEXT:
            piece = _encoded(_short(value))
        if _size(piece) > self._left:
            return None
        self._left -= _size(piece)
        return piece

    def take_all(self, values: Iterable[object]) -> list[bytes]:
        """The first values as JSON, as many as there is room for."""
        taken: list[bytes] = []
        for value in values:
            piece = self.take(value)
            if piece is None:
                break
            taken.append(piece)
        return taken


def page_data(report: Report, share: float = 1.0) -> str:
    """The data of the page; what there is no room for is counted in it.

    Escapes can make it longer than it was measured: then there is less room for all.
    """
    pieces: list[bytes] = []
    for name, members in _parts(report, share):
        pieces += (b'"%s":[' % name.encode(), b",".join(members), b"],")
    pieces[-1] = b"]}"
    written = page_json(b"".join((b"{", *pieces)))
    size = len(written) if written.isascii() else len(written.encode())
    if size <= LARGEST:
        return written
    return page_data(report, 0.9 * share * LARGEST / size)


def _parts(report: Report, share: float) -> Iterator[tuple[str, list[bytes]]]:
    """Each list of the page with its members as JSON."""
    room, lists = DataBudget(share), _lists(report)
    room.grow(ROOM_OF_LISTS)
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
        "hidden": hidden_characters(),
        "rules": _rules(report.findings),
        "left_out": {**left_out, "answers": silent},
    }
    yield from parts.items()
    yield "facts", [_encoded(facts)]


def page_json(document: bytes) -> str:
    """JSON that cannot end the element it stands in, nor be taken for markup, nor be obeyed."""
    for character, escape in MARKUP.items():
        document = document.replace(character, escape)
    return json_line(msgspec.Raw(document))


def _encoded(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate: whoever writes JSON for people knows what to do
        return json_line(value).strip().encode()


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


def _findings(room: DataBudget, findings: Sequence[Finding]) -> list[bytes]:
    """The findings; where not all have room, those of their details are left out that are long."""
    taken = [] if _are_many(findings) else room.take_all(map(_whole, findings))
    if len(taken) == len(findings):
        return taken
    room.give_back(taken)
    return room.take_all(map(_brief, findings))


def _are_many(findings: Sequence[Finding]) -> bool:
    """Whether findings like the first ones have no room, so that trying is in vain."""
    first = [_size(_encoded(_whole(one))) for one in findings[:SAMPLE]]
    return sum(first) * len(findings) > ROOM_OF_FINDINGS * len(first)


def _whole(finding: Finding) -> Shown:
    return _shown(finding, SHOWN_ELSEWHERE)


def _brief(finding: Finding) -> Shown:
    return _shown(finding, (*SHOWN_ELSEWHERE, *LONG))


def _shown(finding: Finding, left_out: Collection[str]) -> Shown:
    known = finding.details or {}
    return Shown(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        where=finding.where,
        cause=finding.cause,
        fingerprint=finding.fingerprint,
        subject=finding.subject,
        pointer=finding.pointer,
        details={name: known[name] for name in known if name not in left_out},
        evidence=finding.evidence,
        fix=finding.fix,
        count=finding.count,
        examples=finding.examples,
    )


def _rules(findings: Iterable[Finding]) -> dict[str, Any]:
    """What is the same for all findings of a rule."""
    found: dict[str, Any] = {}
    for one in findings:
        if one.rule not in found:
            found[one.rule] = {name: getattr(one, name) for name in OF_THE_RULE}
            found[one.rule]["clients"] = (one.details or {}).get("clients")
    return found


def _calls(
    room: DataBudget, calls: Sequence[CallRow], shown: set[int | None]
) -> tuple[list[bytes], int]:
    """The calls, and how many are without their answers: those of findings are needed most."""
    taken = room.take_all(calls)
    if len(taken) == len(calls):
        return taken, 0
    room.give_back(taken)
    taken = room.take_all(replace(call, answer=None) for call in calls)
    silent = 0
    for number in sorted(range(len(taken)), key=lambda n: calls[n].number not in shown):
        whole = room.take(calls[number])
        if whole is None:
            silent += calls[number].answer is not None
        else:
            room.give_back([taken[number]])
            taken[number] = whole
    return taken, silent


def _size(piece: bytes) -> int:
    """The bytes of a piece, with the comma behind it."""
    return len(piece) + 1


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


def hidden_characters() -> str:
    """The characters that are shown as their codes, as a class of a regular expression."""
    ranges = (f"\\u{{{ord(first):x}}}-\\u{{{ord(last):x}}}" for first, last in HIDDEN)
    return "".join(ranges)
