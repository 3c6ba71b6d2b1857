"""The pages of traffic over HTTP: all proxies and files, page by page, exported, and refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from html import unescape
from pathlib import Path

import pytest

from mcp_assay.text.lines import counted
from mcp_assay.validate import validate
from mcp_assay.web.traffic import traffic_hub
from tests.patience import LONGEST
from tests.web.recorded import MARKUP
from tests.web.served import Served, serving
from tests.web.traffic.conftest import FAULTY, LARGE, MANY, NULL_ID
from tests.web.traffic.proxies import DEMO_SERVER, FLOOD, Talk, talking, until
from tests.web.traffic.traces import call

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def cookie(served: Served) -> str:
    return served.cookie()


def rows(text: str) -> list[int]:
    """The numbers of the rows of a page."""
    shown = text.partition('<template id="row">')[0]
    return [int(number) for number in re.findall(r'<tr id="message-(\d+)"', shown)]


def links(served: Served, cookie: str) -> list[str]:
    """The addresses of the proxies that are listed."""
    return re.findall(r'href="(/traffic/live/\d+)"', served.get("/traffic", cookie).text)


def is_listed(served: Served, cookie: str, proxy: int) -> bool:
    return f"/traffic/live/{proxy}" in links(served, cookie)


def when_rows(served: Served, cookie: str, path: str, count: int) -> str:
    """A page, as soon as it has so many rows."""

    def page() -> str | None:
        text = served.get(path, cookie).text
        return text if len(rows(text)) == count else None

    found: str = until(page, f"{count} rows")
    return found


def when_ready(served: Served, cookie: str, file: int) -> None:
    """Wait until a file was looked through and judged."""

    def is_ready() -> bool:
        state = json.loads(served.get(f"/traffic/files/{file}/state", cookie).text)
        return bool(state["is_ready"] and state["is_judged"])

    until(is_ready, "the findings")


@pytest.fixture
def demo(served: Served) -> Iterator[Talk]:
    with talking(DEMO_SERVER, "--env", f"KEY={TOKEN}") as talk:
        talk.shake_hands()
        yield talk


def test_a_proxy_appears_with_its_messages_and_stays_after_its_end(
    served: Served, cookie: str, demo: Talk
) -> None:
    (link,) = until(lambda: links(served, cookie), "the proxy")
    demo.ask(call(7, "no_such_tool", password=TOKEN))
    demo.ask(NULL_ID.encode())
    text = when_rows(served, cookie, link, 7)
    assert TOKEN not in text
    assert "[redacted]" in text
    assert ">JSONRPC-005</a>" in text
    assert 'href="https://modelcontextprotocol.io/' in text
    demo.hang_up()
    until(lambda: "ended: server exit 0" in served.get(link, cookie).text, "the end")
    assert rows(served.get(link, cookie).text)[:5] == [1, 2, 3, 4, 5]
    assert "ended: server exit 0" in served.get("/traffic", cookie).text


def test_what_passed_before_the_pages_were_served_is_there(history_url: str) -> None:
    with talking(DEMO_SERVER) as talk:
        talk.shake_hands()
        talk.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        with serving(history_url) as one, serving(history_url) as other:
            for served in (one, other):
                cookie = served.cookie()
                (link,) = until(partial(links, served, cookie), "the proxy")
                assert len(rows(when_rows(served, cookie, link, 5))) == 5


def test_several_proxies_are_followed_at_once(served: Served, cookie: str) -> None:
    with ExitStack() as talks:
        for number in range(3):
            talk = talks.enter_context(talking(["cat"]))
            talk.ask({"jsonrpc": "2.0", "id": number, "method": f"method-{number}"})
        until(lambda: len(links(served, cookie)) == 3, "three proxies")
        found = {
            name
            for link in links(served, cookie)
            for name in re.findall(r"method-\d", when_rows(served, cookie, link, 2))
        }
    assert found == {"method-0", "method-1", "method-2"}


def test_only_the_latest_that_ended_are_kept(
    served: Served, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic_hub, "MOST_ENDED", 1)
    for number in (1, 2):
        with talking(["cat"]) as talk:
            talk.ask(b"{}")
            until(partial(is_listed, served, cookie, number), "the proxy")
    until(lambda: links(served, cookie) == ["/traffic/live/2"], "the end of the first")
    assert served.get("/traffic/live/1", cookie).status == 404


def test_an_export_opens_in_validate_and_says_the_same(
    served: Served, cookie: str, demo: Talk, tmp_path: Path
) -> None:
    (link,) = until(lambda: links(served, cookie), "the proxy")
    demo.ask(b'{"jsonrpc":"2.0","id":null,"method":"ping"}')
    when_rows(served, cookie, link, 5)
    answer = served.get(f"{link}/export", cookie)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="trace.jsonl"'
    file = tmp_path / "exported.jsonl"
    file.write_text(answer.text, "utf-8")
    command = [sys.executable, "-m", "mcp_assay", "validate", "--format", "json", str(file)]
    ended = subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
    report = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert report["summary"]["messages"] == 5
    assert "JSONRPC-005" in {one["rule"] for one in report["findings"]}
    part = served.get(f"{link}/export?direction=c2s", cookie).text
    assert part.count("\n") == 3
    assert '"lost":1' in part


def test_a_flood_is_bounded_and_what_is_missing_is_said(served: Served, cookie: str) -> None:
    with talking([*FLOOD, "12000"]) as talk:
        talk.ask(b"{}")
        talk.pass_over_answers()
        (link,) = until(lambda: links(served, cookie), "the proxy")

        def is_seen() -> bool:
            seen = re.search(r'id="messages">([\d,]+)<', served.get(link, cookie).text)
            missed = re.search(r'id="missed-count">([\d,]+)<', served.get(link, cookie).text)
            assert seen
            assert missed
            numbers = [int(one[1].replace(",", "")) for one in (seen, missed)]
            return sum(numbers) >= 12_001

        until(is_seen, "the flood")
        text = served.get(link, cookie).text
        assert len(rows(text)) == 100
        assert "are no longer kept" in text
        assert served.get(f"{link}/messages/1", cookie).status == 404


def test_a_large_file_is_read_page_by_page(served: Served, cookie: str, large_trace: Path) -> None:
    path = f"/traffic/files/{LARGE}"
    when_ready(served, cookie, LARGE)
    first = served.get(path, cookie).text
    assert rows(first) == list(range(1, 101))
    assert f"{large_trace.read_bytes().count(10):,} lines" in first
    middle = served.get(f"{path}?at=10001", cookie).text
    assert rows(middle) == list(range(10_001, 10_101))
    (earlier,) = re.findall(r'rel="prev" href="([^"]+)"', middle)
    assert rows(served.get(unescape(earlier), cookie).text) == list(range(9_901, 10_001))
    needle = served.get(f"{path}?text=needle", cookie).text
    assert rows(needle) == [2 * MANY + 1]
    tool = served.get(f"{path}?tool=odd&at=15000", cookie).text
    assert rows(tool) == [2 * MANY + 1, 2 * MANY + 2]
    message = served.get(f"{path}/messages/{2 * MANY + 2}", cookie)
    assert "found it" in message.text
    assert len(first) < 200_000


def test_an_export_of_a_file_has_what_the_filter_shows(
    served: Served, cookie: str, large_trace: Path
) -> None:
    path = f"/traffic/files/{LARGE}/export"
    when_ready(served, cookie, LARGE)
    assert served.get(path, cookie).text == large_trace.read_text("utf-8")
    odd = served.get(f"{path}?tool=odd_one", cookie).text.splitlines()
    assert [json.loads(one).get("lost") for one in odd] == [2 * MANY, None]


def test_findings_stand_beside_the_lines_of_a_file(
    served: Served, cookie: str, faulty_trace: Path
) -> None:
    when_ready(served, cookie, FAULTY)
    path = f"/traffic/files/{FAULTY}"
    report = validate([str(faulty_trace)])
    text = served.get(path, cookie).text
    for finding in report.findings:
        assert f">{finding.rule}</a>" in text, finding
    assert counted(report.summary.errors, "error") in text
    assert rows(served.get(f"{path}?found=error", cookie).text)[0] == 1


def test_nothing_of_a_server_becomes_markup(served: Served, cookie: str) -> None:
    when_ready(served, cookie, FAULTY)
    for path in ("", "/messages/2", "/messages/3", "/messages/4", "/messages/5"):
        text = served.get(f"/traffic/files/{FAULTY}{path}", cookie).text
        assert MARKUP not in text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/traffic/live/1",
        "/traffic/live/1/events",
        "/traffic/live/1/export",
        "/traffic/live/1/messages/1",
        "/traffic/files/3",
        "/traffic/files/0",
        "/traffic/files/1/messages/0",
        "/traffic/files/1/messages/999999999999999",
        "/traffic/files/1/messages/9999999999999999999999",
        "/traffic/files/x",
        "/traffic/files/..%2f..%2fetc",
    ],
)
def test_what_is_not_there_is_said(served: Served, cookie: str, path: str) -> None:
    answer = served.get(path, cookie)
    assert answer.status == 404
    assert served.send("GET", path).status == 403
    assert served.post(path, cookie=cookie).status in (404, 405)


@pytest.mark.parametrize(
    "query",
    [
        "at=-1",
        "at=x",
        f"at={'9' * 400}",
        "before=0",
        "session=zzz",
        "found=x&direction=up",
        "at=%00",
    ],
)
def test_a_query_that_says_nothing_is_passed_over(served: Served, cookie: str, query: str) -> None:
    answer = served.get(f"/traffic/files/{FAULTY}?{query}", cookie)
    assert answer.status == 200
    assert rows(answer.text)[0] == 1


def test_a_trace_that_is_not_there_ends_the_command_with_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mcp_assay", "ui", "--trace", "nowhere.jsonl"]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST, check=False, cwd=tmp_path
    )
    assert ended.returncode == 2
    assert "--trace: nowhere.jsonl does not exist; check the path" in ended.stderr
