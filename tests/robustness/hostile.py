"""Whatever may come in, all the ways in, and what must hold of every finding that comes out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session, validate_jsonrpc
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.slow import NOTE_RULES
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import REVISIONS
from tests.rules.engine.verdicts import accepts

ROOT: Final = Path(__file__).resolve().parents[2]

HEAD: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"a":'
)
TAIL: Final = b"}}}"


def call_with(argument: bytes) -> bytes:
    """The text of a tools/call request with this argument."""
    return HEAD + argument + TAIL


def judged(message: Any, revision: str | None = None) -> list[Finding]:
    """What all the ways in say of a message: one of them for all, after seeing that they agree."""
    used = revision or REVISIONS[-2]
    found = list(validate_jsonrpc(message, revision=used, direction="c2s").findings)
    reported = Session(used).feed("c2s", message)
    assert reported[: len(found)] == (found if message is not None else [])
    assert not any("message" in CATALOGUE[one.rule].observable for one in reported[len(found) :])
    if type(message) is bytes:
        checker = SessionChecker(used)
        assert [list(checker.check(message, "c2s")) for _ in range(4)] == [found] * 4
        assert not (accepts(checker, message, "c2s") and found)
    assert_well_formed(found)
    return found


def assert_well_formed(found: Iterable[Finding]) -> None:
    """Each finding has a place, a sentence, a rule with its link; and they come in order."""
    found = list(found)
    for one in found:
        assert one.pointer == "" or one.pointer.startswith("/")
        assert one.message.endswith((".", "?"))
        assert one.url.startswith("https://")
        assert one.reason
    assert [place(one) for one in found] == sorted(place(one) for one in found)


def place(one: Finding) -> tuple[int, str, str]:
    """Where the finding belongs among others: stage, pointer, rule."""
    return stage(one), one.pointer, one.rule


def stage(one: Finding) -> int:
    """Parse, envelope, method, the rest, and what only a session has: its definitions."""
    if "definitions" in CATALOGUE[one.rule].observable:
        return 4
    if one.where.line is not None or one.rule in PARSE_RULES:
        return 0
    if one.rule.startswith(("JSONRPC-", "BATCH-")):
        return 1
    return 2 if one.pointer.endswith("/method") and one.rule in METHOD_RULES else 3


PARSE_RULES: Final = frozenset(NOTE_RULES.values()) - {"JSONRPC-020"}
METHOD_RULES: Final = ("SCHEMA-003", "SCHEMA-004", "PROG-006", "TASK-010")


def rules(found: Iterable[Finding]) -> list[tuple[str, str]]:
    """The rules that were broken, each with its place."""
    return [(one.rule, one.pointer) for one in found]


def run(code: str, timeout: float) -> str:
    """What a process of its own prints; one that hangs or crashes is an error here."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
