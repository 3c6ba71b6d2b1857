"""Our end of a world: answers find whoever asked, and a watcher that is silent is told of."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcp_assay.client.sandbox import world as worlds
from mcp_assay.client.sandbox.world import BLIND, World, limits_of
from mcp_assay.model.effect import NOTHING
from tests.client.connected import run

TOLD = {"names": ["a.example"], "cuts": {"names": 3}}


def made(said: list[dict[str, Any]] | None = None) -> World:
    return World({"event": "started"}, (said if said is not None else []).append)


def reply(number: int | None, effects: dict[str, Any]) -> dict[str, Any]:
    return {"event": "effects", "number": number, "effects": effects}


def test_an_answer_finds_whoever_asked() -> None:
    async def talk() -> None:
        said: list[dict[str, Any]] = []
        world = made(said)
        asked = asyncio.create_task(world.effects())
        await asyncio.sleep(0)
        world.note(reply(said[0]["number"], TOLD))
        effects = await asked
        assert effects is not None
        assert effects.names == ["a.example"]
        assert world.cuts == {"names": 3}

    run(talk())


def test_an_answer_that_comes_with_the_end_of_the_run_does_not_hide_the_end() -> None:
    async def talk() -> None:
        said: list[dict[str, Any]] = []
        world = made(said)
        asked = asyncio.create_task(world.effects())
        await asyncio.sleep(0)
        world.note(reply(said[0]["number"], TOLD))
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    run(talk())


def test_the_answer_to_a_question_that_was_cancelled_is_nobody_elses() -> None:
    async def talk() -> None:
        said: list[dict[str, Any]] = []
        world = made(said)
        first = asyncio.create_task(world.mark())
        await asyncio.sleep(0)
        first.cancel()
        second = asyncio.create_task(world.effects())
        await asyncio.sleep(0)
        world.note(reply(said[0]["number"], {"names": ["late.example"]}))
        world.note(reply(said[1]["number"], {"names": ["right.example"]}))
        effects = await second
        assert effects is not None
        assert effects.names == ["right.example"]

    run(talk())


def test_a_silent_watcher_is_told_of_and_not_waited_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worlds, "ANSWER_SECONDS", 0.01)

    async def talk() -> None:
        world = made()
        assert await world.effects() is None
        monkeypatch.setattr(worlds, "ANSWER_SECONDS", 1000)
        assert await world.effects() is None
        (limit,) = limits_of(world.cuts)
        assert (limit.name, limit.effect) == ("sandbox-silent", worlds.SILENT)

    run(talk())


def test_a_launcher_that_cannot_be_spoken_to_is_silent() -> None:
    def broken(_: dict[str, Any]) -> None:
        raise BrokenPipeError

    async def talk() -> None:
        world = World({}, broken)
        assert await world.mark() is None
        assert not world.is_watched

    run(talk())


def test_what_a_server_did_last_belongs_to_whoever_asks_then() -> None:
    async def talk() -> None:
        said: list[dict[str, Any]] = []
        world = made(said)
        asked = asyncio.create_task(world.effects())
        await asyncio.sleep(0)
        world.note(reply(None, {"names": ["last.example"]}))
        effects = await asked
        assert effects is not None
        assert effects.names == ["last.example"]
        assert await world.effects() is None

    run(talk())


def test_what_was_told_at_the_end_waits_for_whoever_asks_later() -> None:
    async def talk() -> None:
        world = made()
        world.note(reply(None, {"names": ["last.example"]}))
        effects = await world.effects()
        assert effects is not None
        assert effects.names == ["last.example"]

    run(talk())


def test_a_launcher_that_is_gone_answers_nothing() -> None:
    async def talk() -> None:
        world = made()
        asked = asyncio.create_task(world.mark())
        await asyncio.sleep(0)
        world.end()
        assert await asked == NOTHING

    run(talk())


def test_the_row_of_a_report_says_how_the_world_was_made() -> None:
    told = {
        "folders": ["/w"],
        "places": [{"path": "/w", "kind": "copy"}],
        "allow": [{"host": "a.example"}, {"host": "a.example"}],
        "hidden": ["/home/u/.ssh"],
    }
    row = World(told, print).row
    assert (row.network, row.work, row.hidden) == ("a.example", "copied", ["/home/u/.ssh"])
    assert World({}, print).row.network == "none"


def test_the_row_of_a_world_made_by_bubblewrap_says_what_is_missing() -> None:
    row = World({"backend": "bwrap", "left_out": ["/mnt/x"]}, print).row
    assert row.limits == [*BLIND, "/mnt/x is not visible inside"]
    (missing,) = [one for one in row.limits if "web site" in one]
    assert "policy" in missing


def test_a_bound_is_told_when_it_is_reached_and_counts_once() -> None:
    world = World({"limits": {"disk_bytes": 7}}, list[dict[str, Any]]().append)
    for event in ("reached", "ended"):
        world.note({"event": event, "limit": "disk"})
    assert [(one.name, one.value, one.count) for one in world.reached] == [
        ("sandbox-disk-bytes", 7, 1)
    ]
