"""What changes something is done only by a POST of our own pages, and by nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer, unused_port

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from mcp_assay.web.application import make_application
from mcp_assay.web.links import AccessLinks
from mcp_assay.web.settings import WebSettings
from mcp_assay.web.site import Site

CHANGE = "/change"


async def changed(url: str, method: str, headers: Mapping[str, str]) -> tuple[int, int]:
    """The status of a request of somebody who was let in, and how often it changed something."""
    site, links, times = Site(host="127.0.0.1", port=unused_port()), AccessLinks(), 0
    store, told = Store(located(url)), list[str]()

    async def change(_: web.Request) -> web.Response:
        nonlocal times
        times += 1
        return web.Response(text="changed")

    settings = WebSettings(site=site, store=store, links=links, tell=told.append)
    application = make_application(settings)
    application.router.add_route("POST", CHANGE, change)
    session = links.begin_session(links.new_link())
    its = {"Cookie": f"mcp-assay-{site.port}={session}"}
    its |= {name: value.format(own=site.origin, port=site.port) for name, value in headers.items()}
    async with TestClient(TestServer(application, port=site.port)) as client:
        answer = await client.request(method, CHANGE, headers=its)
        await answer.read()
    store.close()
    assert told == []
    return answer.status, times


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", {"Origin": "{own}"}, 200),
        ("POST", {"Origin": "{own}", "Sec-Fetch-Site": "same-origin"}, 200),
        ("GET", {"Origin": "{own}"}, 405),
        ("GET", {}, 405),
        ("HEAD", {}, 405),
        ("PUT", {"Origin": "{own}"}, 405),
        ("POST", {}, 403),
        ("POST", {"Origin": "null"}, 403),
        ("POST", {"Origin": "http://127.0.0.1:1"}, 403),
        ("POST", {"Origin": "http://localhost:{port}"}, 403),
        ("POST", {"Origin": "https://127.0.0.1:{port}"}, 403),
        ("POST", {"Origin": "{own}", "Host": "evil.example:{port}"}, 403),
        ("POST", {"Origin": "{own}", "Cookie": "mcp-assay-{port}=wrong"}, 403),
        ("POST", {"Origin": "{own}", "Cookie": ""}, 403),
        ("POST", {"Origin": "{own}", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_a_change_is_made_by_our_own_pages_alone(
    tmp_path: Path, method: str, headers: dict[str, str], status: int
) -> None:
    answer = asyncio.run(changed(f"sqlite:///{tmp_path / 'h.db'}", method, headers))
    assert answer == (status, 1 if status == 200 else 0)
