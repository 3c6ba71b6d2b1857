"""The traffic of a proxy on its private socket: bounded, without secrets, waiting for nobody."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from mcp_assay.proxy.feed_news import (
    LONGEST_LINE,
    FoundLateNews,
    FoundNews,
    MissedNews,
    News,
    OpenedNews,
    OverNews,
    PassedNews,
)
from mcp_assay.proxy.traffic_feed import FeedLimits, TrafficFeed
from mcp_assay.validate import validate
from mcp_assay.validate.options import Options
from tests.patience import LONGEST
from tests.proxy.feed_reader import feeds, reading, short_runtime_folder
from tests.proxy.stdio import children, ends_in_time, finish, proxied, read_line, run, say, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs unix sockets")

TOKEN = "ghp_" + "a1B2" * 9
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
BAD = b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n'


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with short_runtime_folder(monkeypatch) as folder:
        yield folder


def passed(number: int, size: int = 10) -> PassedNews:
    return PassedNews(number, b"x" * size, size)


def numbers(received: list[News]) -> list[int]:
    return [one.number for one in received if isinstance(one, PassedNews)]


def missed(received: list[News]) -> int:
    return sum(one.count for one in received if isinstance(one, MissedNews))


def until_shown() -> list[str]:
    """The proxies that offer their traffic, as soon as one does that lives."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        if found := [path for path in feeds() if is_living(path)]:
            return found
    raise AssertionError("no proxy showed its traffic in time")


