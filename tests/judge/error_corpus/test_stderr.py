"""The one line of standard error that says what went wrong."""

from __future__ import annotations

import pytest

from mcp_assay.judge.errors.stderr import LONGEST, raised_in

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
IN_LIBRARIES = """Traceback (most recent call last):
  File "/venv/lib/python3.11/site-packages/mcp/server/tools/base.py", line 179, in run
    result = await self.fn(**arguments)
  File "/home/ada/srv/notes.py", line 23, in load
    return json.loads(text)
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
PUBLISHED = """Traceback (most recent call last):
  File "/venv/lib/python3.11/site-packages/anyio/to_thread.py", line 65, in run_sync
    return await future
  File "/venv/lib/python3.11/site-packages/office_server/pages.py", line 7, in open_page
    return requests.get(url)
  File "/venv/lib/python3.11/site-packages/requests/api.py", line 73, in get
    raise InvalidURL(url)
requests.exceptions.InvalidURL: No host supplied
"""
STARTED = """Traceback (most recent call last):
  File "/venv/bin/office-server", line 8, in <module>
    sys.exit(main())
  File "/venv/lib/python3.11/site-packages/office_server/start.py", line 4, in main
    load(None)
  File "/venv/lib/python3.11/site-packages/yaml/loader.py", line 73, in load
    raise TypeError(text)
TypeError: None
"""
WRAPPED_BY_ANY = """TypeError: Cannot read properties of undefined
    at find (/srv/app/tools.js:12:7)
    at run (/srv/app/node_modules/another-library-for-servers/index.js:90:3)
"""
NODE = """TypeError: fetch failed
    at node:internal/deps/undici/undici:12345:11
    at request (/srv/node_modules/got/index.js:9:3)
    at getNote (/srv/notes.js:12:7)
    at handle (/srv/node_modules/@modelcontextprotocol/sdk/dist/server/mcp.js:120:5)
"""


@pytest.mark.parametrize(
    ("stderr", "place"),
    [
        (IN_LIBRARIES, "notes.py:23 in load"),
        (PUBLISHED, "pages.py:7 in open_page"),
        (STARTED, "start.py:4 in main"),
        (WRAPPED_BY_ANY, "tools.js:12 in find"),
        (NODE, "notes.js:12 in getNote"),
    ],
)
def test_the_place_is_the_author_s_not_that_of_a_library(stderr: str, place: str) -> None:
    raised = raised_in(stderr)
    assert raised is not None
    assert raised.place == place


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
    raised = raised_in(stderr)
    assert (str(raised) if raised else None) == line


def test_it_is_short_and_quickly_found_in_anything() -> None:
    assert len(str(raised_in("x" * 1_000_000))) == LONGEST
    assert raised_in('  File "' * 100_000) is not None


OF_PYTHON = '  File "/usr/lib/python3.11/re/_parser.py", line 252, in __next\n'
OF_AUTHOR = '  File "/srv/cookbook/server.py", line 40, in search\n'


@pytest.mark.parametrize(
    ("frames", "place"),
    [
        (OF_PYTHON, "_parser.py:252 in __next, part of Python"),
        (OF_AUTHOR + OF_PYTHON, "server.py:40 in search"),
        ('  File "<string>", line 1, in run\n', "<string>:1 in run"),
    ],
)
def test_a_frame_that_nobody_here_wrote_says_whose_it_is(frames: str, place: str) -> None:
    trace = f"Traceback (most recent call last):\n{frames}ValueError: bad escape\n"
    raised = raised_in(trace)
    assert raised is not None
    assert raised.place == place
