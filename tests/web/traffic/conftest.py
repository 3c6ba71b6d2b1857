"""Pages that show traffic: a trace file or two, and whatever proxies a test starts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.recorded import MARKUP
from tests.web.served import Served, serving
from tests.web.traffic.traces import answer, call, calls, line

MANY = 10_000
"""Calls in the large file: some 3 MB."""
FAULTY, LARGE = 1, 2
"""The numbers of the files; the large one is there for tests that ask for `large_trace`."""
NULL_ID = '{"jsonrpc":"2.0","id":null,"method":"ping"}'


@pytest.fixture
def history_url(tmp_path: Path) -> str:
    """A history without a run: these pages do not ask it."""
    return f"sqlite:///{tmp_path}/history.db"


@pytest.fixture(scope="session")
def large_trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace of some size, with one call that stands out far behind."""
    path = tmp_path_factory.mktemp("traces") / "large.jsonl"
    odd = [line("c2s", call(1, "odd_one", word="needle")), line("s2c", answer(1, "found it"))]
    path.write_bytes(b"".join([*calls(MANY), *odd, *calls(100)]))
    return path


@pytest.fixture
def faulty_trace(tmp_path: Path) -> Path:
    """A trace with faults, and with markup wherever a server has a say."""
    path = tmp_path / "faulty <b>.jsonl"
    lines = [
        line("c2s", NULL_ID, MARKUP),
        line("c2s", {"jsonrpc": "2.0", "id": 1, "method": MARKUP}, MARKUP),
        line("c2s", call(2, MARKUP, **{MARKUP: MARKUP}), MARKUP),
        line("s2c", answer(2, MARKUP * 2_000), MARKUP),
        line("s2c", MARKUP, MARKUP),
    ]
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def served(
    history_url: str, faulty_trace: Path, request: pytest.FixtureRequest
) -> Iterator[Served]:
    """The pages, with the large file only where it is looked at: judging it takes long."""
    traces = [str(faulty_trace)]
    if "large_trace" in request.fixturenames:
        traces.append(str(request.getfixturevalue("large_trace")))
    with serving(history_url, traces=traces) as its:
        yield its