def is_living(path: str) -> bool:
    """Whether the process after which a socket is named is alive."""
    try:
        os.kill(int(Path(path).name.split("-")[1]), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def feed() -> Iterator[TrafficFeed]:
    made = TrafficFeed("crm", "crm-1", FeedLimits(records=5, kept=1000, waiting=50_000, readers=2))
    yield made
    made.close("done")
    assert feeds() == []


def test_a_reader_gets_what_is_kept_and_what_comes_up_to_the_end(feed: TrafficFeed) -> None:
    for number in range(1, 9):
        feed.passed(passed(number))
    late = FoundLateNews((FoundNews(1, "CALL-001", "no-content", "error", "server", "x"),))
    with reading(feed.path) as coming:
        first = list(islice(coming, 6))
        assert isinstance(first[0], OpenedNews)
        assert (first[0].name, first[0].session, first[0].pid) == ("crm", "crm-1", os.getpid())
        assert first[0].forgotten == 3
        assert numbers(first) == [4, 5, 6, 7, 8]
        feed.passed(passed(9))
        feed.found_late(late)
        feed.close("server exit 0")
        assert list(coming) == [passed(9), late, OverNews("server exit 0")]


def test_what_is_kept_is_bounded_by_bytes_too(feed: TrafficFeed) -> None:
    for number in range(1, 4):
        feed.passed(passed(number, 400))
    with reading(feed.path) as coming:
        opened, *first = islice(coming, 3)
    assert isinstance(opened, OpenedNews)
    assert opened.forgotten == 1
    assert numbers(first) == [2, 3]


def test_who_does_not_read_is_not_waited_for_and_told_what_was_missed(feed: TrafficFeed) -> None:
    with reading(feed.path) as coming:
        next(coming)
        begun = time.monotonic()
        for number in range(20_000):
            feed.passed(passed(number, 1000))
        feed.close("server exit 0")
        assert time.monotonic() - begun < LONGEST / 4
        received = list(coming)
    seen = numbers(received)
    assert seen == sorted(seen)
    assert 0 < len(seen) < 20_000


def test_a_reader_that_reads_on_is_told_how_many_it_missed(feed: TrafficFeed) -> None:
    with reading(feed.path) as coming:
        next(coming)
        for number in range(20_000):
            feed.passed(passed(number, 1000))
        received: list[News] = []
        while len(numbers(received)) + missed(received) < 20_000:
            feed.passed(passed(-1, 1))
            received += [one for one in islice(coming, 1) if passed(-1, 1) != one]
    assert missed(received) > 0


def test_two_readers_see_the_same_and_a_third_is_turned_away(feed: TrafficFeed) -> None:
    with reading(feed.path) as other:
        with reading(feed.path) as one:
            for coming in (one, other):
                assert isinstance(next(coming), OpenedNews)
            with reading(feed.path) as third:
                assert list(third) == []
            feed.passed(passed(1))
            assert next(one) == next(other) == passed(1)
        for number in range(2, 500):
            feed.passed(passed(number, 1))
        assert numbers(list(islice(other, 498))) == list(range(2, 500))


def test_a_proxy_shows_its_traffic_without_secrets(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    process = start(proxied(["cat"], "--ui", "--record", trace, "--env", f"KEY={TOKEN}x"))
    say(process, PING)
    assert read_line(process) == PING
    (path,) = until_shown()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with reading(path) as coming:
        assert isinstance(next(coming), OpenedNews)
        secret = PING.replace(b"ping", f"{TOKEN}x".encode())
        for line in (BAD, secret, PING.replace(b"1,", b'"\xff",')):
            say(process, line)
            assert read_line(process) == line
        finish(process)
        received = list(coming)
    assert feeds() == []
    messages = [one for one in received if isinstance(one, PassedNews)]
    assert b"".join(one.line for one in messages) == trace.read_bytes()
    assert TOKEN.encode() not in trace.read_bytes()
    assert [one.number for one in messages] == list(range(1, len(messages) + 1))
    found = {one.rule: one.number for message in messages for one in message.found}
    assert found["JSONRPC-005"] in (3, 4)
    assert received[-1] == OverNews("server exit 0")
    late = [one.rule for news in received if isinstance(news, FoundLateNews) for one in news.found]
    report = validate([str(trace)], Options())
    assert found.keys() | set(late) >= {one.rule for one in report.findings}


def test_of_a_long_message_the_beginning_is_shown() -> None:
    process = start(proxied(["cat"], "--ui"))
    long = json.dumps({"jsonrpc": "2.0", "method": "x", "params": {"a": "b" * LONGEST_LINE}})
    with reading(until_shown()[0]) as coming:
        process.communicate(long.encode() + b"\n", timeout=LONGEST)
        cut = [one for one in coming if isinstance(one, PassedNews) and one.beginning]
    assert len(cut) == 2
    line = json.loads(cut[0].line)
    assert line["unread"] == len(long)
    assert line["session"]
    assert "raw" not in line
    assert cut[0].size > LONGEST_LINE
    assert cut[0].beginning.startswith(b'{"dir":"')


def test_the_end_waits_no_longer_for_a_reader_that_stands_still() -> None:
    process = start(proxied(["cat"], "--ui"))
    with reading(until_shown()[0]):
        many = PING * 10_000
        begun = time.monotonic()
        out, _ = process.communicate(many, timeout=LONGEST)
        assert time.monotonic() - begun < LONGEST / 4
    assert out == many
    assert process.returncode == 0


def test_a_killed_inspector_leaves_a_socket_that_the_next_proxy_removes() -> None:
    process = start(proxied(["cat"], "--ui"))
    say(process, PING)
    read_line(process)
    (left,) = until_shown()
    (inspector,) = (pid for pid, line in children(process.pid).items() if "inspector" in line)
    os.kill(inspector, signal.SIGKILL)
    ends_in_time(inspector)
    finish(process)
    assert feeds() == [left]
    process = start(proxied(["cat"], "--ui"))
    say(process, PING)
    read_line(process)
    assert left not in until_shown()
    finish(process)


def test_where_no_socket_can_be_the_traffic_goes_on(runtime: Path) -> None:
    (runtime / "mcp-assay").write_text("a file", "utf-8")
    process = start(proxied(["cat"], "--ui"))
    say(process, PING)
    assert read_line(process) == PING
    ended = finish(process)
    assert ended.code == 0
    assert "ui: no page can show this traffic:" in ended.err
    assert "is not a folder that only you may open; remove it" in ended.err
    assert "2 messages" in ended.err


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("mcp_assay.proxy.inspector", {"aiohttp", "asyncio", "socket", "secrets"}),
        ("mcp_assay.proxy.inspector, mcp_assay.proxy.shown_traffic", {"aiohttp", "asyncio"}),
    ],
)
def test_the_inspector_loads_nothing_that_it_does_not_need(modules: str, absent: set[str]) -> None:
    script = f"import sys, {modules}; print(*sys.modules)"
    ended = run([sys.executable, "-c", script])
    assert ended.code == 0
    loaded = set(ended.out.decode().split())
    assert "mcp_assay.proxy.tap" in loaded
    assert not loaded & absent
