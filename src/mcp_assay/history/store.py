"""A store that is open: transactions on SQLite or PostgreSQL, made and brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import NoSuchModuleError

from mcp_assay.history.faults import StoreFault, told
from mcp_assay.history.location import StoreLocation
from mcp_assay.history.migrations import VERSION, migrate, version_of

PATIENCE: Final = 30.0
"""Seconds that a store may be locked by others."""
CONNECTING: Final = 10
"""Seconds in which a database server must answer."""
WRITES: Final = "assay_writes"
"""The option of a connection whose transaction writes."""
PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
DRIVER: Final = "needs psycopg: pip install 'mcp-assay[postgres]'"


def now() -> str:
    """The present moment, as reports write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Store:
    """The history, open: `reading()` and `writing()` are transactions."""

    def __init__(self, location: StoreLocation, *, to_write: bool = True) -> None:
        self.shown: Final = location.shown
        self._location: Final = location
        self._is_readable_only = not to_write and _is_read_only(location.file)
        with told(self.shown):
            self._engine: Final = self._made_engine()
            try:
                self._prepare(to_write=to_write)
            except StoreFault as fault:
                self._engine.dispose()
                raise StoreFault(f"the history {self.shown} {fault}") from None
            except BaseException:
                self._engine.dispose()
                raise

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store."""
        with told(self.shown), self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is all or nothing; of SQLite there is one at a time."""
        with told(self.shown), self._transaction(writes=True) as connection:
            yield connection

    def close(self) -> None:
        """End all connections."""
        self._engine.dispose()

    def _prepare(self, *, to_write: bool) -> None:
        """Bring the tables up to date, and see whether the store can be written where it must."""
        with self._transaction(writes=to_write) as connection:
            version = version_of(connection)
        if version == VERSION:
            return
        if version == 0 and self._is_readable_only:
            raise StoreFault("is not a history; name another file")
        with self._transaction(writes=True) as connection:
            migrate(connection, now())

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        with self._engine.connect() as fresh:
            connection = fresh.execution_options(**{WRITES: writes})
            with connection.begin():
                yield connection

    def _made_engine(self) -> Engine:
        file = self._location.file
        if file is None:
            return _postgres(self._location.url, self.shown)
        if not self._is_readable_only:
            _make_file(file, is_default=self._location.is_default)
        if self._is_readable_only:
            engine = create_engine("sqlite://", creator=lambda: _opened_read_only(file))
        else:
            engine = create_engine(self._location.url)
        _listen_to_sqlite(engine, is_writable=not self._is_readable_only)
        return engine


def _is_read_only(file: str | None) -> bool:
    return file is not None and os.path.exists(file) and not os.access(file, os.W_OK)


def _opened_read_only(file: str) -> sqlite3.Connection:
    """A file that may not be written; where no other process has it open, not even beside it."""
    from urllib.parse import quote  # noqa: PLC0415  seldom needed

    is_alone = not os.path.exists(f"{file}-wal")
    mode = "immutable=1" if is_alone else "mode=ro"
    return sqlite3.connect(f"file:{quote(os.path.abspath(file))}?{mode}", uri=True)


def _make_file(file: str, *, is_default: bool) -> None:
    """Make the file of a store, for its owner alone: SQLite gives its other files the same mode."""
    folder = os.path.dirname(os.path.abspath(file))
    try:
        if is_default:
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            with suppress(FileExistsError):
                os.mkdir(folder, PRIVATE_FOLDER)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except FileExistsError:
        if os.path.isdir(file):
            raise StoreFault(f"the history {file} is a folder; name a file") from None
    except OSError as fault:
        raise StoreFault(f"the history {file} cannot be made: {fault.strerror}") from None


def _listen_to_sqlite(engine: Engine, *, is_writable: bool) -> None:
    """Begin transactions ourselves: Python would begin them late, and without a lock."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {_patience(engine)}")
        connection.execute("PRAGMA trusted_schema = OFF")
        if is_writable:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _patience(engine: Engine) -> int:
    """Milliseconds; `?timeout=SECONDS` in the URL says otherwise."""
    given = engine.url.query.get("timeout")
    return int(1000 * (float(given) if isinstance(given, str) else PATIENCE))


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once; two processes that first do so wait for each other."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    connection.execute("BEGIN EXCLUSIVE")  # waits, which the switch itself does not
    connection.execute("COMMIT")
    with suppress(sqlite3.OperationalError):  # another process uses the store: that one switches
        connection.execute("PRAGMA journal_mode = WAL")


def _postgres(url: str, shown: str) -> Engine:
    try:
        engine = create_engine(
            url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECTING}
        )
    except (ModuleNotFoundError, NoSuchModuleError):
        raise StoreFault(f"the history {shown} {DRIVER}") from None

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.execute(f"SET lock_timeout = '{PATIENCE:g}s'")
        connection.commit()

    return engine
