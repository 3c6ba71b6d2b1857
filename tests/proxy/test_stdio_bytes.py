"""With and without the proxy, client and server hear the very same bytes."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from threading import Thread

import pytest

from mcp_assay.proxy.tap import MOST_HELD
from tests.patience import LONGEST
from tests.proxy.stdio import finish, peer, proxied, read_line, run, say, start

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
STREAMS = {
    "nothing at all": b"",
    "random bytes": random.Random(1).randbytes(1 << 20),
    "random lines": random.Random(2).randbytes(1 << 18).replace(b"0", b"\n"),
    "invalid UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe\xed\xa0\x80"}\n' * 100,
    "a half line": REQUEST + b'{"jsonrpc":"2.0","id":2,"meth',
    "line ends of all kinds": b"\r\n\n\n\r\r\n" + REQUEST.replace(b"\n", b"\r\n") + b"\x00\n",
    "many small messages": REQUEST * 1_500,
}
LARGE = 100 * 1000 * 1000
MEMORY = 64 * 1024 + MOST_HELD // 1024
"""KiB that the proxy may use while a large message passes: itself, and what waits in the tap."""


@pytest.mark.parametrize("said", STREAMS.values(), ids=STREAMS)
def test_both_streams_are_the_same_with_and_without_the_proxy(said: bytes, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_bytes(said[::-1])
    command = peer("digest", answer, tmp_path / "heard")
    direct = run(command, said)
    assert (tmp_path / "heard").read_bytes() == said
    (tmp_path / "heard").unlink()
    through = run(proxied(command), said)
    assert (tmp_path / "heard").read_bytes() == said
    assert (through.out, through.code) == (direct.out, direct.code) == (said[::-1], 0)


def test_a_piece_of_a_line_arrives_before_its_end() -> None:
    process = start(proxied(["cat", "-u"]))
    assert process.stdout is not None
    say(process, b"half a line")
    assert process.stdout.read(11) == b"half a line"
    assert finish(process).code == 0


def test_a_message_of_100_megabytes_passes_in_constant_memory() -> None:
    process = start(proxied(["cat"]))
    assert process.stdout is not None
    piece = b"x" * 1_000_000
    say(process, b"ready\n")
    assert read_line(process) == b"ready\n"

    def serve() -> None:
        for _ in range(LARGE // len(piece)):
            say(process, piece)
        say(process, b"\n")

    connected = Thread(target=serve)
    connected.start()
    received = 0
    while received < LARGE + 1:
        received += len(process.stdout.read(1 << 20) or b"")
    connected.join(LONGEST)
    peak = _peak(process)
    ended = finish(process)
    assert ended.code == 0
    assert "limit: 100.0 MB message forwarded, not validated (LIMIT-002)" in ended.err
    assert peak < MEMORY


def _peak(process: subprocess.Popen[bytes]) -> int:
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        pytest.skip("/proc tells how much memory a process used; there is none here")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
