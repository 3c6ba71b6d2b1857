"""Console blocks of the guides: commands behind `$ ` and the output that they really have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from mcp_assay.client.sandbox.availability import try_backends

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 300

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
_CHECKS = re.compile(r"^Checks: .*$", re.MULTILINE)
_GROWING = re.compile(r"\d+(?= (?:passed|undecided|skipped|not testable))")
_SANDBOX = re.compile(r"\bsandbox\b")
_HINT = "--sandbox would call "
_MARK = "-- end of output --"
_PROGRAMS = Path(sys.executable).parent
_PRELUDE = f'mcp-assay() {{ "{sys.executable}" -m mcp_assay "$@"; }}\n'


def blocks(markdown: str) -> list[str]:
    """The text of each console block."""
    return _BLOCK.findall(markdown)


def refreshed(markdown: str) -> str:
    """The page with the output of every console block as it is today."""
    return _BLOCK.sub(lambda block: _refreshed(block[0]), markdown)


def _refreshed(block: str) -> str:
    if needs_world(block) and not has_worlds():
        return block
    return _newer(block, played(block))


def has_worlds() -> bool:
    """Whether disposable worlds can be made here."""
    return try_backends().backend is not None


def needs_world(block: str) -> bool:
    """Whether a block is another one where no disposable world can be made."""
    return any(_SANDBOX.search(command) for command in _COMMAND.findall(block)) or _HINT in block


def without_rule_counts(screen: str) -> str:
    """A screen without the numbers that grow with every new rule, whatever it is about."""
    return _CHECKS.sub(lambda line: _GROWING.sub("N", line[0]), screen)


def _newer(old: str, new: str) -> str:
    """The new block, or the old one where only numbers of rules are others."""
    return old if without_rule_counts(old) == without_rule_counts(new) else new


def played(block: str) -> str:
    """The block with its commands run, one after the other in one shell."""
    commands = _COMMAND.findall(block)
    outputs = _run(commands)
    return "".join(f"$ {command}\n{out}" for command, out in zip(commands, outputs, strict=True))


def _run(commands: list[str]) -> list[str]:
    """The output of each command; `$?` is the exit code of the one before."""
    steps = (f'{command}\nstatus=$?; echo "{_MARK}"; (exit $status)' for command in commands)
    finished = subprocess.run(
        ["bash", "-c", _PRELUDE + "\n".join(steps)],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT,
        text=True,
        check=False,
    )
    return finished.stdout.split(f"{_MARK}\n")[: len(commands)]
