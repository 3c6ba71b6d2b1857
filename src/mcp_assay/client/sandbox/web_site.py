"""A web site in a world: it answers for the hosts that arguments of ours name, and for no other.

One thread accepts, one serves each connection; whoever comes too often has the oldest let go.
"""

from __future__ import annotations

import os
import selectors
import socket
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_assay.client.sandbox.network import SITE_ADDRESS, SITE_PORTS
from mcp_assay.client.sandbox.web_pages import METHODS, Asked, Page, page_for, split_target

TLS_RECORD = b"\x16"
"""The first byte of a connection that is encrypted."""
MOST_CONNECTIONS = 64
MOST_REQUESTS = 100
"""So many are told of one stretch of time; the others are counted."""
SECONDS = 10.0
"""So long a connection may say nothing."""
MOST_BODY = 8 << 20
"""A longer body is not taken."""
TOLD_BODY = 16 << 10
TOLD_HEADERS = 8 << 10
TOLD_TARGET = 4 << 10
PIECE = 1 << 16
LONGEST_HOST = 253
LONGEST_LINE = 1 << 10
"""The line before a chunk of a body."""
MOST_TRAILERS = 50
MOST_HEAD = 64 << 10
"""A longer head of a request is not taken, nor are more lines between the pieces of a body."""
DATE = "Thu, 15 Jan 2026 12:00:00 GMT"
"""Always the same, as everything here: equal runs tell the same."""
IDLE_SECONDS = 0.1
"""So long it is waited for requests that are being read."""
Count = Callable[[str, str, int, int], None]

if TYPE_CHECKING:
    from io import BufferedIOBase
    from socketserver import BaseServer


class Incoming(NamedTuple):
    """A connection, and whom it was made to."""

    socket: socket.socket
    port: int


class WebSite:
    """The site: what it has, who asks, and what was asked."""

    def __init__(self, descriptors: dict[str, int], cuts: Counter[str], relayed: Count) -> None:
        self.hosts: dict[str, frozenset[str]] = {}
        """The hosts that it answers for, each with the paths that were named."""
        self._cuts = cuts
        self._relayed = relayed
        self._context: Any = None
        self._requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._busy = 0
        self._is_idle = threading.Condition(self._lock)
        self._open: dict[int, socket.socket] = {}
        """The connections, the oldest first."""
        self._numbers = count(1)
        self._listeners = {
            port: socket.socket(fileno=descriptors[name])
            for port in SITE_PORTS
            if (name := f"site{port}") in descriptors
        }

    def start(self) -> None:
        """Answer from now on, until this process ends."""
        if self._listeners:
            threading.Thread(target=self._accept, daemon=True).start()

    def serve(self, places: dict[str, list[str]], chain: str | None) -> None:
        """Answer for these hosts and no others; the chain is a certificate for them and its key."""
        if chain is not None:
            self._context = _context(chain)
        self.hosts = {host: frozenset(paths) for host, paths in places.items()}

    def address(self, name: str) -> str | None:
        """The address of a host of the site; None for all others."""
        return SITE_ADDRESS if name in self.hosts and self._listeners else None

    def take(self) -> list[dict[str, Any]]:
        """The requests since the last time."""
        with self._is_idle:
            self._is_idle.wait_for(lambda: self._busy == 0, IDLE_SECONDS)
            found, self._requests = self._requests, []
        return found

    def note(self, told: dict[str, Any]) -> None:
        """Take one request."""
        with self._lock:
            if len(self._requests) < MOST_REQUESTS:
                self._requests.append(told)
            else:
                self._cuts["requests"] += 1

    def _accept(self) -> None:
        waiting = selectors.DefaultSelector()
        for port, listener in self._listeners.items():
            waiting.register(listener, selectors.EVENT_READ, port)
        while True:
            for key, _ in waiting.select():
                with suppress(OSError):
                    found, _ = self._listeners[key.data].accept()
                    self._begin(Incoming(found, key.data))

    def _begin(self, link: Incoming) -> None:
        number, handle = next(self._numbers), link.socket.dup()  # TLS takes the first one over
        with self._lock:
            if len(self._open) >= MOST_CONNECTIONS:
                with suppress(OSError), self._open.pop(next(iter(self._open))) as oldest:
                    oldest.shutdown(socket.SHUT_RDWR)
            self._open[number] = handle
            self._busy += 1
        try:
            threading.Thread(target=self._serve, args=(link, number), daemon=True).start()
        except RuntimeError:  # there are too many
            link.socket.close()
            self._rest()
            self._let_go(number)

    def _rest(self) -> None:
        """Note that one request less is being read."""
        with self._is_idle:
            self._busy -= 1
            self._is_idle.notify_all()

    def _let_go(self, number: int) -> None:
        with self._lock:
            handle = self._open.pop(number, None)
        if handle is not None:
            handle.close()

    def _serve(self, link: Incoming, number: int) -> None:
        is_counted = True

        def rest() -> None:
            nonlocal is_counted
            if is_counted:
                is_counted = False
                self._rest()

        try:
            with link.socket:
                link.socket.settimeout(SECONDS)
                self._speak(link, rest)
        except (OSError, ValueError):  # whatever was sent: what can be told of it was told
            return
        finally:
            rest()
            self._let_go(number)

    def _speak(self, link: Incoming, rest: Callable[[], None]) -> None:
        """Answer what comes over a connection, encrypted or not."""
        if not self.hosts:
            return
        is_tls = link.socket.recv(1, socket.MSG_PEEK) == TLS_RECORD
        if is_tls and self._context is None:
            return
        plain = link.socket
        if is_tls:
            plain = self._context.wrap_socket(link.socket, server_side=True)
        try:
            Visit(plain, self, link.port, "https" if is_tls else "http", rest)
        finally:
            plain.close()

    def counted(self, host: str, port: int, size: int) -> None:
        """Note how much was sent and received."""
        self._relayed(host, SITE_ADDRESS, port, size)


