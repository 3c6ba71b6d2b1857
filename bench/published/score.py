"""Reports on published servers, compared with what readers say about their tools."""

from __future__ import annotations

import csv
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from bench.bars import Bar
from bench.published.labels import NEVER_WORKS, Label, Labels

PROVEN: Final = frozenset({"fully_working", "partially_working"})
HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class Share(NamedTuple):
    """So many of so many."""

    counted: int
    of: int

    @property
    def percent(self) -> float:
        """The share in percent; nothing of nothing is all."""
        return 100 * self.counted / self.of if self.of else 100.0

    def __str__(self) -> str:
        return f"{self.counted} of {self.of} ({self.percent:.1f} %)"


class ToolRow(NamedTuple):
    """One tool: what a reader says about it, and what two runs did with it."""

    server: str
    tool: str
    label: Label
    has_hints: bool
    status: str
    """After a run in a world in which every tool may be called; "" where it was not listed."""
    is_called: bool
    is_called_by_likely: bool | None = None
    """None where that run was not made."""
    changes: tuple[str, ...] = ()
    """What was changed by its calls in a run with `--calls likely`, bookkeeping aside."""


class FindingRow(NamedTuple):
    """A distinct finding, to be checked by hand."""

    severity: str
    rule: str
    server: str
    tool: str
    message: str


def tool_rows(
    server: str,
    labels: Labels,
    definitions: Iterable[Mapping[str, Any]],
    report: Mapping[str, Any],
    likely: Mapping[str, Any] | None,
) -> list[ToolRow]:
    """Every labelled tool of a server."""
    hinted = {tool["name"] for tool in definitions if has_hints(tool)}
    judged, guessed = _tools(report), _tools(likely or {})
    changed = changes(likely or {})
    return [
        ToolRow(
            server=server,
            tool=name,
            label=label,
            has_hints=name in hinted,
            status=judged.get(name, {}).get("status", ""),
            is_called=judged.get(name, {}).get("called", 0) > 0,
            is_called_by_likely=None
            if likely is None
            else guessed.get(name, {}).get("called", 0) > 0,
            changes=changed.get(name, ()),
        )
        for name, label in labels.items()
    ]


def has_hints(tool: Mapping[str, Any]) -> bool:
    """Whether the definition of a tool says anything about what it does to the world."""
    annotations = tool.get("annotations")
    return isinstance(annotations, Mapping) and any(hint in annotations for hint in HINTS)


