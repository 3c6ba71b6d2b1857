"""Dialogues are held with real processes: on new connections, with patience for slow starts."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.assess.probe_runner import Prober
from mcp_assay.client.connection import Connection
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.probe import Anew, Ask, End, Raw, Reply, Step
from mcp_assay.rules.probe.malformed import malformed_input
from mcp_assay.rules.probe.rule import Dialogue, Known, Probe
from tests.client.connected import ENOUGH, options, run

SERVERS = Path(__file__).parents[1] / "servers"
VERSION = {"protocolVersion": "2025-11-25", "capabilities": {}}
GREETING = Ask("initialize", {**VERSION, "clientInfo": {"name": "test", "version": "1"}})


def replies(
    server: str, *steps: Step, seconds: float = ENOUGH, known: Known | None = None
) -> list[Reply]:
    """What comes of each step of a dialogue with a server of the catalogue."""
    came: list[Reply] = []
    known = known or Known()

    def conversation(_: Known) -> Dialogue:
        for step in steps:
            reply = yield step
            came.append(reply)
        return []

    async def held() -> None:
        command = (sys.executable, str(SERVERS), server)
        target = Command(command=command, environment=allowed(os.environ, {}))
        bounds = {"call_seconds": seconds}
        prober = Prober(target, options(bounds, revision="2025-11-25"))
        try:
            await prober.verdicts(Probe((), conversation, None, None), known)
        finally:
            await prober.close()

    run(held())
    return came


def test_a_connection_without_a_handshake_may_be_the_first_one() -> None:
    _, early, agreed = replies(
        "handshake-only", Anew(with_handshake=False), Ask("tools/list"), GREETING
    )
    assert early.code == -32602
    assert agreed.result["protocolVersion"] == "2025-11-25"


def test_the_first_answer_of_a_silent_connection_may_wait_for_the_start() -> None:
    _, agreed = replies("slow-start", Anew(with_handshake=False), GREETING, seconds=0.2)
    assert agreed.is_result


def test_what_answers_nothing_of_ours_comes_with_the_next_reply() -> None:
    _, after = replies("handshake-only", Raw("{not json"), Ask("ping"))
    assert [stray["error"]["code"] for stray in after.strays] == [-32700]


def test_a_dead_server_is_started_again_for_the_next_step() -> None:
    _, dead, alive = replies("dies-on-malformed-line", Raw("{"), Ask("ping"), Ask("ping"))
    assert (dead.ending, alive.ending) == ("died", "answered")


CALL = Ask("tools/call", {"name": "find_book", "arguments": {"title": "Emma"}})


def known_with(hints: dict[str, bool]) -> Known:
    tool = {"name": "find_book", "annotations": hints}
    return Known(tools=[tool], callable=["find_book"])


def test_a_tool_that_is_what_it_was_is_called() -> None:
    (answered,) = replies("becomes-destructive", CALL, known=known_with({"readOnlyHint": True}))
    assert answered.is_result


@pytest.mark.parametrize(("hints", "calls"), [({"readOnlyHint": True}, 2), ({}, 1)])
def test_a_tool_that_is_another_now_is_not_called(hints: dict[str, bool], calls: int) -> None:
    with pytest.raises(PermissionWithdrawn):
        replies("becomes-destructive", *[CALL] * calls, known=known_with(hints))


def test_the_end_says_what_it_took() -> None:
    _, ended = replies("handshake-only", Ask("ping"), End())
    assert ended.stopped_by == "end of input"


def test_nobody_waits_for_the_end_of_a_connection_that_was_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Lingering] = []

    class Lingering(Connection):
        """Ends only after another one has begun."""

        async def restart(self) -> None:
            begun.append(self)
            self.has_successor = asyncio.Event()
            if len(begun) > 1:
                begun[-2].has_successor.set()

        async def close(self) -> None:
            if self in begun[:-1]:
                await self.has_successor.wait()

    monkeypatch.setattr("mcp_assay.assess.probe_runner.Connection", Lingering)
    assert replies("none", Anew(), Anew(), Anew()) == [Reply(), Reply(), Reply()]
    assert len(begun) == 3


def test_what_only_repeats_our_own_faults_is_not_held_against_a_server() -> None:
    async def held() -> list[str]:
        command = (sys.executable, str(SERVERS), "repeats-what-it-hears")
        target = Command(command=command, environment=allowed(os.environ, {}))
        prober = Prober(target, options(revision="2025-11-25"))
        known = Known(capabilities={"tools": {}})
        assert await prober.verdicts(Probe((), malformed_input, None, None), known) == []
        return [finding.rule for finding in await prober.close()]

    assert run(held()) == []
