"""Every published server assessed in a disposable world, and the reports scored by the labels."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct

from bench.published.labels import kappa, labels_of, pairs
from bench.published.score import (
    FALSE_AT_MOST,
    MEASURES,
    FindingRow,
    ToolRow,
    changed_something,
    checked_rows,
    false_shares,
    findings,
    is_false_green,
    is_wrong_red,
    kept_shares,
    read_checked,
    tool_rows,
)
from bench.published.servers import CACHE, Half, chosen, data_of, fill, installed, start, version_of
from bench.published.session import definitions
from bench.tables import table
from mcp_assay.client.links import NotReached

RESULTS: Final = CACHE.parent / "published"
LONGEST: Final = 1800
"""A run that mcp-assay does not end itself."""
USUAL: Final = ("--sandbox", "--no-input", "--format", "json", "--fail-on", "never")
LIKELY: Final = ("--calls", "likely")


class PublishedOptions(Struct, frozen=True, kw_only=True):
    """Which servers are assessed, and how."""

    names: Sequence[str] = ()
    half: Half | None = None
    jobs: int = 1
    max_time: float | None = None
    stored: bool = False
    """Compare the reports of earlier runs with what readers say, and run nothing."""


class ServerRun(Struct, frozen=True, kw_only=True):
    """One server, with the reports of both runs; None where a run gave none."""

    name: str
    definitions: list[dict[str, Any]]
    report: dict[str, Any] | None
    likely: dict[str, Any] | None

    def rows(self) -> list[ToolRow]:
        """Its labelled tools."""
        labels = labels_of(self.name)
        return tool_rows(self.name, labels, self.definitions, self.report or {}, self.likely)

    def unlabelled(self) -> list[str]:
        """The tools that it lists and nobody has read."""
        labels = labels_of(self.name)
        return [
            f"{self.name} {tool['name']}" for tool in self.definitions if tool["name"] not in labels
        ]

    def findings(self) -> set[FindingRow]:
        """What was found in the run with all tools."""
        return findings(self.name, self.report or {})


def published_servers(options: PublishedOptions) -> tuple[str, dict[str, Any]]:
    """Assess the servers that were asked for and compare the reports with the labels."""
    names = list(chosen(options.names, options.half))
    if options.stored:
        return stored_findings(names)
    for name in names:
        installed(name)
    with_likely = _knows_likely()
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(lambda name: run_server(name, options, with_likely), names))
    rows = [row for run in runs for row in run.rows()]
    found = sorted(row for run in runs for row in run.findings())
    written = _write(found)
    missing = (
        "" if with_likely else "\n--calls likely was left out: this version has no such option."
    )
    text = "\n\n".join(
        filter(
            None, (_servers(runs), _measures(rows) + missing, _named(runs, rows), _agreement(names))
        )
    )
    text = f"{text}\n\n{_checked(found)}"
    return f"{text}\n\n{len(found)} errors and warnings, to check by hand: {written}", {
        "servers": {run.name: _figures(run) for run in runs},
        "measures": {one.name: one.share(rows)._asdict() for one in MEASURES},
        "findings": [row._asdict() for row in found],
    }


def stored_findings(names: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """Compare the findings of the latest reports with those that readers have checked."""
    files = {name: RESULTS / f"{name}.json" for name in names}
    reports = {name: json.loads(file.read_bytes()) for name, file in files.items() if file.exists()}
    found = sorted(row for name, report in reports.items() for row in findings(name, report))
    rows = [row for folder in _folders(reports) for row in checked_rows(folder / "checked.csv")]
    kept = kept_shares(found, rows, reports)
    known = {row.key for row in rows}
    unknown = [row for row in found if (row.server, row.rule, row.tool) not in known]
    named = [f"no longer told: {' '.join(key)}" for one in kept.values() for key in one.lost]
    named += [f"unchecked {' '.join(row)}" for row in unknown]
    text = table(
        ["findings checked by hand", "true, still told", "false, still told"],
        [[f"{name}s", str(one.true_told), str(one.false_told)] for name, one in kept.items()],
    )
    return "\n\n".join((f"{len(reports)} servers", _checked(found), text, "\n".join(named))), {
        "servers": sorted(reports),
        "kept": {name: one._asdict() for name, one in kept.items()},
        "findings": [row._asdict() for row in found],
    }


def _folders(names: Iterable[str]) -> set[Path]:
    """The folders of the halves in which servers are."""
    return {data_of(name) for name in names}


def _knows_likely() -> bool:
    said = subprocess.run(_assay("assess", "--help"), capture_output=True, text=True, check=True)
    return f"|{LIKELY[1]}|" in said.stdout


def _assay(*words: str) -> list[str]:
    return [sys.executable, "-m", "mcp_assay", *words]


def run_server(name: str, options: PublishedOptions, with_likely: bool = True) -> ServerRun:
    """Assess one server in a world, with all its tools and with those that likely only read."""
    run = ServerRun(
        name=name,
        definitions=_listed(name),
        report=assessed(name, options),
        likely=assessed(name, options, *LIKELY) if with_likely else None,
    )
    print(f"{name} {version_of(name)}: {_figures(run)}", file=sys.stderr, flush=True)
    return run


def _listed(name: str) -> list[dict[str, Any]]:
    """The tools of a server; none where it does not start."""
    try:
        return asyncio.run(definitions(name))
    except NotReached as fault:
        print(f"{name}: {fault}", file=sys.stderr, flush=True)
        return []


def assessed(name: str, options: PublishedOptions, *more: str) -> dict[str, Any] | None:
    """The report of a run as anyone would make it, in a folder as new."""
    limit = () if options.max_time is None else ("--max-time", f"{options.max_time:g}")
    with TemporaryDirectory(prefix=f"{name}-") as folder:
        fill(name, Path(folder))
        begun = start(name, Path(folder))
        named = [word for pair in begun.environment.items() for word in ("--env", "=".join(pair))]
        ended = subprocess.run(
            [*_assay("assess", *USUAL, *limit, *more, *named), "--", *begun.command],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    try:
        report: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        print(f"{name}: no report: {ended.stderr.strip()[-300:]}", file=sys.stderr, flush=True)
        return None
    RESULTS.mkdir(parents=True, exist_ok=True)
    file = RESULTS / f"{name}{'-likely' if more else ''}.json"
    file.write_text(ended.stdout, "utf-8")
    return report


def _figures(run: ServerRun) -> dict[str, Any]:
    return {
        "tools": len(run.definitions),
        "called": _called(run.report),
        "seconds": _seconds(run.report),
        "called by likely": _called(run.likely),
        "seconds of likely": _seconds(run.likely),
    }


def _called(report: dict[str, Any] | None) -> int | None:
    return None if report is None else int(report["summary"]["tools_called"])


def _seconds(report: dict[str, Any] | None) -> float | None:
    return None if report is None else round(report["timing"]["seconds"], 1)


def _servers(runs: Sequence[ServerRun]) -> str:
    head = ["server", "tools", "called", "s", "likely", "s"]
    return table(
        head,
        [
            [run.name, *("-" if value is None else str(value) for value in _figures(run).values())]
            for run in runs
        ],
    )


def _measures(rows: Sequence[ToolRow]) -> str:
    shares = [(one, one.share(rows)) for one in MEASURES]
    return table(
        ["labelled tools", "", "promised, in percent", ""],
        [
            [one.name, str(share), one.bar.words(), one.bar.verdict(share.percent)]
            if share.of
            else [one.name, "none", one.bar.words(), "-"]
            for one, share in shares
        ],
    )


def _named(runs: Sequence[ServerRun], rows: Sequence[ToolRow]) -> str:
    """The tools about which something is wrong."""
    unread = [f"{tool}: no label" for run in runs for tool in run.unlabelled()]
    return "\n".join((*_complaints(rows), *unread))


def _complaints(rows: Sequence[ToolRow]) -> Iterator[str]:
    for row in rows:
        tool = f"{row.server} {row.tool}, labelled {row.label.label}"
        if is_false_green(row) or is_wrong_red(row):
            yield f"{tool}: {row.status}"
        if changed_something(row):
            yield f"{tool}: likely {', '.join(row.changes)}"


def _checked(found: Sequence[FindingRow]) -> str:
    """How many of the findings are false, as far as a reader has checked them."""
    checked = {
        key: verdict
        for folder in _folders(row.server for row in found)
        for key, verdict in read_checked(folder / "checked.csv").items()
    }
    return table(
        ["findings checked by hand", "false", "promised, in percent", "", "unchecked"],
        [
            [
                f"{severity}s",
                str(share),
                FALSE_AT_MOST[severity].words(),
                FALSE_AT_MOST[severity].verdict(share.percent) if share.of else "-",
                str(unchecked),
            ]
            for severity, (share, unchecked) in false_shares(found, checked).items()
        ],
    )


def _agreement(names: Sequence[str]) -> str:
    """How far two readers agree, where two have read."""
    both = pairs(names)
    if not both:
        return "No server was read by a second reader."
    said = [(one.label, other.label) for one, other in both]
    reads = [(str(one.reads), str(other.reads)) for one, other in both]
    return "\n".join(
        f"Two readers of {len(both)} tools, {what}: "
        f"{100 * sum(one == other for one, other in words) / len(words):.1f} % equal, "
        f"kappa {kappa(words):.2f}"
        for what, words in (("labels", said), ("reads", reads))
    )


def _write(found: Sequence[FindingRow]) -> str:
    RESULTS.mkdir(parents=True, exist_ok=True)
    file = RESULTS / "findings.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow((*FindingRow._fields, "false?"))
        writer.writerows((*row, "") for row in found)
    return os.path.relpath(file)
