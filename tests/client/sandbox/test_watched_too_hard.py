"""Floods, odd calls and a watcher that is stopped or killed end in a report, never in a wait."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mcp_assay.client import effects_log
from mcp_assay.client.connection import Connection
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox import world as worlds
from mcp_assay.model.effect import NOTHING, Effects
from tests.client.connected import run
from tests.client.sandbox.worlds import called, furnish, in_world, planted


def descendants(pid: int) -> Iterator[int]:
    """Every process below another one."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                yield int(child)
                yield from descendants(int(child))


def launcher() -> int:
    """The launcher of the only world that this process has."""
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if words[3:4] and words[3].endswith(b"sandbox/entry.py"):
                return pid
    raise AssertionError("no launcher runs")


def names_of_limits(connection: Connection) -> set[str]:
    return {limit.name for limit in connection.limits()}


def test_a_flood_of_programs_names_and_connections_is_counted(tmp_path: Path) -> None:
    async def talk() -> tuple[Effects, set[str]]:
        async with in_world(planted(furnish(tmp_path))) as connection:
            await called(connection, "flood_of_all", 1)
        return connection.effects.calls[1], names_of_limits(connection)

    effects, limits = run(talk())
    assert effects.left_out["programs"] == 300
    assert effects.left_out["connections"] == 300
    assert {"sandbox-programs", "sandbox-connections", "sandbox-names"} <= limits


def test_programs_started_in_odd_ways_are_seen_or_counted(tmp_path: Path) -> None:
    async def talk() -> Effects:
        async with in_world(planted(furnish(tmp_path))) as connection:
            await called(connection, "odd_programs", 1)
            return connection.effects.calls[1]

    words = [one.argv for one in run(talk()).programs]
    assert ["/bin/true"] in words  # without any words of its own
    assert any(argv[0].startswith("/proc/self/fd/") or argv[0] == "" for argv in words)
    assert any(len(argv) == 64 for argv in words), "very many words are cut"
    assert all(len(word) <= 1024 for argv in words for word in argv)


def test_a_watcher_that_is_stopped_ends_in_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(effects_log, "LAST_SECONDS", 0.0)

    async def talk() -> tuple[set[str], dict[int, Effects]]:
        async with in_world(planted(furnish(tmp_path))) as connection:
            await called(connection, "honest_overwrite", 1)
            stopped = launcher()
            os.kill(stopped, signal.SIGSTOP)
            try:
                answer = await called(connection, "overwrite", 2)
            finally:
                os.kill(stopped, signal.SIGCONT)
            assert answer.ending == "answered"
        return names_of_limits(connection), connection.effects.calls

    limits, calls = run(talk())
    assert "sandbox-silent" in limits
    assert calls == {1: NOTHING}, "what nobody has seen is not told as nothing"


def test_a_watcher_that_is_killed_takes_its_world_with_it(tmp_path: Path) -> None:
    async def talk() -> str:
        async with in_world(planted(furnish(tmp_path))) as connection:
            await called(connection, "honest_overwrite", 1)
            os.kill(launcher(), signal.SIGKILL)
            with suppress(NotReached):
                answer = await called(connection, "overwrite", 2)
                return answer.ending
            return "not reached"

    assert run(talk()) in ("died", "answered", "not reached")
    assert not [pid for pid in descendants(os.getpid()) if "planted_server" in command(pid)]


def command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""
