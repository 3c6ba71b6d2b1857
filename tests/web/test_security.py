"""Whoever was not let in gets nothing, whatever the token, the cookie, the Host, the Origin is."""

from __future__ import annotations

import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from mcp_assay.web.application import ROUTES
from mcp_assay.web.control import served_ports
from tests.web.served import Served

PATHS = (
    *("/", "/?q=notes", "/runs/1", "/servers/1", "/static/shell.css", "/nowhere", "/%2e%2e/etc"),
    *("/static/../../pyproject.toml", "//evil.example/", "/open", "/open?token="),
)
OUTSIDE = (
    *("/static/../page.py", "/static/..%2f..%2fpage.py", "/static/%2fetc%2fpasswd"),
    *(
        "/static/servers.html",
        "/static/",
        "/static/shell.css/",
        "/../etc/passwd",
        "/templates/run.html",
    ),
)


def filled(path: str) -> str:
    """The path of a route with a number for all that varies in it."""
    return re.sub(r"\{\w+(?::[^}]*)?\}", "1", path)


def test_a_link_works_once_and_leaves_the_address(served: Served) -> None:
    path = served.link().removeprefix(served.origin)
    first = served.send("GET", path)
    assert (first.status, first.headers["Location"]) == (303, "/")
    cookie = first.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {one.strip() for one in cookie.split(";")}
    assert served.get("/", cookie.partition(";")[0]).status == 200
    again = served.send("GET", path)
    assert again.status == 403
    assert "was used" in again.text
    assert "Set-Cookie" not in again.headers


def test_a_link_is_not_used_up_by_anything_but_opening_it(served: Served) -> None:
    path = served.link().removeprefix(served.origin)
    assert served.send("HEAD", path).status == 403
    assert served.send("POST", path, {"Origin": served.origin}).status == 403
    assert served.send("GET", path, {"Host": "evil.example"}).status == 403
    assert served.send("GET", path, {"Origin": "http://evil.example"}).status == 403
    assert served.send("GET", path).status == 303


def test_a_link_on_another_site_leads_on_by_a_page_of_ours(served: Served) -> None:
    path = served.link().removeprefix(served.origin)
    fetched = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    answer = served.send("GET", path, fetched)
    assert answer.status == 200
    assert "Set-Cookie" in answer.headers
    assert "url=/" in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_without_a_session_every_path_is_refused(served: Served, path: str) -> None:
    wrong = f"mcp-assay-{served.port}=wrong"
    for headers in ({}, {"Cookie": wrong}, {"Authorization": "Bearer x"}):
        refused = served.send("GET", path, headers)
        assert refused.status == 403
        assert "mcp-assay ui --link" in refused.text
        assert "Set-Cookie" not in refused.headers


def test_a_session_is_one_of_this_server_only(served: Served) -> None:
    name, _, value = served.cookie().partition("=")
    assert name == f"mcp-assay-{served.port}"
    assert served.get("/", f"mcp-assay-1={value}").status == 403
    assert served.get("/", f"{name}={value[:-1]}").status == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.x:{port}", ""],
)
def test_a_host_that_is_not_ours_is_refused(served: Served, host: str) -> None:
    its = {"Host": host.format(port=served.port), "Cookie": served.cookie()}
    refused = served.send("GET", "/", its)
    assert refused.status == 403
    assert "Host" in refused.text
    assert "notes" not in refused.text
    assert served.send("GET", "/", {**its, "Host": f"localhost:{served.port}"}).status == 200


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "https://{host}", "http://{host}1", "http://localhost"],
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    its = {"Origin": origin.format(host=served.host), "Cookie": served.cookie()}
    for method in ("GET", "POST"):
        refused = served.send(method, "/", its)
        assert refused.status == 403
        assert "other sites" in refused.text


def test_a_change_needs_our_own_origin(served: Served) -> None:
    refused = served.send("POST", "/", {"Cookie": served.cookie()})
    assert refused.status == 403
    assert "Origin" in refused.text
    assert served.post("/").status == 405


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("destination", ["image", "script", "iframe", "empty", ""])
def test_nothing_becomes_part_of_another_page(served: Served, site: str, destination: str) -> None:
    its = {"Cookie": served.cookie(), "Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination}
    assert served.send("GET", "/", its).status == 403
    assert served.send("GET", "/", {**its, "Sec-Fetch-Dest": "document"}).status == 200


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_outside_leads_nowhere(served: Served, path: str) -> None:
    answer = served.get(path)
    assert answer.status == 404
    assert "There is no such page." in answer.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert served.send(method, "/", {"Cookie": served.cookie()}).status == 405


def test_reading_every_page_changes_nothing(served: Served, history_url: str) -> None:
    def everything() -> list[str]:
        with closing(sqlite3.connect(history_url.removeprefix("sqlite:///"))) as store:
            return list(store.iterdump())

    before, cookie = everything(), served.cookie()
    for route in ROUTES:
        if route.method == "GET" and "/static/" not in route.path:
            assert served.get(filled(route.path), cookie).status < 500, route.path
    assert everything() == before


def test_every_answer_has_our_headers(served: Served) -> None:
    cookie = served.cookie()
    answers = [
        served.get(path, cookie) for path in ("/", "/runs/1", "/static/shell.css", "/nowhere")
    ]
    for answer in (*answers, served.send("GET", "/"), served.post("/", cookie=cookie)):
        its = answer.headers
        assert its["Cache-Control"] == "no-store"
        assert its["Referrer-Policy"] == "no-referrer"
        assert its["X-Content-Type-Options"] == "nosniff"
        assert its["Cross-Origin-Resource-Policy"] == "same-origin"
        assert its["Server"] == "mcp-assay"
        policy = its["Content-Security-Policy"]
        assert "unsafe" not in policy
        for part in ("default-src 'none'", "frame-ancestors 'none'", "trusted-types 'none'"):
            assert part in policy


def test_a_request_that_is_too_large_is_refused(served: Served) -> None:
    answer = served.send("GET", f"/?q={'x' * 20_000}", {"Cookie": served.cookie()})
    assert answer.status == 400


def test_the_socket_for_links_is_the_users_alone(served: Served, private_place: Path) -> None:
    assert served_ports() == [served.port]
    (socket,) = (private_place / "mcp-assay").iterdir()
    assert stat.S_IMODE(socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    served.link()  # by now it has taken the connection before: at its end it would lose that
