"""The history at size: what questions take, what recording costs, and many writers at once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Connection, Table, func, insert, select, text

from bench.tables import Row, table
from mcp_assay.history import questions
from mcp_assay.history.identity import named
from mcp_assay.history.location import located
from mcp_assay.history.names import run_named
from mcp_assay.history.recorder import NewRun, insert_run, new_run, record
from mcp_assay.history.store import Store
from mcp_assay.history.tables import (
    APPROVAL,
    FINDING,
    METADATA,
    RUN,
    SERVER,
    STORE,
    TOOL,
)
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from mcp_assay.report.report_file import read_report
from tests.drift.small_reports import finding
from tests.history.postgres import running_postgres
from tests.history.runs import a_report

SERVERS: Final = 1_000
RUNS: Final = 100
RECORDED: Final = 10
"""So many servers are recorded run by run; the others are copies of them."""
TENTH: Final = 10
TOOLS: Final = 8
FINDINGS: Final = 10
VARIANTS: Final = 12
ROUNDS: Final = 40
WRITERS: Final = 8
EACH: Final = 200
BAR: Final = 1.2
"""Times writing the JSON report."""
SMALLEST: Final = 1e-9
STARTED: Final = datetime(2026, 1, 1, tzinfo=UTC)
SINCE: Final = "2026-04-08T00:00:00Z"
"""Some days before the last runs."""
QUESTIONS: Final[dict[str, Callable[[Connection], object]]] = {
    "list": questions.all_servers,
    "show": lambda connection: questions.server_history(connection, 50),
    "tool": lambda connection: questions.tool_history(connection, 50, "tool 3"),
    "findings": lambda connection: questions.findings_since(connection, SINCE),
    "findings of a server": lambda connection: questions.findings_since(connection, SINCE, 50),
    "run at a date": lambda connection: run_named(connection, "server 5.5@2026-03-01"),
    "approval": lambda connection: questions.current_approval(connection, 50),
}


def history(folder: Path) -> tuple[str, dict[str, Any]]:
    """Everything about the history, on both databases."""
    parts = [_questions(folder), _recording(), _many_writers()]
    return "\n\n".join(text for text, _ in parts), {
        name: its for _, figures in parts for name, its in figures.items()
    }


@contextmanager
def stores(within: Path) -> Iterator[Iterator[tuple[str, str]]]:
    """The name and the URL of an empty store of each kind."""
    with TemporaryDirectory(dir=within) as folder, running_postgres() as postgres:
        yield iter(
            (("SQLite", f"sqlite:///{folder}/h.db"), ("PostgreSQL", postgres.new_database()))
        )


def _runs(server: int) -> Iterator[NewRun]:
    """The runs of one server: findings come and go, a tool breaks and is mended."""
    for run in range(RUNS):
        variant = _variant((server + run) % VARIANTS)
        identity = named(f"server {server}")
        rows = _at(variant, run)
        yield replace(variant, identity=identity, uid=f"{server}-{run}", rows=rows)


def _at(run: NewRun, day: int) -> Any:
    at = (STARTED + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(run.rows, run={**run.rows.run, "at": at})


@cache
def _variant(number: int) -> NewRun:
    tools = {f"tool {at}": "fully_working" for at in range(TOOLS)}
    if number % 3 == 0:
        tools["tool 3"] = "broken"
    found = [finding(key=key) for key in range(number % 4, FINDINGS)]
    return new_run(named("any"), a_report(*found, tools=tools))


def fill(store: Store) -> None:
    """Fill a store with all servers and their runs."""
    record_some(store)
    multiply(store, range(1, SERVERS // RECORDED))


def record_some(store: Store) -> None:
    """Record the first servers, run by run."""
    for server in range(RECORDED):
        with store.writing() as connection:
            for run in _runs(server):
                insert_run(connection, run)


def multiply(store: Store, generations: range) -> None:
    """Make other servers that are like the first ones, in the database itself."""
    with store.writing() as connection:
        most = {table: _count(connection, table) for table in (SERVER, RUN, TOOL, FINDING)}
    sizes = {table: number // generations.start for table, number in most.items()}
    for generation in generations:
        with store.writing() as connection:
            for table in METADATA.sorted_tables:
                if table not in (STORE, APPROVAL):
                    _copy(connection, table, generation, sizes)
    with store.writing() as connection:
        connection.execute(text("ANALYZE"))


def _copy(connection: Connection, table: Table, generation: int, sizes: dict[Table, int]) -> None:
    first = _FIRST.get(table.name, table)
    key = table.c[_KEYS.get(table.name, "id")]
    chosen: list[Any] = []
    for column in table.columns:
        to = table if column.name == "id" else _POINTS_TO.get(column.name)
        if to is not None:
            chosen.append(column + generation * sizes[to])
        elif column.name in ("uid", "key") or (table is SERVER and column.name == "name"):
            chosen.append(column + f".{generation}")
        else:
            chosen.append(column)
    its = select(*chosen).where(key <= sizes[first])
    names = [column.name for column in table.columns]
    connection.execute(insert(table).from_select(names, its))


_POINTS_TO: Final = {
    "server_id": SERVER,
    "run_id": RUN,
    "last_run": RUN,
    "first_run": RUN,
    "fixed_run": RUN,
    "tool_id": TOOL,
    "finding_id": FINDING,
}
_KEYS: Final = {
    "assay_identity": "server_id",
    "assay_report": "run_id",
    "assay_tool_run": "run_id",
    "assay_finding_run": "run_id",
}
_FIRST: Final = {
    "assay_identity": SERVER,
    "assay_report": RUN,
    "assay_tool_run": RUN,
    "assay_finding_run": RUN,
}
"""By which column, and of which table, the rows of the first servers are known."""


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _questions(folder: Path) -> tuple[str, dict[str, Any]]:
    rows: list[Row] = []
    figures: dict[str, Any] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with stores(folder) as each:
        for kind, url in each:
            store = Store(located(url))
            record_some(store)
            multiply(store, range(1, SERVERS // TENTH // RECORDED))
            small = _asked(store)
            multiply(store, range(SERVERS // TENTH // RECORDED, SERVERS // RECORDED))
            large = _asked(store)
            with store.reading() as connection:
                assert _count(connection, RUN) == SERVERS * RUNS
            store.close()
            for name, seconds in large.items():
                growth = seconds / max(small[name], SMALLEST)
                figures[f"{kind} {name}"] = {"ms": 1000 * seconds, "growth": growth}
                rows.append((kind, name, _ms(small[name]), _ms(seconds), f"{growth:.1f}"))
    heads = ("store", "question", f"{SERVERS // TENTH} servers", f"{SERVERS:,} servers", "growth")
    return table(heads, rows), {"questions": figures}


def _asked(store: Store) -> dict[str, float]:
    return {name: _fastest(partial(_ask, store, ask)) for name, ask in QUESTIONS.items()}


def _ask(store: Store, ask: Callable[[Connection], object]) -> None:
    with store.reading() as connection:
        ask(connection)


def _fastest(work: Callable[[], object]) -> float:
    """The shortest time of several: what others make the machine do only ever adds to it."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def _recording() -> tuple[str, dict[str, Any]]:
    """Recording a run against writing its JSON to a file, for a small and a large report."""
    rows: list[Row] = []
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        demo = _demo(Path(folder))
        for name, report in (("demo", demo), ("ten times as many calls", _larger(demo))):
            store = Store(located(f"sqlite:///{folder}/{len(rows)}.db"))
            path = Path(folder) / "report.json"
            written = _fastest(partial(_write, path, report))
            recorded = _fastest(partial(_record, store, report))
            store.close()
            times = recorded / written
            figures[name] = {"write_ms": 1000 * written, "record_ms": 1000 * recorded}
            bar = f"{times:.2f}, promised {BAR}"
            rows.append((name, f"{len(to_json(report)):,}", _ms(written), _ms(recorded), bar))
    heads = ("report", "bytes", "write JSON", "record", "times")
    return table(heads, rows), {"recording": figures}


