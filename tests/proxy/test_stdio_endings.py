"""Ends, signals and broken pipes go through the proxy as if it were not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import LONGEST
from tests.proxy.stdio import (
    children,
    ends_in_time,
    finish,
    peer,
    proxied,
    read_line,
    run,
    say,
    start,
)

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties the lives")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["hear_all"], 0),
        (["hear_all", "exit_5"], 5),
        (["exit_5"], 5),
        (["say_half", "exit_5"], 5),
        (["say_half", "kill_self"], 128 + signal.SIGKILL),
    ],
)
def test_the_exit_code_is_the_servers(words: list[str], code: int) -> None:
    command = peer("ending", *words)
    direct, through = run(command), run(proxied(command))
    assert through.code == code
    assert through.out == direct.out


def test_answers_come_after_the_client_has_closed_its_side() -> None:
    assert run(proxied(["sort"]), b"b\na\n").out == b"a\nb\n"


def test_a_server_that_closes_its_output_may_go_on() -> None:
    process = start(proxied(peer("ending", "close_output", "hear_all", "exit_5")))
    assert read_line(process) == b""
    assert process.poll() is None
    assert finish(process).code == 5


def test_a_client_that_reads_no_more_breaks_the_servers_pipe() -> None:
    process = start(proxied(peer("ending", "send_until_broken")))
    assert process.stdout is not None
    read_line(process)
    process.stdout.close()
    assert process.wait(LONGEST) == 9
    for stream in (process.stdin, process.stderr):
        assert stream is not None
        stream.close()


def test_a_server_that_hears_no_more_breaks_the_clients_pipe() -> None:
    process = start(proxied(peer("ending", "close_input", "say_ready", "wait")))
    read_line(process)
    with pytest.raises(BrokenPipeError):
        _send_for_ever(process)
    process.send_signal(signal.SIGTERM)
    assert finish(process).code == 128 + signal.SIGTERM


def _send_for_ever(process: subprocess.Popen[bytes]) -> None:
    while True:
        say(process, b"x" * 1000)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_reaches_the_server_once(name: str) -> None:
    number = getattr(signal, name)
    process = start(proxied(peer("ending", "heed_signals", "say_ready", "wait")))
    read_line(process)
    process.send_signal(number)
    ended = finish(process)
    assert (ended.code, ended.out) == (7, f"signal {int(number)}\n".encode())


@linux_only
def test_a_killed_proxy_takes_the_server_and_all_that_it_started_along() -> None:
    process = start(proxied(peer("ending", "leave_child", "say_ready", "wait")))
    pids = [int(read_line(process).split()[1]) for _ in range(2)]
    process.kill()
    finish(process)
    assert all(ends_in_time(pid) for pid in pids)


@linux_only
def test_what_a_server_leaves_behind_does_not_keep_the_proxy() -> None:
    process = start(proxied(peer("ending", "leave_child", "hear_all", "exit_5")))
    pid = int(read_line(process).split()[1])
    assert finish(process).code == 5
    assert ends_in_time(pid)


@linux_only
def test_traffic_goes_on_without_its_validator_and_the_end_says_so() -> None:
    process = start(proxied(["cat"], "--fail-on", "error"))
    say(process, b"one\n")
    assert read_line(process) == b"one\n"
    commands = children(process.pid)
    validator = next(
        pid for pid, command in commands.items() if "mcp_assay.proxy.inspector" in command
    )
    os.kill(validator, signal.SIGKILL)
    assert ends_in_time(validator)
    for _ in range(100):
        say(process, b"two\n")
        assert read_line(process) == b"two\n"
    ended = finish(process)
    assert "end: the validator died (signal 9); the traffic continued" in ended.err
    assert ended.code == 4


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["no-such-command-anywhere"], "the command no-such-command-anywhere does not exist"),
        (["./not-executable"], "./not-executable may not be executed"),
        (["./no-interpreter"], "./no-interpreter names an interpreter that does not exist"),
        (["./no-program"], "./no-program is no program that this system runs"),
        (["."], ". may not be executed"),
    ],
)
def test_a_command_that_cannot_be_started_ends_with_3_and_one_sentence(
    command: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _script(tmp_path / "not-executable", "#!/bin/sh\n", 0o644)
    _script(tmp_path / "no-interpreter", "#!/no/such/interpreter\n", 0o755)
    _script(tmp_path / "no-program", "\x00\x01", 0o755)
    ended = run(proxied(command))
    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.startswith(f"mcp-assay: {sentence}")
    assert ended.err.count("\n") == 1


def _script(path: Path, text: str, mode: int) -> None:
    path.write_text(text)
    path.chmod(mode)
