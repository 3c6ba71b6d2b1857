"""Stores for tests: the same tests run on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from tests.history.postgres import Postgres, running_postgres

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="module")  # it stops behind one of these tests, which may start programs
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that is running."""
    with running_postgres() as server:
        yield server


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store that is not there yet, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'history.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def opened(url: str) -> Iterator[Callable[..., Store]]:
    """Opens the store; each is closed in the end."""
    stores: list[Store] = []

    def open_it(**more: Any) -> Store:
        stores.append(Store(located(url), **more))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[..., Store]) -> Store:
    """The store, open."""
    return opened()
