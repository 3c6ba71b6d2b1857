"""Browsers with and without a session, and what pages of other sites get by them: nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

from tests.web.conftest import DESK
from tests.web.served import Served
from tools.browser import new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Visit = Callable[..., "Page"]
FOREIGN = """<!doctype html><title>elsewhere</title><body><script>
const target = "%s";
window.results = {};
const note = (name, value) => { window.results[name] = value; };
const tried = [];
const attempt = (name, it) => it.then(() => note(name, "read"), () => note(name, "refused"));
tried.push(attempt("fetch", fetch(target + "/")));
const post = { method: "POST", mode: "no-cors", credentials: "include", body: "a=b" };
tried.push(attempt("post", fetch(target + "/", post)));
for (const [name, address] of [["img", "/static/icon.svg"], ["script", "/static/servers.js"]]) {
  const one = document.createElement(name);
  tried.push(new Promise((done) => {
    one.onload = () => { note(name, "loaded"); done(); };
    one.onerror = () => { note(name, "refused"); done(); };
  }));
  one.src = target + address;
  document.body.append(one);
}
const frame = document.createElement("iframe");
tried.push(new Promise((done) => { frame.onload = done; }));
frame.src = target + "/";
document.body.append(frame);
Promise.all(tried).then(() => note("done", true));
</script><a href="%s/">onward</a>"""


@contextmanager
def elsewhere(content: str) -> Iterator[str]:
    """A page of somebody else, at another port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_browser_that_was_not_let_in_sees_a_sentence(browser: Browser, served: Served) -> None:
    with new_page(browser, *DESK) as page:
        page.goto(f"{served.origin}/runs/1")
        assert "mcp-assay ui --link" in page.locator("body").inner_text()
        page.goto(served.link())
        assert page.url == f"{served.origin}/"
        assert page.context.cookies()[0]["httpOnly"]
        assert page.evaluate("document.cookie") == ""


def test_two_browsers_have_links_of_their_own(
    browser: Browser, visit: Visit, served: Served
) -> None:
    first = visit()
    with new_page(browser, *DESK) as second:
        second.goto(served.link())
        assert second.url == first.url
        first.reload()
        assert first.locator(".servers").count() == second.locator(".servers").count() == 1


def test_a_page_of_another_site_gets_nothing_and_may_lead_here(
    visit: Visit, served: Served, noise: list[str]
) -> None:
    page = visit()
    with elsewhere(FOREIGN % (served.origin, served.origin)) as address:
        page.goto(address)
        page.wait_for_function("window.results.done")
        assert page.evaluate("window.results") == {
            "fetch": "refused",
            "post": "refused",
            "img": "refused",
            "script": "refused",
            "done": True,
        }
        assert page.frames[1].url in ("", "about:blank", "chrome-error://chromewebdata/")
        page.get_by_role("link", name="onward").click()
        page.wait_for_url(f"{served.origin}/")
        assert page.locator(".servers").count() == 1
    assert {one.partition(":")[0] for one in noise} <= {"console", "request"}
    noise.clear()


def test_a_link_that_another_site_shows_lets_the_browser_in(
    browser: Browser, served: Served
) -> None:
    with (
        elsewhere(f'<a href="{served.link()}">go</a>') as address,
        new_page(browser, *DESK) as page,
    ):
        page.goto(address.replace("127.0.0.1", "localhost"))
        page.get_by_role("link").click()
        page.wait_for_url(f"{served.origin}/")
        assert page.locator(".servers").count() == 1
