"""Standard input as a live stream: what is found appears as lines arrive."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NULL_ID = b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n'
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


@contextmanager
def validating(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command with pipes to and from it; it is ended whatever happens."""
    command = [sys.executable, "-m", "mcp_assay", "validate", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def hear(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


def test_findings_appear_as_lines_arrive_and_the_verdict_at_the_end() -> None:
    with validating() as process:
        for number in (1, 3):
            say(process, NULL_ID + PING)
            assert hear(process).startswith(b"<stdin>:%d:23 error JSONRPC-005 null" % number)
        rest, complaint = process.communicate()
    assert rest.decode().splitlines()[:2] == [
        "",
        "FAIL  2 errors, 0 warnings in 4 messages · 2025-11-25",
    ]
    assert (process.returncode, complaint) == (1, b"")


def test_quiet_says_nothing_twice() -> None:
    with validating("--quiet") as process:
        say(process, NULL_ID)
        assert b"JSONRPC-005" in hear(process)
        assert process.communicate() == (b"", b"")


def test_no_more_is_shown_than_is_kept() -> None:
    with validating("--quiet", "--max-findings", "2") as process:
        out, _ = process.communicate(NULL_ID * 5)
    assert out.count(b"JSONRPC-005") == 2


def test_a_document_over_several_lines_is_waited_for() -> None:
    with validating() as process:
        out, _ = process.communicate(b'{\n "jsonrpc": "2.0",\n "id": null,\n "method": "ping"\n}')
    assert out.startswith(b"<stdin>:3:8 error JSONRPC-005")


def test_an_interruption_reports_what_was_judged() -> None:
    with validating() as process:
        say(process, NULL_ID)
        assert b"JSONRPC-005" in hear(process)
        process.send_signal(signal.SIGINT)
        out, complaint = process.communicate()
    assert process.returncode == 130
    assert b"INCOMPLETE  1 error, 0 warnings in 1 message" in out
    assert complaint == b"mcp-assay: interrupted; the report contains the results so far.\n"