def _write(path: Path, report: Report) -> None:
    path.unlink(missing_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(to_json(report))


def _record(store: Store, report: Report) -> None:
    record(store, new_run(named("x"), report))


def _demo(folder: Path) -> Report:
    path = folder / "demo.json"
    command = [sys.executable, "-m", "mcp_assay", "demo", "--quiet", "--report", f"json={path}"]
    subprocess.run(command, capture_output=True, check=True)
    return read_report(path.read_bytes())


def _larger(report: Report) -> Report:
    timing = replace(report.timing, messages=report.timing.messages * 10)
    return replace(report, calls=report.calls * 10, timing=timing)


def _many_writers() -> tuple[str, dict[str, Any]]:
    rows: list[Row] = []
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder, running_postgres() as postgres:
        for kind, url in (
            ("SQLite", f"sqlite:///{folder}/h.db"),
            ("PostgreSQL", postgres.new_database()),
        ):
            begun = time.perf_counter()
            command = [sys.executable, "-m", "tests.history.writer", url, str(EACH)]
            writers = [subprocess.Popen([*command, str(number)]) for number in range(WRITERS)]
            codes = [one.wait() for one in writers]
            seconds = time.perf_counter() - begun
            store = Store(located(url))
            with store.reading() as connection:
                number = connection.execute(select(func.count()).select_from(RUN)).scalar_one()
            store.close()
            figures[kind] = {"runs": number, "seconds": seconds, "failed": sum(map(bool, codes))}
            rows.append((kind, f"{number} of {WRITERS * EACH}", f"{seconds:.1f} s"))
    heads = ("store", f"runs of {WRITERS} processes", "all of it")
    return table(heads, rows), {"writers": figures}


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"
