"""Who ended a stream is recorded, so that a replayed run is judged as it was live."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.client.connection import connect
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Bounds, ConnectionOptions, Endpoint
from mcp_assay.client.trace_file import Recording
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate import Options, validate
from mcp_assay.validate.trace import read_trace_line
from tests.patience import LONGEST
from tests.truth.http_peer import TEXT, Asked, Handler, run, serving

RULES: Final = ("HTTP-008", "HTTP-009", "HTTP-020")


async def answers(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(asked.result(TEXT))
    await asked.close()


async def answers_with_ids(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(id="a-0")
    asked.event(asked.result(TEXT), id="a-1")
    await asked.close()


async def ends_early(asked: Asked) -> None:
    asked.begin_stream()
    asked.say(b": hi\n\n")
    await asked.close()


async def ends_early_with_an_id(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(id="a-0", retry=20)
    await asked.close()


async def ends_early_without_retry(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(id="a-0")
    await asked.close()


async def stays_open(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(asked.result(TEXT))
    await asked.writer.drain()
    await asyncio.Event().wait()


async def never_answers(asked: Asked) -> None:
    asked.begin_stream()
    asked.say(b": hi\n\n")
    await asked.writer.drain()
    await asyncio.Event().wait()


async def goes_on_after_the_answer(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(asked.result(TEXT))
    asked.event(b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
    await asked.close()


ENDS: Final[dict[str, tuple[Handler, dict[str, str]]]] = {
    "with the answer": (answers, {"HTTP-008": "passed", "HTTP-009": "passed"}),
    "with the answer, ids": (answers_with_ids, {"HTTP-008": "passed", "HTTP-020": "passed"}),
    "too early": (ends_early, {"HTTP-008": "warned"}),
    "too early, and cannot be resumed": (ends_early_with_an_id, {"HTTP-020": "passed"}),
    "too early, without retry": (ends_early_without_retry, {"HTTP-020": "warned"}),
    "not while we wait": (stays_open, {"HTTP-009": "undecided"}),
    "not, and there is no answer": (never_answers, {"HTTP-008": "undecided"}),
    "later than its answer": (goes_on_after_the_answer, {"HTTP-009": "warned"}),
}


OPEN: Final = (stays_open, never_answers)
"""Streams that nobody but us ends."""


async def recorded(handler: Handler, path: Path) -> tuple[set[tuple[str, str]], set[str]]:
    """What was found about streams, and which rules were decided, while the run was live."""
    recording = Recording(str(path), Redactor(), anew=True)
    bounds = Bounds(call_seconds=2.0)
    options = ConnectionOptions(revision="2025-11-25", bounds=bounds, recording=recording)
    async with (
        serving(tools__call=handler) as (url, _),
        await connect(Endpoint(url=url), options) as connection,
    ):
        answer = await connection.call(CallRequest("hours", {}))
        if handler not in OPEN:
            await connection.channel.link.settle(answer.exchange, LONGEST)
    recording.close()
    found = {(it.rule, it.fingerprint) for it in connection.findings() if it.rule in RULES}
    decided = connection.observations.decided_rules.session_rules
    return found, {rule for rule in RULES if rule in decided}


@pytest.mark.parametrize("name", ENDS)
def test_a_replayed_run_is_judged_as_it_was_live(name: str, tmp_path: Path) -> None:
    handler, outcomes = ENDS[name]
    path = tmp_path / "run.jsonl"
    found, decided = run(recorded(handler, path))
    report = validate([str(path)], Options())
    assert {(it.rule, it.fingerprint) for it in report.findings if it.rule in RULES} == found
    seen = {it.rule: it.outcome for it in report.checks if it.rule in RULES}
    assert {rule for rule, it in seen.items() if it != "undecided"} == decided
    assert {rule: seen[rule] for rule in outcomes} == outcomes


def line(**members: Any) -> bytes:
    return json.dumps({"dir": "s2c", "exchange": 1, **members}).encode()


@pytest.mark.parametrize("who", ["server", "client", "left_open"])
def test_whoever_ended_a_stream_is_read(who: str) -> None:
    entry = read_trace_line(line(end=True, ended_by=who))
    assert entry is not None
    assert entry.ended_by == who


@pytest.mark.parametrize(
    "members",
    [
        {"end": True},
        {"ended_by": "server"},
        {"end": False, "ended_by": "server"},
        {"end": True, "ended_by": "nobody"},
        {"end": True, "ended_by": None},
        {"end": True, "ended_by": ["server"]},
        {"end": True, "ended_by": {"server": 1}},
    ],
    ids=str,
)
def test_what_says_nothing_of_an_end_is_ignored(members: dict[str, Any]) -> None:
    entry = read_trace_line(line(**members))
    assert entry is not None
    assert entry.ended_by is None


def kinds(lines: Sequence[bytes]) -> list[object]:
    return [json.loads(it).get("ended_by") for it in lines if b'"end":true' in it]


def test_only_the_end_of_a_stream_says_who_ended_it(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run(recorded(answers, path))
    lines = path.read_bytes().splitlines()
    assert "server" in kinds(lines)
    assert not [it for it in lines if b'"ended_by"' in it and b'"end":true' not in it]
