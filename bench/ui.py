"""The pages over a large history: first answers against the query behind each, bytes, memory."""

from __future__ import annotations

import http.client
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from sqlalchemy import Connection

from bench import child
from bench.history import RUNS, SERVERS, TOOLS, fill
from bench.tables import Row, table
from mcp_assay.history.location import located
from mcp_assay.history.names import report_of
from mcp_assay.history.server_list import ServerFilter, listed_servers
from mcp_assay.history.store import Store
from mcp_assay.history.timelines import TimelineView, server_timeline, tool_timeline
from mcp_assay.web.server.comparison_page import comparison_values

ROUNDS: Final = 60
PROMISED: Final = 2.0
"""Times the query behind a page."""
MOST_BYTES: Final = 300_000
CHECKPOINTS: Final = (1_000, 2_500, 5_000, 10_000)
"""Requests after which the memory of the server is read."""
MEGABYTE: Final = 1_000_000


DEMO: Final = SERVERS * RUNS + 1
"""The run behind all that the generator makes."""
CALLS: Final = f"/calls/{SERVERS * TOOLS + 1}/{DEMO}"
"""Those of the first tool of the demo server."""
FIRST: Final = TimelineView()
"""What a page of a server or a tool shows first."""


class MeasuredPage(Struct, frozen=True):
    """A page, and the question whose answer it shows."""

    name: str
    path: str
    ask: Callable[[Connection], object]


PAGES: Final[Sequence[MeasuredPage]] = (
    MeasuredPage("servers", "/", lambda c: listed_servers(c, ServerFilter())),
    MeasuredPage(
        "by open errors",
        "/?sort=errors",
        lambda c: listed_servers(c, ServerFilter(order="errors")),
    ),
    MeasuredPage(
        "found by text",
        "/?q=server+5",
        lambda c: listed_servers(c, ServerFilter(text="server 5")),
    ),
    MeasuredPage(
        "the last page",
        "/?sort=name&page=20",
        lambda c: listed_servers(c, ServerFilter(order="name", page=20)),
    ),
    MeasuredPage("a server over time", "/servers/50", lambda c: server_timeline(c, 50, FIRST)),
    MeasuredPage("a tool over time", "/tools/20", lambda c: tool_timeline(c, 20, FIRST)),
    MeasuredPage("two runs", "/compare?old=301&new=320", lambda c: comparison_values(c, 301, 320)),
    MeasuredPage("calls of the demo", CALLS, lambda c: report_of(c, DEMO)),
    MeasuredPage("a run of the demo", f"/runs/{DEMO}", lambda c: report_of(c, DEMO)),
)


class _Browser:
    """One connection to the pages, let in by a link."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self._connection: Final = http.client.HTTPConnection(str(parts.hostname), parts.port)
        self._headers: Final[dict[str, str]] = {}
        self._request(link)

    def get(self, path: str) -> bytes:
        status, content = self._request(path)
        if status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path} answers with {status}: {content[:300]!r}")
        return content

    def _request(self, path: str) -> tuple[int, bytes]:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        if cookie := answer.headers.get("Set-Cookie"):
            self._headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, answer.read()


def ui(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of the pages and that of the memory, and the same as figures."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as own:
        url = f"sqlite:///{own}/h.db"
        store = Store(located(url))
        fill(store)
        child.run(child.mcp_assay("demo", "--quiet", "--history", url))
        with _serving(url) as (process, link):
            browser = _Browser(link)
            answers, figures = _answers(store, browser)
            memory, peaks = _memory(process, browser)
        store.close()
    return f"{answers}\n\n{memory}", {"pages": figures, "memory": peaks}


@contextmanager
def _serving(url: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    command = child.mcp_assay("ui", "--history", url)
    with TemporaryDirectory(prefix="ui-") as sockets:
        environment = {**os.environ, "XDG_RUNTIME_DIR": sockets}
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(command, stdout=pipe, stderr=null, env=environment)
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().decode().strip()
        finally:
            process.terminate()
            process.communicate()


def _answers(store: Store, browser: _Browser) -> tuple[str, dict[str, Any]]:
    rows: list[Row] = []
    figures: dict[str, Any] = {}
    for page in PAGES:
        first, size = _seconds(partial(browser.get, page.path)), len(browser.get(page.path))
        asked = _fastest(partial(_asked, store, page))
        answered = _fastest(partial(browser.get, page.path))
        figures[page.name] = {"query_ms": 1000 * asked, "answer_ms": 1000 * answered, "bytes": size}
        rows.append(
            (
                page.name,
                *(_ms(asked), _ms(answered), _ms(first)),
                f"{answered / asked:.1f}, promised {PROMISED:g}",
                f"{size:,}, promised {MOST_BYTES:,}",
            )
        )
    heads = ("page", "query", "answer", "very first", "times", "bytes")
    return table(heads, rows), figures


def _memory(
    process: subprocess.Popen[bytes], browser: _Browser
) -> tuple[str, dict[str, int | None]]:
    found: dict[str, int | None] = {}
    paths, done = cycle([page.path for page in PAGES]), 0
    for wanted in CHECKPOINTS:
        for path in islice(paths, wanted - done):
            browser.get(path)
        done = wanted
        found[f"{wanted:,} requests"] = child.resident(process)
    rows = [(at, f"{(size or 0) / MEGABYTE:.1f}") for at, size in found.items()]
    return table(("memory of the server after", "MB"), rows), found


def _asked(store: Store, page: MeasuredPage) -> object:
    with store.reading() as connection:
        return page.ask(connection)


def _fastest(work: Callable[[], object]) -> float:
    """The shortest time of several: what others make the machine do only ever adds to it."""
    return min(_seconds(work) for _ in range(ROUNDS))


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"
