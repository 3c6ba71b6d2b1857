"""The pages, served for a test in a thread of their own, and requests to them made by hand."""

from __future__ import annotations

import asyncio
import http.client
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from mcp_assay.web.control import another_link
from mcp_assay.web.serving import WebOptions, serve
from mcp_assay.web.site import Site
from tests.patience import LONGEST


class Answer(Struct, frozen=True):
    """What came back, redirects not followed."""

    status: int
    headers: Mapping[str, str]
    text: str


class Served:
    """Pages that are served."""

    def __init__(self, first_link: str, store: Store, told: list[str]) -> None:
        self.first_link: Final = first_link
        self.store: Final = store
        self.told: Final = told
        """What whoever started them would have read."""
        parts = urlsplit(first_link)
        self.origin: Final = f"{parts.scheme}://{parts.netloc}"
        self.host: Final = parts.netloc
        self.port: Final = int(parts.port or 0)

    def link(self) -> str:
        """Another link, as `mcp-assay ui --link` prints it."""
        found = another_link(self.port)
        assert found is not None
        return found

    def cookie(self) -> str:
        """The cookie of a browser that was let in."""
        path = self.link().removeprefix(self.origin)
        answer = self.send("GET", path)
        assert answer.status == 303, answer
        return answer.headers["Set-Cookie"].partition(";")[0]

    def send(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: str = ""
    ) -> Answer:
        """Send a request with these headers and no others but Host, unless they name one."""
        its = {"Host": self.host, **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in its.items():
                connection.putheader(name, value)
            content = body.encode()
            if method == "POST":
                connection.putheader("Content-Type", "application/x-www-form-urlencoded")
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content if method == "POST" else None)
            response = connection.getresponse()
            text = response.read().decode()
            return Answer(response.status, dict(response.headers.items()), text)
        finally:
            connection.close()

    def get(self, path: str, cookie: str = "") -> Answer:
        """The page at this path, as a browser that was let in gets it."""
        return self.send("GET", path, {"Cookie": cookie or self.cookie()})

    def post(self, path: str, body: str = "", cookie: str = "") -> Answer:
        """What a form of ours at this path gets."""
        headers = {"Cookie": cookie or self.cookie(), "Origin": self.origin}
        return self.send("POST", path, headers, body)


@contextmanager
def serving(url: str, **more: Any) -> Iterator[Served]:
    """Serve the pages about this history until the block ends; `more` goes into the options."""
    store, told = Store(located(url)), list[str]()
    links: list[str] = []
    is_ready = threading.Event()

    def ready(link: str) -> None:
        links.append(link)
        is_ready.set()

    site = Site(host="127.0.0.1", port=0)
    options = WebOptions(**{"site": site, "store": store, "tell": told.append, **more})
    loop = asyncio.new_event_loop()
    work = loop.create_task(serve(options, ready))
    thread = threading.Thread(target=_run, args=(loop, work, is_ready))
    thread.start()
    try:
        assert is_ready.wait(LONGEST)
        if not links:
            work.result()  # raises what kept it from being served
        yield Served(links[0], store, told)
    finally:
        loop.call_soon_threadsafe(work.cancel)
        thread.join(LONGEST)
        store.close()
        assert not thread.is_alive()


def _run(
    loop: asyncio.AbstractEventLoop, work: asyncio.Task[None], is_ready: threading.Event
) -> None:
    try:
        loop.run_until_complete(asyncio.wait([work]))
        loop.run_until_complete(_ended(asyncio.all_tasks(loop)))
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        is_ready.set()
        loop.close()


async def _ended(left: set[asyncio.Task[Any]]) -> None:
    """End what is left, as asyncio.run does: a connection may just have been accepted."""
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
