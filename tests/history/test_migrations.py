"""Stores of every version become stores of today, and lose nothing by it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from mcp_assay.history.faults import StoreFault
from mcp_assay.history.location import located
from mcp_assay.history.migrations import VERSION, migrate
from mcp_assay.history.questions import all_servers, findings_since
from mcp_assay.history.server_list import ServerFilter, listed_servers
from mcp_assay.history.store import Store
from mcp_assay.history.tables import METADATA
from tests.drift.small_reports import finding
from tests.history.runs import at_day, remember, stored_reports
from tests.patience import LONGEST

OPENERS = 6
OPEN = """
import sys
from mcp_assay.history.location import located
from mcp_assay.history.store import Store
Store(located(sys.argv[1])).close()
"""
OF_VERSION_1 = """
DROP TABLE assay_fleet_run;
DROP TABLE assay_fleet_server;
DROP TABLE assay_approval;
DROP INDEX assay_finding_since;
DROP INDEX assay_finding_first;
DROP INDEX assay_finding_fixed;
DROP INDEX assay_finding_comings;
DROP INDEX assay_finding_server;
DROP INDEX assay_server_outcome;
DROP INDEX assay_server_errors;
DROP INDEX assay_server_latest;
ALTER TABLE assay_server DROP COLUMN outcome;
ALTER TABLE assay_server DROP COLUMN open_errors;
ALTER TABLE assay_server DROP COLUMN version;
UPDATE assay_store SET version = 1
"""


def columns(connection: Connection) -> dict[str, set[tuple[str, bool]]]:
    found = inspect(connection)
    return {
        table: {
            (one["name"], bool(one["nullable"]) and one["name"] != "id")  # a rowid may be said so
            for one in found.get_columns(table)
        }
        for table in found.get_table_names()
    }


def indexes(connection: Connection) -> set[str | None]:
    found = inspect(connection)
    return {one["name"] for table in found.get_table_names() for one in found.get_indexes(table)}


def test_the_steps_make_the_tables_that_the_queries_know(store: Store) -> None:
    known = {
        table.name: {(str(one.name), bool(one.nullable)) for one in table.columns}
        for table in METADATA.sorted_tables
    }
    with store.reading() as connection:
        made = columns(connection)
    assert made == known


def test_a_store_of_version_1_is_brought_up_to_date(opened: Callable[..., Store]) -> None:
    old = opened()
    remember(old, finding(key=1), day=0)
    remember(old, day=1)
    remember(old, finding(key=1), day=2)
    before = [report.timing.started for report in stored_reports(old)]
    with old.writing() as connection:
        listed = listed_servers(connection, ServerFilter())
        assert (listed.servers[0].outcome, listed.servers[0].open_errors) == ("fail", 1)
        all_indexes = indexes(connection)
        for statement in OF_VERSION_1.split(";"):
            connection.execute(text(statement))
    old.close()
    new = opened()
    with new.reading() as connection:
        assert connection.execute(text("SELECT version FROM assay_store")).scalar() == VERSION
        assert indexes(connection) == all_indexes
        assert [one.runs for one in all_servers(connection).servers] == [3]
        assert len(findings_since(connection, at_day(0)).flaky) == 1
        assert listed_servers(connection, ServerFilter()) == listed
    assert [report.timing.started for report in stored_reports(new)] == before


def test_version_1_and_its_step_make_what_a_new_store_is(url: str, store: Store) -> None:
    with store.reading() as connection:
        whole = columns(connection), indexes(connection)
    with store.writing() as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(text(f"DROP TABLE {table.name}"))
    with store.writing() as connection:
        migrate(connection, at_day(0), upto=1)
        assert "assay_approval" not in columns(connection)
    with store.writing() as connection:
        migrate(connection, at_day(1))
        assert (columns(connection), indexes(connection)) == whole


def test_many_processes_open_a_new_store_at_once(url: str) -> None:
    starts = [
        subprocess.Popen([sys.executable, "-c", OPEN, url], stderr=subprocess.PIPE)
        for _ in range(OPENERS)
    ]
    endings = [(one.communicate(timeout=LONGEST)[1], one.returncode) for one in starts]
    assert endings == [(b"", 0)] * OPENERS
    store = Store(located(url))
    with store.reading() as connection:
        found = connection.execute(text("SELECT version FROM assay_store")).all()
    store.close()
    assert [row.version for row in found] == [VERSION]


def test_a_store_of_a_newer_version_is_left_alone(opened: Callable[..., Store]) -> None:
    store = opened()
    with store.writing() as connection:
        connection.execute(text("UPDATE assay_store SET version = 99"))
    with pytest.raises(StoreFault, match=r"has version 99, and this mcp-assay knows \d+; use a"):
        opened()


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "theirs.db"
    theirs = create_engine(f"sqlite:///{file}")
    with theirs.begin() as connection:
        connection.execute(text("CREATE TABLE customers (name TEXT)"))
    theirs.dispose()
    with pytest.raises(StoreFault, match="is not a history: it holds other tables"):
        Store(located(f"sqlite:///{file}"))
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["customers"]
    engine.dispose()
