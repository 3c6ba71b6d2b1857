"""The web site of a world answers for hosts that arguments name, and tells what it was asked."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.connection import Connection
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Command
from mcp_assay.model.effect import Effects
from mcp_assay.model.finding import Where
from tests.client.connected import run
from tests.client.sandbox.worlds import furnish, in_world, planted
from tools.servers import Missing, pypi_command

SERVER = Path(__file__).parent / "fetching_server.py"
URL = "https://example.invalid/page?part=1"
CLIENTS = ("urllib", "httpx", "requests", "aiohttp", "curl", "node")
PROGRAMS = {"curl", "node"}


def fetching(folder: Path, **variables: str) -> Command:
    target = planted(furnish(folder))
    return Command(
        command=(sys.executable, "-B", str(SERVER)),
        environment={**target.environment, **variables},
        sandbox=target.sandbox,
    )


async def fetched(connection: Connection, tool: str, **arguments: Any) -> tuple[str, Effects]:
    """What a tool says, and what it did meanwhile."""
    number = len(connection.effects.calls)
    about = Where(tool=tool, scenario="usual", call=number)
    answer = await connection.call(CallRequest(tool, arguments, about))
    return answer.result["content"][0]["text"], connection.effects.calls[number]


def fetch(folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[tuple[str, Effects]]:
    """What comes of calls that follow one another in one world."""

    async def talk() -> list[tuple[str, Effects]]:
        async with in_world(fetching(folder)) as connection:
            return [await fetched(connection, tool, **given) for tool, given in calls]

    return run(talk())


def by_urllib(*urls: str) -> list[tuple[str, dict[str, Any]]]:
    return [("urllib", {"url": url}) for url in urls]


@pytest.mark.parametrize("client", CLIENTS)
def test_real_clients_read_pages_and_send_bodies_over_https(client: str, tmp_path: Path) -> None:
    if client in PROGRAMS and shutil.which(client) is None:
        pytest.skip(f"{client} is not installed")
    if client not in PROGRAMS and client != "urllib":
        pytest.importorskip(client)
    sent = {"url": URL, "method": "POST", "body": "two words"}
    (page, read), (receipt, written) = fetch(tmp_path, (client, {"url": URL}), (client, sent))
    (request,) = read.requests
    assert (request.method, request.url, request.status) == ("GET", URL, 200)
    assert request.stamp in page
    assert "<h1>" in page
    assert read.names == ["example.invalid"]
    assert [(one.host, one.port) for one in read.connections] == [("example.invalid", 443)]
    (request,) = written.requests
    assert (request.method, request.body) == ("POST", "two words")
    assert {"host", "content-length"} <= set(request.headers)
    assert '"received": 9' in receipt


def test_every_other_host_is_refused_at_once_and_named(tmp_path: Path) -> None:
    ((text, effects),) = fetch(tmp_path, ("call_home", {"url": URL}))
    assert "Connection refused" in text
    assert effects.names == ["collector.example.org", "example.invalid"]
    assert [one.url for one in effects.requests] == [URL]
    assert ("collector.example.org", 443, 0) in [
        (one.host, one.port, one.bytes) for one in effects.connections
    ]


def test_a_host_that_was_named_is_gone_with_its_call_unless_it_is_for_examples(
    tmp_path: Path,
) -> None:
    real, ours = "https://docs.python.org/3/library/json.html", "http://www.example.invalid/"
    asked = [
        *by_urllib(real, ours),
        ("hidden", {"url": "", "really": real[::-1]}),
        ("hidden", {"url": "", "really": ours[::-1]}),
    ]
    found = [text.split("\n")[0][:60] for text, _ in fetch(tmp_path, *asked)]
    assert [text.startswith("200 ") for text in found] == [True, True, False, True]


def test_pages_answer_what_was_asked(tmp_path: Path) -> None:
    base = "https://example.invalid"
    paths = ("/robots.txt", "/data.json", "/old", "/elsewhere?x", "/gone", "/feed.xml")
    texts = [text for text, _ in fetch(tmp_path, *by_urllib(*(base + path for path in paths)))]
    assert texts[0].startswith("200 User-agent: *")
    assert '"items"' in texts[1]
    assert "<h1>" in texts[2]  # a redirect was followed
    assert "<h1>" in texts[3]  # a page that is named is there
    assert "<rss" in texts[5]


def test_a_page_that_nobody_named_is_not_there(tmp_path: Path) -> None:
    found = fetch(tmp_path, ("beside", {"url": "https://example.invalid/page"}))
    assert found[0][0].startswith("404 ")


def test_a_planted_key_in_a_request_is_told_and_not_shown(tmp_path: Path) -> None:
    ((_, effects),) = fetch(tmp_path, ("steal", {"url": URL}))
    key = f"{tmp_path}/home/.ssh/id_rsa"
    assert (key, "sent") in [(one.path, one.how) for one in effects.secrets]
    (request,) = effects.requests
    assert (request.url, request.body) == ("https://example.invalid/{secret}", "{secret}")


@pytest.mark.parametrize("tool", ["hold_many", "send_too_much"])
def test_who_asks_too_much_keeps_nobody_else_waiting(tool: str, tmp_path: Path) -> None:
    (text, _), (after, effects) = fetch(tmp_path, (tool, {"url": URL}), *by_urllib(URL))
    assert text.startswith("200 ")
    assert after.startswith("200 ")
    assert [one.url for one in effects.requests] == [URL]


def test_a_variable_of_the_user_stays_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    own.write_text("")

    async def talk() -> str:
        target = fetching(tmp_path, SSL_CERT_FILE=str(own))
        async with in_world(target) as connection:
            return (await fetched(connection, "urllib", url=URL))[0]

    assert "CERTIFICATE_VERIFY_FAILED" in run(talk())


def test_a_published_fetcher_reads_a_page_and_is_refused_none(tmp_path: Path) -> None:
    try:
        command = pypi_command("fetch")
    except Missing as reason:
        pytest.skip(str(reason))

    async def talk() -> tuple[str, Effects]:
        target = planted(furnish(tmp_path))
        own = Command(
            command=tuple(command), environment=target.environment, sandbox=target.sandbox
        )
        async with in_world(own) as connection:
            return await fetched(connection, "fetch", url="https://example.invalid/about")

    text, effects = run(talk())
    assert [one.url.rpartition("/")[2] for one in effects.requests] == ["robots.txt", "about"]
    assert effects.requests[1].stamp in text


def test_equal_runs_tell_the_same(tmp_path: Path) -> None:
    calls = [(client, {"url": URL}) for client in ("urllib", "httpx")]
    first, second = (fetch(tmp_path / name, *calls) for name in ("one", "two"))
    assert first == second
