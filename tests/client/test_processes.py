"""No process survives a run, whichever way it ends."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mcp_assay.client.connection import connect
from mcp_assay.client.links import NotReached
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Command, ConnectionOptions
from tests.client.connected import connected, options, plain, run, text_of
from tests.client.living import MARK, alive, eventually
from tests.patience import LONGEST

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who is alive")

ROOT = Path(__file__).parents[2]


@contextmanager
def assay_with_family(mark: str) -> Iterator[subprocess.Popen[str]]:
    """A process that talks to a server with a family of three, all there."""
    environment = {**os.environ, MARK: mark, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    command = [sys.executable, "-m", "tests.client.servers.ours", "family"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], LONGEST)[0]
            assert process.stdout.readline().strip().isdigit()
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_nothing_survives_when_mcp_assay_is_ended(name: str) -> None:
    mark = f"{name}-{os.getpid()}"
    with assay_with_family(mark) as process:
        family = alive(mark)
        assert len(family) >= 1 + 3
        os.killpg(process.pid, getattr(signal, name))
        process.wait(LONGEST)
        assert eventually(lambda: alive(mark) == [])


def test_nothing_survives_when_the_guardian_and_the_server_are_killed() -> None:
    mark = f"guardian-{os.getpid()}"
    with assay_with_family(mark) as process:
        guardian = next(pid for pid in alive(mark) if "guardian.py" in command_of(pid))
        os.kill(guardian, signal.SIGKILL)
        assert eventually(lambda: not any("plain.py" in command_of(pid) for pid in alive(mark)))
        process.kill()
        for pid in alive(mark):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def test_nothing_survives_a_proper_end_and_what_was_left_is_counted() -> None:
    async def main() -> tuple[int, int]:
        async with connected("family") as connection:
            server = int(text_of((await connection.call(CallRequest("echo", {}))).result))
            assert is_alive(server)
        return server, connection.endings[0].left_behind

    server, left = run(main())
    assert left == 3
    assert not is_alive(server)


def test_what_a_dead_server_leaves_is_gone_before_the_next_call() -> None:
    async def main() -> int:
        async with connected("family") as connection:
            server = int(text_of((await connection.call(CallRequest("echo", {}))).result))
            os.kill(server, signal.SIGKILL)
            answer = await connection.call(CallRequest("echo", {}))
            assert answer.ending in ("died", "answered")
            first = connection.endings[0] if answer.exit is None else answer.exit
            assert first.code == -signal.SIGKILL
            return first.left_behind

    assert run(main()) == 3


def test_a_process_that_only_ever_hands_over_to_another_does_not_outrun_its_end() -> None:
    mark = f"relay-{os.getpid()}"

    async def main() -> None:
        command = plain("relay", **{MARK: mark})
        async with await connect(command, options(revision="2025-11-25")) as connection:
            assert text_of((await connection.call(CallRequest("echo", {}))).result) == "running"

    run(main())
    assert alive(mark) == []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_server_has_no_descriptors_besides_its_streams() -> None:
    script = "import os, sys; sys.exit(' '.join(os.listdir('/proc/self/fd')))"

    async def main() -> str:
        command = Command(command=(*plain().command[:1], "-c", script))
        with pytest.raises(NotReached) as caught:
            await connect(command, ConnectionOptions())
        assert caught.value.ending is not None
        return caught.value.ending.stderr

    assert set(run(main()).split()) <= {"0", "1", "2", "3"}, "3 is the folder being listed"


def test_the_server_has_no_terminal() -> None:
    ours, theirs = os.openpty()
    environment = {**os.environ, MARK: "terminal", "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    command = [sys.executable, "-m", "tests.client.servers.ours", "terminal"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  no threads
    ) as process:
        try:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], LONGEST)[0]
            assert process.stdout.readline().strip() == "none"
        finally:
            process.kill()
    os.close(ours)
    os.close(theirs)
