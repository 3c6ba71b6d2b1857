"""What can be wrong with a store is told in one sentence, and nothing of it with a password."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from mcp_assay.history.faults import LostConnection, StoreFault
from mcp_assay.history.finding_states import take_findings
from mcp_assay.history.location import located
from mcp_assay.history.recorder import record
from mcp_assay.history.store import Store
from tests.drift.small_reports import finding
from tests.history.postgres import Postgres
from tests.history.runs import a_report, a_run, remember, stored_reports
from tests.patience import LONGEST

NOBODY = 65534
PASSWORD = "hunter2-and-more"
BIG = a_report(*[finding(key=key) for key in range(3000)])
AS_NOBODY = """
import os, sys
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.location import located
from mcp_assay.history.questions import all_servers
from mcp_assay.history.store import Store
Store(located(sys.argv[3])).close()  # what is loaded later could not be read by nobody
if os.geteuid() == 0:
    os.setgid({nobody}); os.setuid({nobody})
try:
    store = Store(located(sys.argv[1]), to_write=sys.argv[2] == "write")
    with store.reading() as connection:
        print(len(all_servers(connection).servers))
except StoreFault as fault:
    print(fault)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def opened(file: Path, **more: bool) -> Store:
    return Store(located(f"sqlite:///{file}"), **more)


def as_nobody(file: Path, how: str) -> str:
    """What becomes of a store for somebody who may only read it."""
    code = AS_NOBODY.format(nobody=NOBODY)
    ended = subprocess.run(
        [sys.executable, "-c", code, f"sqlite:///{file}", how, f"sqlite:///{file}.{how}"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=True,
        cwd="/",
    )
    return ended.stdout.strip()


@pytest.fixture
def shared(file: Path) -> Iterator[Path]:
    """A store with a run, that others may read and not write."""
    store = opened(file)
    remember(store)
    store.close()
    folders = [one for one in (file, *file.parents) if one.is_relative_to("/tmp")]
    before = [one.stat().st_mode for one in folders]
    for one in folders:
        one.chmod(0o755 if one.is_dir() else 0o444)
    yield file
    for one, mode in zip(folders, before, strict=True):
        one.chmod(mode)


def test_a_store_that_may_only_be_read_answers_and_is_not_written(shared: Path) -> None:
    assert as_nobody(shared, "read") == "1"
    told = as_nobody(shared, "write")
    assert told == (
        f"the history {shared} is read-only; make it and its folder writable, or name another store"
    )


def test_a_locked_store_is_told_of(file: Path) -> None:
    store = opened(file)
    holder = sqlite3.connect(file)
    holder.execute("BEGIN IMMEDIATE")
    hasty = f"sqlite:///{file}?timeout=0.1"
    with pytest.raises(StoreFault, match="is locked by another process; try again when that has"):
        Store(located(hasty))
    holder.rollback()
    holder.close()
    Store(located(hasty)).close()
    store.close()


def test_a_full_disk_is_told_of_and_nothing_is_torn(file: Path) -> None:
    store = opened(file)
    remember(store)

    def small(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    engine = store._engine
    event.listen(engine, "begin", small)
    with pytest.raises(StoreFault, match="cannot grow, because the disk is full; free some space"):
        record(store, a_run(BIG))
    event.remove(engine, "begin", small)
    store.close()
    again = opened(file)
    assert len(stored_reports(again)) == 1
    remember(again)
    again.close()


def test_a_file_that_cannot_grow_is_told_of(file: Path) -> None:
    code = f"""
import resource, signal
from tests.history.test_faults import *
store = opened(Path({str(file)!r}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, {resource.RLIM_INFINITY}))
try:
    record(store, a_run(BIG))
except StoreFault as fault:
    print(fault)
"""
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONGEST, check=True
    )
    assert told.stdout.startswith(f"the history {file} cannot be read or written: the disk is full")
    store = opened(file)
    assert stored_reports(store) == []
    store.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be one" * 50, b"SQLite format 3\0" * 99]
)
def test_what_is_no_database_is_told_of_and_left_as_it_is(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(StoreFault, match=r"is not a history; name another file"):
        opened(file)
    assert file.read_bytes() == content


def test_a_damaged_store_is_told_of(file: Path) -> None:
    store = opened(file)
    for day in range(20):
        remember(store, finding(key=day), day=day)
    store.close()
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(StoreFault, match="is damaged; restore a backup, or name another file"):
        opened(file)


@pytest.mark.parametrize(
    ("path", "words"), [("", "is a folder"), ("no/such/h.db", "cannot be made")]
)
def test_a_place_where_no_store_can_be(path: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(StoreFault, match=words):
        opened(tmp_path / path)


def test_a_process_that_is_killed_in_mid_write_leaves_a_whole_store(file: Path) -> None:
    code = f"""
import os, signal
from tests.history.test_faults import *
import mcp_assay.history.recorder as recorder
store = opened(Path({str(file)!r}))
remember(store)
recorder.take_findings = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
remember(store)
"""
    ended = subprocess.run([sys.executable, "-c", code], timeout=LONGEST, check=False)
    assert ended.returncode < 0
    store = opened(file)
    assert len(stored_reports(store)) == 1
    remember(store)
    store.close()


@pytest.fixture
def remote(postgres: Postgres) -> Iterator[tuple[Store, Postgres, str]]:
    """A store in a PostgreSQL."""
    url = postgres.new_database()
    store = Store(located(url))
    yield store, postgres, url
    store.close()


def end_connections(postgres: Postgres, url: str) -> None:
    """End everybody's connections to a database."""
    name = url.rpartition("?")[0].rpartition("/")[2]
    postgres.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    )


@pytest.fixture
def losing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Postgres, str, int], list[int]]:
    """Has connections end in the middle of so many transactions."""
    whole = take_findings

    def lose(postgres: Postgres, url: str, times: int) -> list[int]:
        left = [times]

        def cut(*given: object) -> None:
            if left[0]:
                left[0] -= 1
                end_connections(postgres, url)
            whole(*given)  # type: ignore[arg-type]

        monkeypatch.setattr("mcp_assay.history.recorder.take_findings", cut)
        return left

    return lose


