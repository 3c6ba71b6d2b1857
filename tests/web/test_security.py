"""Whoever was not let in gets nothing, whatever the token, the cookie, the Host, the Origin is."""

from __future__ import annotations

import pytest

from tests.web.served import Served

PATHS = ("/", "/runs/1", "/static/shell.css", "/nowhere", "/../etc/passwd")


def test_a_link_works_once_and_leaves_the_address(served: Served) -> None:
    path = served.link().removeprefix(served.origin)
    first = served.send("GET", path)
    assert (first.status, first.headers["Location"]) == (303, "/")
    cookie = first.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {one.strip() for one in cookie.split(";")}
    assert served.get("/", cookie.partition(";")[0]).status == 200
    again = served.send("GET", path)
    assert again.status == 403
    assert "Set-Cookie" not in again.headers


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_every_path_is_refused_alike(served: Served, path: str) -> None:
    refused = served.send("GET", path)
    assert refused.status == 403
    assert "mcp-assay ui --link" in refused.text
    assert refused.text == served.send("GET", "/", {"Cookie": "mcp-assay=wrong"}).text


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil:{port}",
        "",
    ],
)
def test_a_host_that_is_not_ours_is_refused(served: Served, host: str) -> None:
    its = {"Host": host.format(port=served.port), "Cookie": served.cookie()}
    refused = served.send("GET", "/", its)
    assert refused.status == 403
    assert "Host" in refused.text
    assert served.send("GET", "/", {**its, "Host": f"localhost:{served.port}"}).status == 200


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "https://{host}", "http://{host}1"]
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    its = {"Origin": origin.format(host=served.host), "Cookie": served.cookie()}
    for method in ("GET", "POST"):
        assert served.send(method, "/", its).status == 403


def test_every_answer_has_our_headers(served: Served) -> None:
    for answer in (served.get("/"), served.get("/nowhere"), served.send("GET", "/")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
