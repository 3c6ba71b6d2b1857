"""Servers over stdio that do one thing wrong: each is survived, bounded and reported."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from mcp_assay.client.connection import connect
from mcp_assay.client.links import LinkEnding, NotReached, Patience
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Command
from mcp_assay.client.trace_file import Recording
from mcp_assay.text.redaction import Redactor
from tests.client.connected import (
    AT_ONCE,
    PATIENT,
    connected,
    options,
    own_faults,
    plain,
    rules,
    run,
    text_of,
)


def test_a_tool_is_listed_and_called() -> None:
    async def main() -> None:
        async with connected() as connection:
            listing = await connection.list_all("tools")
            answer = await connection.call(CallRequest("echo", {}))
        assert [tool["name"] for tool in listing.items] == ["echo"]
        assert (answer.ending, text_of(answer.result)) == ("answered", "done")
        assert json.loads(answer.request)["method"] == "tools/call"
        assert json.loads(answer.response or b"")["result"] == answer.result
        assert connection.endings[0].stopped_by == "end of input"
        assert connection.endings[0].code == 0
        assert connection.findings() == []
        assert own_faults(connection) == []

    run(main())


@pytest.mark.parametrize("how", ["", "dies-of-the-unknown", "deaf"])
def test_auto_finds_a_server_with_a_handshake(how: str) -> None:
    async def main() -> None:
        short = {"connect_seconds": 15.0} if how == "deaf" else {}
        async with await connect(plain(how), options(short)) as connection:
            assert connection.revision == "2025-11-25"
            assert connection.starts == (2 if how == "dies-of-the-unknown" else 1)
            assert (await connection.call(CallRequest("echo", {}))).is_result
        assert own_faults(connection) == []

    run(main())


def test_a_pinned_revision_is_offered() -> None:
    async def main() -> None:
        async with connected(revision="2025-03-26") as connection:
            assert connection.revision == "2025-03-26"

    run(main())


def test_an_unknown_revision_is_refused_at_once() -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="2025-11-25"):
            await connect(plain(), options(revision="1999-01-01"))

    run(main())


def test_silence_ends_at_the_one_deadline_of_connecting() -> None:
    async def main() -> None:
        with pytest.raises(NotReached, match="within 5 seconds") as caught:
            await connect(plain("never"), options({"connect_seconds": 5.0}))
        assert caught.value.ending is not None

    run(main())


def test_a_command_that_is_not_there_says_so() -> None:
    async def main() -> None:
        with pytest.raises(NotReached, match="no-such-program does not exist"):
            await connect(Command(command=("no-such-program",)), options())

    run(main())


def test_a_server_that_cannot_start_reports_its_code_and_last_words() -> None:
    script = "import sys; sys.exit('the variable NOTES_KEY is missing')"

    async def main() -> None:
        command = Command(command=(*plain().command[:1], "-c", script))
        with pytest.raises(NotReached, match=r"exited with code 1.*NOTES_KEY") as caught:
            await connect(command, options())
        ending = caught.value.ending
        assert ending is not None
        assert (ending.how, ending.code) == ("died", 1)

    run(main())


def test_an_answer_needs_the_value_and_the_type_of_the_id() -> None:
    async def main() -> None:
        async with connected("wrong-ids") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert text_of(answer.result) == "right"
        assert {"JSONRPC-023", "JSONRPC-011"} <= rules(connection)

    run(main())


def test_the_first_of_two_answers_counts() -> None:
    async def main() -> None:
        async with connected("two-answers") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert text_of(answer.result) == "first"
        assert "JSONRPC-024" in rules(connection)

    run(main())


def test_noise_is_reported_with_its_text_and_is_never_an_answer() -> None:
    async def main() -> None:
        async with connected("noise") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert text_of(answer.result) == "done"
        noise = [one for one in connection.findings() if one.rule == "STDIO-001"]
        assert noise
        assert "Loading the model" in noise[0].message
        assert noise[0].where.line is not None
        assert noise[0].count >= 3

    run(main())


def test_odd_json_is_still_an_answer() -> None:
    async def main() -> None:
        async with connected("odd-json") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert answer.is_result
        assert "JSONRPC-019" in rules(connection)

    run(main())


def test_stderr_is_always_read_and_its_end_is_kept() -> None:
    async def main() -> None:
        async with connected("flood-stderr") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert answer.stderr.endswith("the last word\n")
        assert len(answer.stderr) <= 64 * 1024

    run(main())


def test_a_server_without_output_was_not_killed_by_the_signal_that_ends_it() -> None:
    async def main() -> LinkEnding:
        async with connected("mute") as connection:
            answer = await connection.call(CallRequest("echo", {}))
            assert answer.ending == "died"
            assert answer.exit is not None
            return answer.exit

    ending = run(main())
    assert ending.code is None
    assert ending.stopped_by in ("SIGTERM", "SIGKILL")


def test_a_death_is_reported_at_once_and_the_server_is_started_again() -> None:
    async def main() -> None:
        async with connected("death") as connection:
            first = await connection.call(CallRequest("echo", {}))
            second = await connection.call(CallRequest("echo", {}))
        assert first.ending == second.ending == "died"
        assert first.exit is not None
        assert (first.exit.code, first.seconds < AT_ONCE) == (3, True)
        assert "it all ends here" in first.stderr
        assert connection.starts == 2

    run(main())


def test_half_an_answer_is_none() -> None:
    async def main() -> None:
        async with connected("half-an-answer") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert (answer.ending, answer.result) == ("died", None)

    run(main())


def test_a_server_that_dies_again_and_again_is_given_up() -> None:
    async def main() -> None:
        async with connected("death", bounds={"starts": 2}) as connection:
            await connection.call(CallRequest("echo", {}))
            await connection.call(CallRequest("echo", {}))
            with pytest.raises(NotReached, match="2 times"):
                await connection.call(CallRequest("echo", {}))

    run(main())


def test_a_call_without_an_answer_times_out_and_is_cancelled(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"

    async def main() -> None:
        recording = Recording(str(trace), Redactor())
        async with connected("silent", recording=recording) as connection:
            answer = await connection.call(CallRequest("echo", {}, seconds=0.2))
        recording.close()
        assert (answer.ending, answer.seconds < AT_ONCE) == ("timed_out", True)
        assert own_faults(connection) == []

    run(main())
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    sent = [json.loads(line["raw"]) for line in lines if line["dir"] == "c2s" and "raw" in line]
    called, cancelled, *anew = sent[-4:]
    assert cancelled["method"] == "notifications/cancelled"
    assert cancelled["params"]["requestId"] == called["id"]
    assert [one["method"] for one in anew] == ["initialize", "notifications/initialized"]
    assert {line["session"] for line in lines} == {"assess", "assess-2"}
    assert [line["dir"] for line in lines if line.get("end")] == ["c2s", "s2c"] * 2


def test_progress_stretches_the_time_only_so_far() -> None:
    async def main() -> None:
        bounds = {"call_seconds": 2.0, "call_seconds_with_progress": 5.0}
        async with connected("progress", bounds=bounds, patience=Patience()) as connection:
            began = asyncio.get_running_loop().time()
            answer = await connection.call(CallRequest("echo", {}))
            taken = asyncio.get_running_loop().time() - began
        assert answer.ending == "timed_out"
        assert 4.9 < taken < AT_ONCE
        assert answer.seconds < taken, "what we take to judge a flood is not the server's time"

    run(main())


def test_what_the_server_asks_is_refused_properly() -> None:
    async def main() -> None:
        async with connected("asks") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        said = json.loads(text_of(answer.result))
        assert said[0]["result"] == {}
        assert [one["error"]["code"] for one in said[1:]] == [-32601] * 3
        assert [one["id"] for one in said[:2]] == ["ask-ping", "ask-roots/list"]
        assert "CAP-009" in rules(connection)

    run(main())


def test_what_the_server_asks_is_answered_from_examples() -> None:
    roots = {"roots": [{"uri": "file:///work"}]}

    async def main() -> None:
        async with connected("asks", answers={"roots/list": roots}) as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert json.loads(text_of(answer.result))[1]["result"] == roots
        assert "CAP-008" not in rules(connection)

    run(main())


@pytest.mark.parametrize(
    ("how", "why", "limit"),
    [
        ("endless-pages", "more than 20 pages", "list-pages"),
        ("circle", "loops back", "list-loops"),
        ("many-items", "more than 10,000 items", "list-items"),
        ("empty-cursor", None, None),
    ],
)
def test_lists_are_followed_within_bounds(how: str, why: str | None, limit: str | None) -> None:
    async def main() -> None:
        async with connected(how, bounds={"pages": 20}) as connection:
            listing = await connection.list_all("tools")
        assert (why or "") in (listing.cut or "")
        assert (listing.cut is None) == (why is None)
        assert len(listing.items) <= 10_000
        assert [one.name for one in connection.limits()] == ([limit] if limit else [])

    run(main())


@pytest.mark.parametrize("how", ["huge-3", "huge-20", "bloated"])
def test_a_long_answer_is_not_decoded_and_that_is_said(how: str) -> None:
    async def main() -> None:
        async with connected(how) as connection:
            answer = await connection.call(CallRequest("echo", {}))
            again = await connection.list_all("tools")
        assert (answer.ending, answer.result) == ("over_limit", None)
        assert answer.unread > 2 * 1024 * 1024
        assert again.cut is None
        assert [one.name for one in connection.limits()] == ["undecoded-messages"]

    run(main())


def test_a_line_without_end_is_cut_off() -> None:
    async def main() -> None:
        async with connected("endless-line") as connection:
            answer = await connection.call(CallRequest("echo", {}))
        assert answer.ending == "died"
        assert answer.exit is not None
        assert answer.exit.how == "flooded"
        assert "line-bytes" in [limit.name for limit in connection.limits()]

    run(main())


def test_a_server_sees_only_what_it_is_given() -> None:
    async def main() -> None:
        command = plain("environment", NOTES_KEY="tea-and-cake-42")
        given = options(secrets=("tea-and-cake-42",), revision="2025-11-25")
        async with await connect(command, given) as connection:
            answer = await connection.call(CallRequest("echo", {}))
        seen = json.loads(text_of(answer.result))
        assert seen["NOTES_KEY"] == "tea-and-cake-42"
        assert (seen["COLUMNS"], seen["NO_COLOR"]) == ("200", "1")
        allowed = {"PATH", "HOME", "LANG", "TMPDIR", "COLUMNS", "NO_COLOR", "NOTES_KEY", "LC_CTYPE"}
        assert set(seen) <= allowed

    run(main())


@pytest.mark.parametrize(
    ("how", "stopped_by", "patience"),
    [
        ("", "end of input", PATIENT),
        ("lingering", "SIGTERM", PATIENT._replace(after_end_of_input=0.3)),
        ("stubborn", "SIGKILL", Patience(0.3, 0.3)),
    ],
)
def test_a_server_is_stopped_as_gently_as_it_can_be(
    how: str, stopped_by: str, patience: Patience
) -> None:
    async def main() -> None:
        async with connected(how, patience=patience) as connection:
            await connection.call(CallRequest("echo", {}))
        assert connection.endings[0].stopped_by == stopped_by

    run(main())