def test_a_connection_that_is_lost_once_is_made_again(
    remote: tuple[Store, Postgres, str], losing: Callable[[Postgres, str, int], list[int]]
) -> None:
    store, postgres, url = remote
    remember(store)
    left = losing(postgres, url, 1)
    remember(store)
    assert left == [0]
    assert len(stored_reports(store)) == 2


def test_a_connection_that_is_lost_again_and_again_is_told_of(
    remote: tuple[Store, Postgres, str], losing: Callable[[Postgres, str, int], list[int]]
) -> None:
    store, postgres, url = remote
    remember(store)
    losing(postgres, url, 2)
    with pytest.raises(LostConnection, match="lost its connection; check that the database server"):
        remember(store)
    assert len(stored_reports(store)) == 1


def test_a_server_that_is_not_there_is_told_of_without_the_password(tmp_path: Path) -> None:
    url = f"postgresql://ada:{PASSWORD}@/db?host={tmp_path}&password={PASSWORD}"
    with pytest.raises(StoreFault) as caught:
        Store(located(url))
    assert "cannot be" in str(caught.value) or "lost" in str(caught.value)
    assert PASSWORD not in str(caught.value)
    assert PASSWORD not in located(url).shown


def test_a_user_who_may_not_make_tables_is_told_of(
    remote: tuple[Store, Postgres, str],
) -> None:
    _, postgres, _ = remote
    empty = postgres.new_database()
    role = f"reader_{os.getpid()}"
    postgres.execute(f"CREATE ROLE {role} LOGIN")
    try:
        with pytest.raises(StoreFault, match="may not be used by this user"):
            Store(located(empty.replace("postgres@", f"{role}@")))
    finally:
        postgres.execute(f"DROP ROLE {role}")


def test_a_database_that_is_not_there_is_told_of(remote: tuple[Store, Postgres, str]) -> None:
    _, postgres, _ = remote
    nowhere = postgres.admin.replace("/postgres?", "/nowhere?")
    with pytest.raises(StoreFault, match="does not exist on that server") as caught:
        Store(located(nowhere))
    assert "\n" not in str(caught.value)
