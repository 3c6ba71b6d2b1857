"""A trace file is shown page by page: filtered, bounded, and with what is known of each line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from mcp_assay.proxy.feed_news import FoundNews
from mcp_assay.validate.lines import Unreadable
from mcp_assay.web.traffic import trace_file, trace_index
from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.row_pages import ROWS, RowPage
from mcp_assay.web.traffic.trace_file import TraceFile
from tests.web.traffic.traces import answer, call, calls, line, looked_through

ALL = TrafficFilter()
COUNT = 1000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is looked through at a time, so that a small file takes many looks."""
    monkeypatch.setattr(trace_index, "BLOCK", 4096)
    monkeypatch.setattr(trace_file, "MOST_SCANNED", 20_000)


def numbers(page: RowPage) -> list[int]:
    return [row.number for row in page.rows]


def forwards(file: TraceFile, wanted: TrafficFilter) -> list[int]:
    """The numbers of all rows that are wanted, page by page from the beginning."""
    found, at = [], 1
    while at:
        page = file.page_from(at, wanted)
        found += numbers(page)
        assert page.after == 0 or page.after > at
        at = page.after
    return found


def backwards(file: TraceFile, wanted: TrafficFilter) -> list[int]:
    """The same, page by page from the end."""
    found: list[int] = []
    before = file.index.lines + 1
    while before:
        page = file.page_before(before, wanted)
        found = numbers(page) + found
        assert page.before < before
        before = page.before
    return found


def test_rows_say_what_passed_and_what_it_answers(tmp_path: Path) -> None:
    file = looked_through(
        tmp_path / "trace.jsonl",
        [
            line("c2s", call(1, "find", q="tea"), t=1.5),
            line("s2c", answer(1, "found")),
            line("c2s", {"jsonrpc": "2.0", "id": 2, "method": "nonsense"}),
            line("s2c", {"jsonrpc": "2.0", "id": 2, "error": {"code": -32601, "message": "no"}}),
            line("c2s", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
            line("s2c", "listening on port 80"),
            line("s2c", [{"jsonrpc": "2.0", "id": 3, "method": "ping"}]),
            b'{"dir":"s2c","session":"s","end":true}\n',
            b'{"dir":"up"}\n',
            b"\n",
            json.dumps(call(7, "bare")).encode() + b"\n",
            b"\xff\xfe\n",
        ],
    )
    rows = file.page_from(1, ALL).rows
    assert [(row.number, row.kind, row.method, row.tool) for row in rows] == [
        (1, "request", "tools/call", "find"),
        (2, "result", "tools/call", "find"),
        (3, "request", "nonsense", ""),
        (4, "error", "nonsense", ""),
        (5, "notification", "notifications/initialized", ""),
        (6, "text", "", ""),
        (7, "batch", "", ""),
        (8, "end", "", ""),
        (9, "text", "", ""),
        (11, "request", "tools/call", "bare"),
        (12, "text", "", ""),
    ]
    assert (rows[0].at, rows[0].session, rows[0].direction) == (1.5, "s", "c2s")
    assert rows[9].direction is None
    assert rows[0].size == len(json.dumps(call(1, "find", q="tea")))
    file.close()


@pytest.mark.usefixtures("small")
def test_pages_lead_through_the_whole_file_in_both_directions(tmp_path: Path) -> None:
    file = looked_through(tmp_path / "trace.jsonl", calls(COUNT))
    expected = list(range(1, 2 * COUNT + 1))
    assert forwards(file, ALL) == expected
    assert backwards(file, ALL) == expected
    first = file.page_from(1, ALL)
    assert (len(first.rows), first.before, first.after) == (ROWS, 0, ROWS + 1)
    middle = file.page_from(500, ALL)
    assert numbers(middle)[0] == middle.before == 500
    file.close()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"tool": "TOOL1"}, [n for n in range(1, 2001) if (n - 1) // 2 % 3 == 1]),
        ({"method": "tools/", "direction": "s2c"}, list(range(2, 2001, 2))),
        ({"text": "Told77"}, [156, *range(1542, 1561, 2)]),
        ({"text": '"ask500"'}, [1001]),
        ({"text": "nowhere"}, []),
        ({"session": 3, "direction": "c2s", "text": "ask99"}, [199, *range(1981, 2000, 2)]),
        ({"found": "any"}, [7, 1500]),
        ({"found": "warning", "text": "told"}, [1500]),
    ],
)
def test_a_filter_finds_the_same_in_small_looks(
    wanted: dict[str, Any], expected: list[int], tmp_path: Path
) -> None:
    file = looked_through(tmp_path / "trace.jsonl", calls(COUNT))
    file.found = {
        7: (FoundNews(7, "JSONRPC-005", "null-request-id", "error", "client", "x"),),
        1500: (FoundNews(1500, "CALL-001", "no-content", "warning", "server", "x"),),
    }
    chosen = TrafficFilter(**wanted)
    assert forwards(file, chosen) == expected
    assert backwards(file, chosen) == expected
    file.close()