def changes(report: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """What the calls of each tool changed in its world, bookkeeping aside."""
    found: dict[str, set[str]] = {}
    for call in report.get("calls", ()):
        for file in (call.get("effects") or {}).get("files", ()):
            if not file.get("bookkeeping"):
                found.setdefault(call["tool"], set()).add(f"{file['what']} {file['path']}")
    return {tool: tuple(sorted(paths)) for tool, paths in found.items()}


def findings(server: str, report: Mapping[str, Any]) -> set[FindingRow]:
    """The errors and warnings of a run, one for each rule and tool."""
    found = {
        (one["rule"], one["where"].get("tool") or ""): one
        for one in report.get("findings", ())
        if one["severity"] in ("error", "warning")
    }
    return {
        FindingRow(one["severity"], rule, server, tool, one["message"])
        for (rule, tool), one in found.items()
    }


class CheckedRow(NamedTuple):
    """A finding that a reader has checked by hand."""

    severity: str
    server: str
    rule: str
    tool: str
    is_false: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """The server, rule and tool."""
        return self.server, self.rule, self.tool


Checked: TypeAlias = Mapping[tuple[str, str, str], bool]
"""By server, rule and tool, whether a reader found a finding to be false."""
FALSE_AT_MOST: Final = {"error": Bar(3), "warning": Bar(8)}


def checked_rows(file: Path) -> list[CheckedRow]:
    """The findings that a reader has checked by hand; none where there is no such file."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return [
            CheckedRow(
                row["severity"],
                row["server"],
                row["rule"],
                row["tool"],
                row["verdict"] == "false",
            )
            for row in csv.DictReader(stream)
        ]


def read_checked(file: Path) -> Checked:
    """What a reader says of each finding, by server, rule and tool."""
    return {row.key: row.is_false for row in checked_rows(file)}


class KeptShares(NamedTuple):
    """What became of the findings of one severity that a reader has checked."""

    true_told: Share
    """Of the true ones, those that are still told as gravely."""
    false_told: Share
    """The same of the false ones."""
    lost: tuple[tuple[str, str, str], ...]
    """The true ones that are not, by server, rule and tool."""


def kept_shares(
    found: Iterable[FindingRow], rows: Iterable[CheckedRow], servers: Container[str]
) -> dict[str, KeptShares]:
    """For each severity, which of the checked findings of these servers are still told."""
    told = {(row.severity, row.server, row.rule, row.tool) for row in found}
    of_servers = [row for row in rows if row.server in servers]
    return {
        severity: _kept([row for row in of_servers if row.severity == severity], told)
        for severity in FALSE_AT_MOST
    }


def _kept(rows: Iterable[CheckedRow], told: Container[tuple[str, ...]]) -> KeptShares:
    kept: dict[bool, list[bool]] = {True: [], False: []}
    lost = []
    for row in rows:
        is_told = (row.severity, *row.key) in told
        kept[row.is_false].append(is_told)
        if not (is_told or row.is_false):
            lost.append(row.key)
    true, false = (Share(sum(kept[which]), len(kept[which])) for which in (False, True))
    return KeptShares(true, false, tuple(lost))


def false_shares(found: Iterable[FindingRow], checked: Checked) -> dict[str, tuple[Share, int]]:
    """For each severity, how many of the checked findings are false, and how many are unchecked."""
    shares = {}
    for severity in FALSE_AT_MOST:
        keys = [(row.server, row.rule, row.tool) for row in found if row.severity == severity]
        known = [checked[key] for key in keys if key in checked]
        shares[severity] = (Share(sum(known), len(known)), len(keys) - len(known))
    return shares


class Measure(NamedTuple):
    """One figure: which tools count at all, and which of them are counted."""

    name: str
    bar: Bar
    of: Callable[[ToolRow], bool]
    counted: Callable[[ToolRow], bool]

    def share(self, rows: Sequence[ToolRow]) -> Share:
        """The tools counted, of those that could be."""
        among = [row for row in rows if self.of(row)]
        return Share(sum(map(self.counted, among)), len(among))


def is_false_green(row: ToolRow) -> bool:
    """Whether a tool is said to work that could not."""
    return _can_never_work(row) and row.status in PROVEN


def _can_never_work(row: ToolRow) -> bool:
    """Whether nothing in a world lets a tool work: a web site there answers for named hosts."""
    return row.label.label in NEVER_WORKS and not _is_sent_somewhere(row)


def _is_sent_somewhere(row: ToolRow) -> bool:
    return row.label.label == "network" and row.label.address


def is_wrong_red(row: ToolRow) -> bool:
    """Whether a tool is said to be broken that is not."""
    return row.status == "broken" and row.label.label != "broken"


def changed_something(row: ToolRow) -> bool:
    """Whether a tool that `--calls likely` guessed to be a reader has changed the world."""
    return _is_guessed(row) and bool(row.changes)


def _is_guessed(row: ToolRow) -> bool:
    """Whether it was called by its words: a tool with hints is called because of them."""
    return bool(row.is_called_by_likely) and not row.has_hints


def _is_called_by_hint(row: ToolRow) -> bool:
    return bool(row.is_called_by_likely) and row.has_hints


def _was_guessed(row: ToolRow) -> bool:
    return row.is_called_by_likely is not None


def _only_reads(row: ToolRow) -> bool:
    return _was_guessed(row) and row.label.reads and not row.has_hints


MEASURES: Final = (
    Measure("tools called", Bar(95, at_least=True), lambda _: True, lambda row: row.is_called),
    Measure(
        "tools that work, proven",
        Bar(80, at_least=True),
        lambda row: row.label.label == "works",
        lambda row: row.status in PROVEN,
    ),
    Measure(
        "tools that cannot work, said to work",
        Bar(0),
        _can_never_work,
        is_false_green,
    ),
    Measure(
        "tools that need the network at an address that is an argument, proven",
        Bar(60, at_least=True),
        _is_sent_somewhere,
        lambda row: row.status in PROVEN,
    ),
    Measure(
        "tools called, wrongly said to be broken",
        Bar(1),
        lambda row: row.is_called,
        is_wrong_red,
    ),
    Measure(
        "tools without hints that only read, called by likely",
        Bar(85, at_least=True),
        _only_reads,
        lambda row: bool(row.is_called_by_likely),
    ),
    Measure(
        "tools without hints called by likely that changed something",
        Bar(0),
        _is_guessed,
        changed_something,
    ),
    Measure(
        "tools called because of their hints that changed something",
        Bar(0),
        _is_called_by_hint,
        lambda row: bool(row.changes),
    ),
)
"""The figures in percent, with what was promised for each."""


def _tools(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {tool["name"]: tool for tool in report.get("tools", ())}
