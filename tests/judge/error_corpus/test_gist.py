"""The one line of standard error that says what went wrong."""

from __future__ import annotations

import pytest

from mcp_assay.judge.errors.stderr import LONGEST, gist

PYTHON = """INFO: called
Traceback (most recent call last):
  File "/home/ada/srv/app.py", line 8, in run
    return tool(query)
  File "/home/ada/srv/notes.py", line 23, in search_notes
    wanted = query.encode("ascii")
UnicodeEncodeError: 'ascii' codec can't encode character '\\xe9'
"""
CHAINED = """Traceback (most recent call last):
  File "/srv/db.py", line 3, in load
    rows = table["x"]
KeyError: 'x'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/app.py", line 9, in call
    raise ToolError("failed") from fault
ToolError: failed
"""
BOXED = """[11/16/26 05:12:01] ERROR    Error calling tool 'search'
╭──────── Traceback (most recent call last) ────────╮
│ /srv/server.py:23 in search                        │
│ ❱ 23     q = query.encode("ascii")                 │
╰────────────────────────────────────────────────────╯
UnicodeEncodeError: 'ascii' codec can't encode character
"""
JAVASCRIPT = """TypeError: Cannot read properties of undefined (reading 'id')
    at getNote (/home/ada/srv/notes.js:12:7)
    at main (/home/ada/srv/index.js:3:1)
"""


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        ("", None),
        ("  \n", None),
        (
            PYTHON,
            (
                "UnicodeEncodeError: 'ascii' codec can't encode character '\\xe9' "
                "(notes.py:23 in search_notes)"
            ),
        ),
        (CHAINED, "KeyError: 'x' (db.py:3 in load)"),
        (
            BOXED,
            "UnicodeEncodeError: 'ascii' codec can't encode character (server.py:23 in search)",
        ),
        (
            JAVASCRIPT,
            (
                "TypeError: Cannot read properties of undefined (reading 'id') "
                "(notes.js:12 in getNote)"
            ),
        ),
        ("2026-11-16 05:12:01,123 ERROR out of ink\n", "ERROR out of ink"),
        ("starting\nbye <Pen object at 0x7f31a2b4>\n", "bye <Pen object at 0x…>"),
    ],
)
def test_it_names_what_was_raised_and_where(stderr: str, line: str | None) -> None:
    assert gist(stderr) == line


def test_it_is_short_and_quickly_found_in_anything() -> None:
    assert len(gist("x" * 1_000_000) or "") == LONGEST
    assert gist('  File "' * 100_000) is not None
