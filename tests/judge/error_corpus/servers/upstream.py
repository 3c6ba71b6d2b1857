"""A web service that misbehaves on purpose: what the recorded servers talk to."""

from __future__ import annotations

import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

PORT = 8765
TLS_PORT = 8766
SLOW = 40
DEEP = 3000

STATUSES = {
    "/orders/17": 410,
    "/limits": 429,
    "/wiki/TypeError": 451,
    "/admin/segfault-report": 403,
    "/help/not-found.html": 500,
    "/forms/invalid-request": 502,
    "/status": 503,
    "/catalogue/2026": 504,
    "/intranet/home": 407,
    "/uploads/summary": 408,
    "/rates/latest": 429,
    "/rates/forbidden": 503,
    "/rates/1999": 404,
    "/labels/77": 500,
}
ODDITIES = {
    "/reports/2026/q1.html": "hang",
    "/news/today": "babble",
    "/shop/basket": "hang_up",
    "/maps/tiles/7/12": "reset",
    "/books/moby-dick.html": "stop_halfway",
    "/forum/thread/99": "nest",
    "/photos/large.jpg": "send_much",
    "/logs/tail": "send_on",
}
ROBOTS = {
    "127.0.0.1": (404, ""),
    "127.0.0.2": (403, "no"),
    "127.0.0.3": (200, "User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n"),
    "127.0.0.4": (200, "# Internal server error pages live here\nUser-agent: *\nDisallow: /\n"),
}


class Handler(BaseHTTPRequestHandler):
    """Answers by path, and by the address it was asked at."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/robots.txt":
            self.reply(*ROBOTS[self.headers["Host"].partition(":")[0]])
        elif path in ODDITIES:
            getattr(self, ODDITIES[path])()
        else:
            self.reply(STATUSES.get(path, 404), f"<p>{path}</p>")

    def reply(self, status: int, body: str) -> None:
        """Send a whole response."""
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def hang(self) -> None:
        """Never answer in time."""
        time.sleep(SLOW)

    def babble(self) -> None:
        """Speak something else than HTTP."""
        self.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
        self.close_connection = True

    def hang_up(self) -> None:
        """Hang up without a word."""
        self.close_connection = True

    def reset(self) -> None:
        """Break the connection off hard."""
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True

    def stop_halfway(self) -> None:
        """Promise more than is sent."""
        self.send_response(200)
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b"<html><body>The first half")
        self.close_connection = True

    def nest(self) -> None:
        """Nest a page deeper than readers follow."""
        self.reply(200, "<html><body>" + "<div><b>" * DEEP + "deep")

    def send_much(self) -> None:
        """Send more than anybody wants."""
        self.reply(200, "x" * 20_000)

    def send_on(self) -> None:
        """Send more than anybody wants without saying so beforehand."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"x" * 20_000)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@contextmanager
def upstream() -> Iterator[None]:
    """Serve plainly on one port, and behind a certificate that nobody trusts on another."""
    with ExitStack() as stack:
        for host in ROBOTS:
            stack.enter_context(serving(ThreadingHTTPServer((host, PORT), Handler)))
        secure = ThreadingHTTPServer(("127.0.0.1", TLS_PORT), Handler)
        secure.socket = self_signed().wrap_socket(secure.socket, server_side=True)
        stack.enter_context(serving(secure))
        yield


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[None]:
    """Let the server answer while the block runs."""
    server.daemon_threads = True
    server.block_on_close = False
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def self_signed() -> ssl.SSLContext:
    """A context whose certificate only its owner has signed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = Path(folder, "key.pem"), Path(folder, "cert.pem")
        files = ["-keyout", str(key), "-out", str(certificate)]
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        subprocess.run(
            [*request, *files, "-subj", "/CN=localhost"], check=True, capture_output=True
        )
        context.load_cert_chain(certificate, key)
    return context
