"""A shell that ran the script of `mcp-assay completion` completes what is typed."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.cli.conftest import Cli

SECONDS = 60
BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where `mcp-assay` is this one, and nothing of the user's own shell is read."""
    program = tmp_path / "bin" / "mcp-assay"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mcp_assay "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "PS1": "$ ", "TERM": "dumb"}


def completed(environment: dict[str, str], *words: str) -> list[str]:
    """What the shell is to offer where the last of the words is being typed."""
    typed = " ".join(map(shlex.quote, ("mcp-assay", *words)))
    asked = {
        **environment,
        "_MCP_ASSAY_COMPLETE": "bash_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words)),
    }
    ended = subprocess.run(
        ["mcp-assay"], env=asked, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert ended.stderr == ""
    return [line.partition(",")[2] for line in ended.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("val",), ["validate"]),
        (("--ver",), ["--version"]),
        (("validate", "--pro"), ["--profile"]),
        (("validate", "--profile", "e"), ["envelope"]),
        (("assess", "--calls", ""), ["safe", "likely", "none", "all"]),
        (("explain", "JSONRPC-00"), [f"JSONRPC-00{number}" for number in range(1, 10)]),
        (("explain", "jsonrpc-005"), ["JSONRPC-005"]),
        (("lint", "--select", "LIFE,JSONRPC-005"), ["LIFE,JSONRPC-005"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
    ],
)
def test_what_is_begun_is_completed(
    environment: dict[str, str], words: tuple[str, ...], offered: list[str]
) -> None:
    assert completed(environment, *words) == offered


def test_a_broken_configuration_does_not_keep_a_shell_from_completing(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mcp-assay.toml").write_text("nonsense")
    monkeypatch.chdir(tmp_path)
    assert completed(environment, "ru") == ["rules"]


@needs_bash
def test_the_tab_key_completes_a_command_in_bash(environment: dict[str, str]) -> None:
    with Terminal([str(BASH), "--norc", "--noprofile", "-i"], environment) as terminal:
        terminal.type('eval "$(mcp-assay completion bash)"; echo the script is r""un\n')
        terminal.wait_for("the script is run")
        terminal.type("mcp-assay val\t")
        terminal.wait_for("mcp-assay validate ")


class Terminal:
    """A terminal with somebody who types into it."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._ours, theirs = os.openpty()
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, process_group=0
        )
        os.close(theirs)
        self._seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def wait_for(self, text: str) -> None:
        """Read what is shown until the text is there."""
        for shown in self._shown():
            self._seen += shown
            if text in self._seen:
                return
        pytest.fail(f"{text!r} was not shown, but {self._seen!r}")

    def _shown(self) -> Iterator[str]:
        end = time.monotonic() + SECONDS
        while (left := end - time.monotonic()) > 0:
            if select.select([self._ours], [], [], left)[0]:
                yield os.read(self._ours, 4096).decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_asks_this_program_and_is_one_that_the_shell_understands(
    cli: Cli, shell: str, tmp_path: Path
) -> None:
    ended = cli("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert f"_MCP_ASSAY_COMPLETE={shell}_complete" in ended.out
    file = tmp_path / "script"
    file.write_text(ended.out)
    if program := shutil.which(shell):
        subprocess.run([program, "-n", str(file)], check=True, timeout=SECONDS)


@pytest.mark.parametrize("arguments", [["tcsh"], []])
def test_a_shell_that_is_not_known_ends_with_2_and_the_ones_that_are(
    cli: Cli, arguments: list[str]
) -> None:
    ended = cli("completion", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert all(shell in ended.err for shell in ("bash", "zsh", "fish"))