class BoundedStream:
    """What comes over a connection, of which only so much may be lines of one request."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self.left = MOST_HEAD
        self._stream = stream

    def readline(self, most: int = -1) -> bytes:
        """Read a line; raises OSError where there were too many."""
        line = self._stream.readline(self.left + 1 if most < 0 else min(most, self.left + 1))
        self.left -= len(line)
        if self.left < 0:
            raise OSError("too long")
        return line

    def read(self, size: int) -> bytes:
        """Read so many bytes."""
        return self._stream.read(size)

    def close(self) -> None:
        """Read no more."""
        self._stream.close()


class Visit(BaseHTTPRequestHandler):
    """One connection, and all requests that come over it."""

    protocol_version = "HTTP/1.1"
    server_version = "site"
    sys_version = ""
    timeout = SECONDS

    def __init__(
        self, link: socket.socket, site: WebSite, port: int, scheme: str, rest: Callable[[], None]
    ) -> None:
        self._site = site
        self._port = port
        self._scheme = scheme
        self._rest = rest
        super().__init__(link, (SITE_ADDRESS, port), cast("BaseServer", site))

    def setup(self) -> None:
        """Begin."""
        super().setup()
        self._lines = BoundedStream(self.rfile)
        self.rfile = cast("BufferedIOBase", self._lines)

    def handle_one_request(self) -> None:
        """Read one request, and answer it."""
        self._lines.left = MOST_HEAD
        super().handle_one_request()

    def answer(self) -> None:
        """Note a request, and answer it."""
        body, size = self._body()
        host = self._host()
        asked = Asked(
            self.command, self._scheme, host, self.path, self.headers.get("accept", ""), size
        )
        named = self._site.hosts.get(host)
        page = Page(421, "text/plain", b"No such host here.\n")
        if size > MOST_BODY:
            page, self.close_connection = Page(413, "text/plain", b"Too long.\n"), True
        elif named is not None:
            page = page_for(asked, named)
        self._site.note(self._told(asked, body, page))
        if named is not None:
            self._site.counted(host, self._port, size + len(page.body))
        self._rest()
        self._send(page)

    def _host(self) -> str:
        """The host that is asked for, without its port."""
        text = self.headers.get("host", "")
        if "://" in self.path:
            text = self.path.partition("://")[2].partition("/")[0]
        return text.rpartition("@")[2].partition(":")[0].strip().lower().rstrip(".")[:LONGEST_HOST]

    def _body(self) -> tuple[bytes, int]:
        """The beginning of the body, and how long all of it is."""
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            return self._chunks()
        text = self.headers.get("content-length", "0").strip()
        size = int(text) if text.isdecimal() and len(text) < 16 else 0
        return (self._piece(size), size) if size <= MOST_BODY else (b"", size)

    def _chunks(self) -> tuple[bytes, int]:
        begin, size = b"", 0
        while True:
            line = self.rfile.readline(LONGEST_LINE).partition(b";")[0].strip()
            try:
                length = int(line, 16)
            except ValueError:
                self.close_connection = True
                return begin, size
            size += length
            if length <= 0 or size > MOST_BODY:
                break
            begin = (begin + self._piece(length))[:TOLD_BODY]
            self.rfile.readline(LONGEST_LINE)
        for _ in range(MOST_TRAILERS):
            if size > MOST_BODY or not self.rfile.readline(LONGEST_LINE).strip():
                return begin, size
        self.close_connection = True
        return begin, size

    def _piece(self, size: int) -> bytes:
        """Read so much; its beginning."""
        begin = b""
        while size > 0:
            piece = self.rfile.read(min(size, PIECE))
            if not piece:
                break
            size -= len(piece)
            begin = (begin + piece)[:TOLD_BODY] if len(begin) < TOLD_BODY else begin
        return begin

    def _told(self, asked: Asked, body: bytes, page: Page) -> dict[str, Any]:
        """What is told of a request."""
        path, query = split_target(asked.target)
        target = f"{path or '/'}?{query}" if query else path or "/"
        port = "" if SITE_PORTS[self._port] == self._scheme else f":{self._port}"
        values = "\n".join(self.headers.values())
        return {
            "method": asked.method,
            "url": f"{asked.scheme}://{asked.host}{port}{target[:TOLD_TARGET]}",
            "headers": [str(name).lower() for name in self.headers],
            "values": values[:TOLD_HEADERS],
            "body": body.decode(errors="replace"),
            "status": page.status,
            "stamp": page.stamp,
        }

    def _send(self, page: Page) -> None:
        self.send_response(page.status)
        kind = f"{page.kind}; charset=utf-8" if page.kind.startswith("text/") else page.kind
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(page.body)))
        if page.location:
            self.send_header("Location", page.location)
        if self.command == "OPTIONS":
            self.send_header("Allow", ", ".join(METHODS))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The moment, which is always the same."""
        return DATE

    def version_string(self) -> str:
        """What the site calls itself."""
        return self.server_version

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what was asked is told elsewhere."""


for _method in METHODS:
    setattr(Visit, f"do_{_method}", Visit.answer)


def _context(chain: str) -> Any:
    """What encrypts connections, from a certificate and its key; no file ever has the key."""
    import ssl  # noqa: PLC0415  most worlds have no site that is asked for

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    memory = os.memfd_create("certificate")
    try:
        os.write(memory, chain.encode())
        context.load_cert_chain(f"/proc/self/fd/{memory}")
    finally:
        os.close(memory)
    return context
