"""Reads what a proxy offers on its private socket, as a page would."""

from __future__ import annotations

import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mcp_assay.client.private_sockets import connected, listeners
from mcp_assay.proxy.feed_news import HEAD, KIND, News, unpack
from tests.patience import LONGEST

SHORT = "/tmp"


def feeds() -> list[str]:
    """The sockets of all proxies that offer their traffic."""
    return listeners(KIND)


@contextmanager
def short_runtime_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder of its own for a test: the paths of sockets may not be long."""
    with TemporaryDirectory(prefix="rt", dir=SHORT) as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


@contextmanager
def reading(path: str) -> Iterator[Iterator[News]]:
    """All that comes up to the end, each waited for no longer than allowed.

    The last may be cut: at the end nobody is waited for long.
    """
    connection = connected(path)
    assert connection is not None
    connection.settimeout(LONGEST)
    with connection, connection.makefile("rb") as stream:
        assert select.select([connection], [], [], LONGEST)[0]

        def news() -> Iterator[News]:
            while head := stream.read(HEAD.size):
                (size,) = HEAD.unpack(head.ljust(HEAD.size, b"\0"))
                record = stream.read(size)
                if len(head) < HEAD.size or len(record) < size:
                    return
                yield unpack(record)

        yield news()
