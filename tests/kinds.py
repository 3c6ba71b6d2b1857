"""Which tests run when: `make quick` leaves out what is live, `make test` what is slow.

A path is a folder or a file under tests/. What is not named here starts no process, and a test that
does all the same fails: so the table stays true.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

LIVE: Final = (
    "assess",
    "bench",
    "capability",
    "ci",
    "cli",
    "client",
    "contracts",
    "drift/test_definitions.py",
    "drift/test_reports.py",
    "envelope",
    "facades/test_demo_server.py",
    "judge/errors/test_wording.py",
    "meta",
    "proxy",
    "real",
    "report/test_diff.py",
    "report/test_html_in_browser.py",
    "robustness/test_time_and_memory.py",
    "rules/session/test_tools.py",
    "rules/test_loading.py",
    "schema/test_official_suite.py",
    "schema/test_outside.py",
    "servers",
    "text/test_safe.py",
    "validate/test_shares.py",
)
"""Tests that start a process, a browser or a real server."""

SLOW: Final[tuple[str, ...]] = ()
"""Tests of the whole catalogue of servers, of real servers and of large corpora: `make slow`."""


def is_under(path: str, places: tuple[str, ...]) -> bool:
    """Whether a file under tests/ is one of the places, or stands in one of them."""
    return any(path == place or path.startswith(f"{place}/") for place in places)


@contextmanager
def no_process() -> Iterator[None]:
    """Let whoever starts a process meanwhile fail, and say where that belongs."""
    start: Any = subprocess.Popen.__init__

    def refuse(*arguments: object, **_: object) -> None:
        raise AssertionError(
            f"a quick test started {arguments[1]}: name its file in tests/kinds.py"
        )

    subprocess.Popen.__init__ = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        subprocess.Popen.__init__ = start  # type: ignore[method-assign]