@pytest.mark.usefixtures("small")
def test_one_look_is_bounded_and_says_where_to_go_on(tmp_path: Path) -> None:
    file = looked_through(tmp_path / "trace.jsonl", calls(COUNT))
    page = file.page_from(1, TrafficFilter(tool="nowhere"))
    assert page.rows == ()
    assert 1 < page.after < 2 * COUNT
    assert page.scanned < 30_000
    back = file.page_before(2 * COUNT, TrafficFilter(tool="nowhere"))
    assert 1 < back.before < 2 * COUNT
    file.close()


@pytest.mark.parametrize("word", ["caf\u00e9", "a/b", "\u212a", 'say "x"'])
def test_a_text_is_found_however_it_is_escaped(word: str, tmp_path: Path) -> None:
    escaped = "".join(f"\\u{ord(one):04x}" for one in "tea")
    lines = [
        line("c2s", f'{{"jsonrpc":"2.0","method":"x","params":{{"a":"{escaped}"}}}}'),
        line("c2s", json.dumps({"a": word}, ensure_ascii=False).replace('\\"', '"')),
        b'{"dir":"c2s","raw":"\\u0074ea"}\n',
    ]
    file = looked_through(tmp_path / "trace.jsonl", lines)
    assert forwards(file, TrafficFilter(text=word)) == [2]
    assert forwards(file, TrafficFilter(text="TEA")) == [3]
    file.close()


def test_a_letter_that_folds_into_ascii_is_found(tmp_path: Path) -> None:
    kelvin = line("c2s", "300 \u212a").decode().replace("\\u212a", "\u212a").encode()
    file = looked_through(tmp_path / "trace.jsonl", [kelvin])
    assert forwards(file, TrafficFilter(text="300 k")) == [1]
    file.close()


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_is_shown_as_it_is(pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    path = tmp_path / "trace.jsonl.gz"
    path.write_bytes(pack(b"".join(calls(COUNT))))
    file = looked_through(path)
    assert forwards(file, TrafficFilter(text="told99")) == [200, *range(1982, 2001, 2)]
    assert file.problem == ""
    file.close()


def test_of_a_packed_file_only_so_much_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(calls(20 * COUNT))))
    file = looked_through(path, most_unpacked=1 << 18)
    assert "trace.jsonl.gz is larger than that: only its first" in file.problem
    assert file.is_ready
    assert file.index.seen < 1 << 20
    file.close()


def test_a_packed_file_that_is_cut_off_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(calls(COUNT)))[:-500])
    file = looked_through(path)
    words = "trace.jsonl.gz is incomplete: its compressed data is truncated; "
    assert file.problem == f"{words}what could be read is shown."
    assert 0 < len(forwards(file, ALL)) < 2 * COUNT
    file.close()


def test_a_line_too_long_to_read_is_shown_by_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_index, "LONGEST_LINE", 1 << 19)
    long = line("s2c", answer(1, "x" * (1 << 20)))
    file = looked_through(tmp_path / "trace.jsonl", [*calls(1), long, *calls(1)])
    rows = file.page_from(1, ALL).rows
    assert [row.kind for row in rows] == ["request", "result", "missing", "request", "result"]
    assert rows[2].size == len(long) - 1
    assert rows[2].is_cut
    message = file.message(3)
    assert message is not None
    assert message.is_cut
    assert message.text.startswith('{"dir":"s2c"')
    assert len(message.text) < 10_000
    file.close()


def test_a_message_is_shown_whole_and_indented(tmp_path: Path) -> None:
    text = '{"a":1e400,"a":"\u202e<b>", "b" : [ ]}'
    file = looked_through(tmp_path / "trace.jsonl", [line("c2s", text)])
    message = file.message(1)
    assert message is not None
    assert message.text == '{"a":1e400,"a":"\\u202e<b>", "b" : [ ]}'
    assert message.indented == '{\n  "a": 1e400,\n  "a": "\\u202e<b>",\n  "b": []\n}'
    assert not message.is_cut
    assert file.message(0) is file.message(2) is None
    file.close()


@pytest.mark.parametrize("text", ["[" * 5_000, "[" * 900 + "]" * 900, "[0" + ",[0]" * 30_000 + "]"])
def test_a_message_that_would_become_very_large_is_not_indented(text: str, tmp_path: Path) -> None:
    file = looked_through(tmp_path / "trace.jsonl", [line("c2s", text)])
    message = file.message(1)
    assert message is not None
    assert len(message.indented) <= 1 << 22
    assert message.text == text
    file.close()


def test_a_file_that_grows_or_begins_anew_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    file = looked_through(path, calls(2))
    assert len(forwards(file, ALL)) == 4
    with path.open("ab") as more:
        more.writelines(calls(1))
    assert file.go_on()
    assert len(forwards(file, ALL)) == 6
    path.write_bytes(calls(1)[0])
    assert file.go_on()
    assert len(forwards(file, ALL)) == 1
    file.close()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"no\.jsonl does not exist; check the path"):
        TraceFile(str(tmp_path / "no.jsonl"))
    with pytest.raises(Unreadable, match="is a folder"):
        TraceFile(str(tmp_path))
