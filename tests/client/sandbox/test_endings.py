"""A world ends as its server ends, and with whoever made it: nothing of it is left."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.client.sandbox.yards import SECONDS, Yard, everybody, needs_worlds, yard

STUBBORN = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    os.fork()
print("up", flush=True)
while True:
    with open("/tmp/ticks", "a") as file:
        file.write("x")
    time.sleep(0.05)
"""
CHILD = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
sys.exit(5)
"""
GENTLE = """
import signal, sys, time
def leave(number, frame):
    sys.exit(number)
signal.signal(signal.SIGTERM, leave)
signal.signal(signal.SIGINT, leave)
print("up", flush=True)
while True:
    time.sleep(0.05)
"""


@pytest.fixture(scope="module", params=everybody())
def place(request: pytest.FixtureRequest) -> Iterator[Yard]:
    with yard(request.param) as made:
        yield made


def living(mark: str) -> list[str]:
    """The processes that have a mark in their command."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(name)
        except OSError:
            continue
    return found


def wait_until(is_true: Callable[[], object]) -> None:
    """Wait, not for ever, until something is true."""
    end = time.monotonic() + SECONDS
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.01)


def wait_until_none(mark: str) -> None:
    """Wait until no process has a mark."""
    wait_until(lambda: not living(mark))


@pytest.mark.parametrize(
    ("line", "code"),
    [("exit 3", 3), ("exit 0", 0), ("kill -KILL $$", -9), ("kill -SEGV $$", -11)],
)
def test_the_launcher_ends_like_the_server(place: Yard, line: str, code: int) -> None:
    assert place.run("/bin/sh", "-c", line).code == code


def test_a_command_that_does_not_exist_is_told_by_its_error(place: Yard) -> None:
    ended = place.run("/no/such/program")
    assert ended.first == {
        "event": "refused",
        "step": "command",
        "errno": 2,
        "what": "/no/such/program",
    }


def test_what_a_server_leaves_behind_is_counted_and_ended(place: Yard) -> None:
    mark = secrets.token_hex(8)
    program = place.add("child.py", CHILD)
    ended = place.run(place.python, program, mark)
    assert ended.event("ended")["left"] == 1
    assert ended.code == 5
    wait_until_none(mark)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_launcher_reaches_the_server(place: Yard, number: int) -> None:
    program = place.add("gentle.py", GENTLE)
    with place.started(place.spec(place.python, program)) as world:
        assert world.first()["event"] == "started"
        wait_until(world.written)
        world.process.send_signal(number)
        assert world.process.wait(SECONDS) == number


def test_a_killed_launcher_takes_the_world_with_it(place: Yard) -> None:
    mark = secrets.token_hex(8)
    program = place.add("stubborn.py", STUBBORN)
    with place.started(place.spec(place.python, program, mark)) as world:
        assert world.first()["event"] == "started"
        assert living(mark)
        world.process.kill()
        wait_until_none(mark)


def test_a_world_ends_where_nobody_listens_any_more(place: Yard) -> None:
    mark = secrets.token_hex(8)
    program = place.add("stubborn.py", STUBBORN)
    with place.started(place.spec(place.python, program, mark)) as world:
        assert world.first()["event"] == "started"
        world.control.shutdown(1)
        wait_until_none(mark)
        assert world.process.wait(SECONDS) == -9


HOLDER_AND_SERVERS = 4
HOLDER = """
import asyncio, os, sys
from mcp_assay.client.guarded import Guarded
from mcp_assay.client.sandbox.options import SandboxOptions

async def hold():
    command = (sys.executable, sys.argv[1], sys.argv[2])
    guarded = Guarded(command, dict(os.environ), SandboxOptions())
    await guarded.started
    print(guarded._process.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


@contextmanager
def holder(folder: Path, mark: str) -> Iterator[tuple[int, int]]:
    """A process that holds a server in a world, as mcp-assay does, and its guardian."""
    (folder / "stubborn.py").write_text(STUBBORN)
    (folder / "holder.py").write_text(HOLDER)
    command = [sys.executable, "holder.py", str(folder / "stubborn.py"), mark]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            guardian = int(process.stdout.readline())
            wait_until(lambda: len(living(mark)) >= HOLDER_AND_SERVERS)
            yield process.pid, guardian
        finally:
            process.kill()


@pytest.mark.parametrize("killed", ["mcp-assay", "guardian"])
def test_whoever_is_killed_the_world_ends(tmp_path: Path, killed: str) -> None:
    needs_worlds()
    mark = secrets.token_hex(8)
    with holder(tmp_path, mark) as (own, guardian):
        os.kill(own if killed == "mcp-assay" else guardian, signal.SIGKILL)
        is_left = 0 if killed == "mcp-assay" else 1
        wait_until(lambda: len(living(mark)) <= is_left)


def test_the_first_line_tells_what_was_made(place: Yard) -> None:
    told = place.run("/bin/true").first
    kinds = {row["path"]: row["kind"] for row in told["places"]}
    assert kinds[str(place.work)] == "copy"
    assert kinds["/usr"] == "overlay"
    assert told["left_out"] == []
    assert json.dumps(told)


def test_a_hidden_link_that_cannot_be_removed_is_left_where_what_it_leads_to_is_hidden(
    place: Yard,
) -> None:
    shut, real = place.folder / "shut", place.folder / "real"
    for folder in (shut, real):
        folder.mkdir()
    (real / "key").write_text("secret")
    (shut / "link").symlink_to(real)
    ended = place.run("/bin/ls", "-A", str(shut), str(real), hide=[str(shut / "link"), str(real)])
    assert ended.first["event"] == "started"
    assert "key" not in ended.output
