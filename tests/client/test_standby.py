"""A server is started as seldom as can be: what is as good as new is used again, by the next."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mcp_assay.assess.probe_runner import Prober
from mcp_assay.client.connection import Connection
from mcp_assay.client.stdio_link import StdioLink
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.probe import Anew, Ask, Bend, End, Notify, Step
from mcp_assay.rules.probe.rule import Dialogue, Known, Probe
from tests.client.connected import options, run

SERVERS = Path(__file__).parents[1] / "servers"
LIST = Ask("tools/list")
NEW, SILENT = Anew(), Anew(with_handshake=False)
MODERN, OLD = "2026-07-28", "2025-11-25"
CALL = Ask("tools/call", {"name": "find_book", "arguments": {"title": "Emma"}})


class Lives:
    """How many processes there were of a server, and how many of them have ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[StdioLink] = []
        self.ended: list[StdioLink] = []
        start, end = Connection._link, StdioLink._end

        async def begin(connection: Connection, *given: object) -> object:
            link = await start(connection, *given)  # type: ignore[arg-type]
            assert isinstance(link, StdioLink)
            self.begun.append(link)
            return link

        async def finish(link: StdioLink, *given: object) -> object:
            self.ended.append(link)
            return await end(link, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(Connection, "_link", begin)
        monkeypatch.setattr(StdioLink, "_end", finish)


def hold(revision: str, *dialogues: tuple[Step, ...], starts_ahead: bool = False) -> None:
    """Hold these dialogues one after the other; every step must be answered."""

    def probe(steps: tuple[Step, ...]) -> Probe:
        def conversation(_: Known) -> Dialogue:
            for step in steps:
                reply = yield step
                assert reply.ending == "answered"
            return []

        return Probe((), conversation, None, None)

    async def held() -> None:
        command = (sys.executable, str(SERVERS), "both-eras")
        target = Command(command=command, environment=allowed(os.environ, {}))
        settings = options(revision=revision)
        prober = Prober(target, settings, starts_ahead=starts_ahead)
        try:
            for steps in dialogues:
                await prober.verdicts(probe(steps), Known(revision=revision))
        finally:
            await prober.close()

    run(held())


@pytest.mark.parametrize(
    ("revision", "first", "second", "starts"),
    [
        (MODERN, (SILENT, LIST), (NEW, LIST), 2),
        (MODERN, (NEW, LIST), (NEW, LIST), 2),
        (MODERN, (SILENT, LIST), (SILENT, LIST), 3),
        (MODERN, (NEW, LIST, NEW, LIST), (LIST,), 3),
        (MODERN, (NEW, CALL), (NEW, LIST), 3),
        (MODERN, (NEW, Notify("notifications/unknown")), (NEW, LIST), 3),
        (MODERN, (NEW, Ask("tools/list", bend=Bend(meta={"odd": 1}))), (NEW, LIST), 3),
        (MODERN, (NEW, LIST, End()), (NEW, LIST), 3),
        (OLD, (NEW, LIST), (NEW, LIST), 3),
    ],
)
def test_only_a_life_that_nothing_has_changed_is_used_again(
    monkeypatch: pytest.MonkeyPatch,
    revision: str,
    first: tuple[Step, ...],
    second: tuple[Step, ...],
    starts: int,
) -> None:
    lives = Lives(monkeypatch)
    hold(revision, (LIST,), first, second)
    assert len(lives.begun) == starts
    assert {*lives.ended} == {*lives.begun}


@pytest.mark.parametrize("wanted", [(SILENT, LIST), (NEW, LIST), (LIST,)])
def test_a_life_is_started_ahead_and_ends_whether_it_was_wanted_or_not(
    monkeypatch: pytest.MonkeyPatch, wanted: tuple[Step, ...]
) -> None:
    lives = Lives(monkeypatch)
    hold(MODERN, (LIST,), wanted, starts_ahead=True)
    assert len(lives.begun) == 2
    assert {*lives.ended} == {*lives.begun}


def test_a_handshake_is_not_left_out_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    lives = Lives(monkeypatch)
    hold(OLD, (LIST,), (NEW, LIST), starts_ahead=True)
    assert len(lives.begun) == 3
    assert {*lives.ended} == {*lives.begun}
