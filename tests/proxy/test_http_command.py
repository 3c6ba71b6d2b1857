"""`mcp-assay proxy URL`: says where it listens and what goes wrong, and ends when asked to."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.patience import LONGEST
from tests.proxy.http_peers import (
    Got,
    answering,
    ask,
    response,
    serving,
)

JSON = b"Content-Type: application/json"
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
NULL_ID = b'{"jsonrpc":"2.0","id":null,"method":"ping"}'
SECRET = "sesame-open-4711-sesame"
COMMAND = (sys.executable, "-m", "mcp_assay", "proxy")


class Ended(Struct):
    """How the command ended, and what it said."""

    code: int
    lines: list[str]


class Running(Struct):
    """The command while it runs."""

    url: str
    process: asyncio.subprocess.Process

    async def end(self) -> Ended:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.stderr is not None
        said = (await self.process.stderr.read()).decode().splitlines()
        return Ended(await self.process.wait(), said)


@asynccontextmanager
async def command(*words: str) -> AsyncIterator[Running]:
    process = await asyncio.create_subprocess_exec(*COMMAND, *words, stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        async with asyncio.timeout(LONGEST):
            said = (await process.stderr.readline()).decode()
            assert "listening" in said, said + (await process.stderr.read()).decode()
            yield Running(said.split()[-1], process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def proxied_once(
    *words: str, body: bytes = NULL_ID, fields: tuple[tuple[str, str], ...] = ()
) -> tuple[Got, Ended]:
    """One exchange through the command with these options."""
    async with (
        serving(answering(response(PONG, JSON))) as (url, _),
        command(url, *words) as running,
    ):
        return await ask(running.url, headers=fields, body=body), await running.end()


def refused(*words: str) -> tuple[int, str]:
    ended = subprocess.run(
        (*COMMAND, *words), capture_output=True, text=True, timeout=LONGEST, check=False
    )
    return ended.returncode, ended.stderr


def test_findings_are_reported_and_the_traffic_is_not_changed() -> None:
    got, ended = asyncio.run(proxied_once())
    assert (got.status, got.body) == (200, PONG)
    assert ended.code == 0
    assert any("error JSONRPC-005 client ping #1: " in line for line in ended.lines)
    assert " end: 2 messages, " in ended.lines[-1]


@pytest.mark.parametrize(("limit", "code"), [("error", 1), ("never", 0)])
def test_findings_make_the_command_fail_only_where_that_is_asked_for(limit: str, code: int) -> None:
    assert asyncio.run(proxied_once("--fail-on", limit))[1].code == code


def test_a_recording_has_the_exact_messages_and_no_secrets(tmp_path: Path) -> None:
    record = tmp_path / "trace.jsonl"
    body = b'{ "jsonrpc":"2.0","id":1,"method":"ping" }'
    fields = (("Authorization", f"Bearer {SECRET}"), ("Mcp-Session-Id", SECRET))
    asyncio.run(proxied_once("--record", str(record), body=body, fields=fields))
    text = record.read_text()
    assert SECRET not in text
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert [(line["dir"], line["raw"]) for line in lines] == [
        ("c2s", body.decode()),
        ("s2c", PONG.decode()),
    ]
    assert lines[0]["http"]["path"] == "/mcp"
    assert lines[1]["http"]["status"] == 200


def test_enforcing_answers_what_breaks_the_protocol() -> None:
    got, ended = asyncio.run(proxied_once("--enforce"))
    assert got.status == 400
    assert json.loads(got.body)["error"]["code"] == -32600
    assert ended.code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--listen", "0.0.0.0:0"), "--dangerously-listen-on-network"),
        (("--listen", "here"), "HOST:PORT"),
        (("--env", "A=b"), "--env is for a command"),
    ],
)
def test_a_wrong_option_is_reported(words: tuple[str, ...], said: str) -> None:
    code, stderr = refused("http://127.0.0.1:9/mcp", *words)
    assert code == 2
    assert said in stderr


def test_an_address_that_is_taken_is_reported() -> None:
    async def run() -> tuple[int, str]:
        async with serving(answering(b"")) as (url, _):
            taken = url.removeprefix("http://").removesuffix("/mcp")
            return await asyncio.to_thread(refused, url, "--listen", taken)

    code, stderr = asyncio.run(run())
    assert code == 3
    assert stderr.count("\n") == 1


@pytest.mark.parametrize(
    "module", ["cli.main", "cli.proxy", "cli.validate", "proxy.inspector", "proxy.run"]
)
def test_only_the_proxy_of_a_url_loads_the_http_library(module: str) -> None:
    program = f"import sys, mcp_assay.{module}; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
