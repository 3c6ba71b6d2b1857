"""What rules about effects say of published servers, kept in a table for readers to check."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bench.published.runs import PublishedOptions, assessed
from bench.published.servers import chosen, data_of, installed
from bench.tables import table

TABLE: Final = "effects.csv"
FAMILY: Final = "EFF-"
ALL_TOOLS: Final = ("--calls", "all", "--select", "EFF", "--max-calls", "12")
SECONDS: Final = 180.0
"""Enough for the calls of all tools and for all proofs."""
TRUE, FALSE, UNCHECKED = "true", "false", ""


class EffectRow(NamedTuple):
    """A finding about effects, one for each rule and tool, and what a reader says of it."""

    server: str
    rule: str
    tool: str
    severity: str
    message: str
    verdict: str = UNCHECKED
    """true or false; empty where nobody has held it against the source of the server."""
    why: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two findings the same."""
        return self.server, self.rule, self.tool


def published_effects(options: PublishedOptions) -> tuple[str, dict[str, Any]]:
    """Call all tools of the servers that were asked for, and keep what the rules say of them."""
    names = list(chosen(options.names, options.half))
    options = replace(options, max_time=options.max_time or SECONDS)
    calls, rows = Counter[str](), list[EffectRow]()
    for name in names:
        installed(name)
        report = assessed(name, options, *ALL_TOOLS) or {}
        calls[name] = len(report.get("calls", ()))
        found = list(effect_rows(name, report))
        keep(data_of(name) / TABLE, {name}, found)
        rows += read(data_of(name) / TABLE, {name})
        print(f"{name}: {calls[name]} calls, {len(found)} findings", flush=True)
    verdicts = Counter(row.verdict or "unchecked" for row in rows)
    head = ["servers", "calls", "findings", TRUE, FALSE, "unchecked"]
    figures = [len(names), calls.total(), len(rows)]
    figures += [verdicts[one] for one in head[3:]]
    text = table(head, [list(map(str, figures))])
    named = "\n".join(f"{row.server} {row.tool} {row.rule}: {row.message}" for row in rows)
    return f"{text}\n\n{named}", {"calls": dict(calls), "rows": [row._asdict() for row in rows]}


def effect_rows(server: str, report: Mapping[str, Any]) -> Iterator[EffectRow]:
    """The findings about effects, one for each tool."""
    for one in report.get("findings", ()):
        if one["rule"].startswith(FAMILY):
            for place in (one["where"], *one["examples"]):
                tool = place.get("tool") or ""
                yield EffectRow(server, one["rule"], tool, one["severity"], one["message"])


def read(file: Path, servers: Iterable[str] = ()) -> list[EffectRow]:
    """The rows of a table, of these servers or of all."""
    wanted = set(servers)
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        rows = [EffectRow(**row) for row in csv.DictReader(stream)]
    return [row for row in rows if not wanted or row.server in wanted]


def keep(file: Path, servers: set[str], found: Iterable[EffectRow]) -> None:
    """Replace the rows of some servers; what a reader said of the same finding stays."""
    before = read(file)
    known = {row.key: row for row in before}
    new = {row.key: row for row in found}
    checked = [
        row._replace(verdict=known[key].verdict, why=known[key].why) if key in known else row
        for key, row in new.items()
    ]
    others = [row for row in before if row.server not in servers]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(EffectRow._fields)
        writer.writerows(sorted((*others, *checked)))
