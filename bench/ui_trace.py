"""A trace of a gigabyte in the pages: what each answer takes, and the memory of who serves them."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from bench import child
from bench.tables import table

GIGABYTE: Final = 1_000_000_000
MEGABYTE: Final = 1_000_000
TOGETHER: Final = 2_000
"""Calls that are written at once."""
PATIENCE: Final = 600.0
"""Seconds that anything may take."""
GLANCE: Final = 0.1
FILE: Final = "/traffic/files/1"


def ui_trace(cache: Path) -> tuple[str, dict[str, Any]]:
    """The table of answers and peaks, and the same as figures."""
    path = cache / "gigabyte.jsonl"
    lines = _write(path)
    figures: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder, _served(path, folder) as (process, get):

        def measure(name: str, work: Callable[[], object]) -> None:
            begun = time.perf_counter()
            work()
            seconds = time.perf_counter() - begun
            figures[name] = {"seconds": seconds, "peak": child.peak_so_far(process) or 0}

        measure("first page, at once", lambda: get(FILE))
        measure("looked through", lambda: _until(get, "is_ready"))
        measure("first page", lambda: get(FILE))
        measure("page in the middle", lambda: get(f"{FILE}?at={lines // 2}"))
        measure("page before the end", lambda: get(f"{FILE}?before={lines}"))
        measure("message at the end", lambda: get(f"{FILE}/messages/{lines}"))
        measure("one look for a text", lambda: get(f"{FILE}/rows?text=nowhere"))
        measure("all of it for a text", lambda: _search(get, "text=nowhere"))
        measure("one look for a tool", lambda: get(f"{FILE}/rows?tool=nowhere"))
        measure("all of it for a tool", lambda: _search(get, "tool=nowhere"))
        measure("judged by validate, beside", lambda: _until(get, "is_judged"))
    rows = [
        [name, f"{one['seconds']:.3f}", f"{one['peak'] / MEGABYTE:.0f}"]
        for name, one in figures.items()
    ]
    head = [f"{path.stat().st_size / MEGABYTE:.0f} MB, {lines:,} lines", "seconds", "peak MB"]
    return table(head, rows), {"lines": lines, **figures}


def _write(path: Path) -> int:
    """Make the trace where it is not there yet; how many lines it has."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.stat().st_size < GIGABYTE:
        with path.open("wb") as file:
            number = 0
            while file.tell() < GIGABYTE:
                file.write(b"".join(map(_exchange, range(number, number + TOGETHER))))
                number += TOGETHER
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def _exchange(id: int) -> bytes:
    """A call and its answer, some hundred bytes each."""
    params = {"name": f"tool{id % 20}", "arguments": {"query": f"words {id}", "limit": id % 100}}
    call = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
    content = [{"type": "text", "text": f"answer {id}: " + "tea and biscuits " * (id % 40)}]
    answer = {"jsonrpc": "2.0", "id": id, "result": {"content": content}}
    return _line("c2s", id, call) + _line("s2c", id, answer)


def _line(direction: str, id: int, message: dict[str, Any]) -> bytes:
    line = {"dir": direction, "session": f"s{id % 50}", "t": id / 100, "raw": json.dumps(message)}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


_Get = Callable[[str], str]


@contextmanager
def _served(path: Path, folder: str) -> Iterator[tuple[subprocess.Popen[bytes], _Get]]:
    """The pages with this trace, and what asks for one of them."""
    own = {"XDG_DATA_HOME": folder, "XDG_RUNTIME_DIR": folder}
    command = child.mcp_assay("ui", "--trace", str(path))
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=null, env=os.environ | own) as process:
        try:
            assert process.stdout is not None
            yield process, _getter(process.stdout.readline().decode().strip())
        finally:
            process.terminate()


def _getter(link: str) -> _Get:
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]

    def get(path: str) -> str:
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{path}: status {answer.status}")
        return text

    return get


def _until(get: _Get, name: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not json.loads(get(f"{FILE}/state"))[name]:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{name} was not true after {PATIENCE:.0f} s")
        time.sleep(GLANCE)


def _search(get: _Get, query: str) -> None:
    """Look on, as the page does, up to the end of the file."""
    at = 1
    while at:
        at = json.loads(get(f"{FILE}/rows?{query}&at={at}"))["after"]
