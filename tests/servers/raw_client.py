"""Talking to a server of the catalogue over raw bytes, and what the rules say to what was said."""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mcp_assay.model.entry import Delivery, Direction
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from tests.patience import LONGEST
from tests.servers.base import A_HANDSHAKE, META, STATELESS, Server
from tests.servers.catalogue import named
from tests.servers.things import NOTHING, Object

RUNNER = Path(__file__).parent
MOST_PAGES = 8
MOST_CALLS = 4
PIPE = Delivery(transport="stdio", exact=True)
CLIENT: Object = {"name": "raw-client", "version": "1"}


def command(name: str) -> list[str]:
    """What runs a server of the catalogue."""
    return [sys.executable, "-E", "-s", str(RUNNER), name]


def server_of(name: str) -> Server:
    """The server, made here, to read what it offers."""
    server = named(name).make()
    assert isinstance(server, Server)
    return server


class RawClient:
    """A conversation with one server, every line of which is kept."""

    def __init__(self, name: str, modern: bool | None = None, patience: float = LONGEST) -> None:
        self.patience = patience
        self.server = server_of(name)
        alone = tuple(self.server.revisions) == (STATELESS,)
        self.modern = alone if modern is None else modern
        self.lines: list[tuple[Direction, bytes]] = []
        self._asked, self._rest = 0, b""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  closed at the end of the talk
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command(name), stdin=pipe, stdout=pipe, stderr=self._stderr, start_new_session=True
        )
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.process.stdout or 0, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for orphan in re.findall(r"^grandchild (\d+)$", self.stderr(), re.MULTILINE):
            with suppress(ProcessLookupError):
                os.kill(int(orphan), signal.SIGKILL)
        self._selector.close()
        for stream in (self.process.stdout, self._stderr):
            if stream is not None:
                stream.close()
        with suppress(BrokenPipeError):
            self.hang_up()
        self.process.wait(LONGEST)

    # Bytes

    def say(self, line: bytes) -> None:
        """Send one line as it is."""
        self.lines.append(("c2s", line))
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self, patience: float | None = None) -> bytes | None:
        """The next line without its line feed; None when the server closes its output."""
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        chunks = [self._rest]
        while b"\n" not in chunks[-1]:
            chunk = self.chunk(deadline - time.monotonic())
            if not chunk:
                self._rest = b"".join(chunks)
                return None
            chunks.append(chunk)
        line, _, self._rest = b"".join(chunks).partition(b"\n")
        self.lines.append(("s2c", line))
        return line

    def chunk(self, patience: float | None = None) -> bytes:
        """The next bytes, as they come."""
        assert self.process.stdout is not None
        wait = self.patience if patience is None else patience
        if not self._selector.select(max(0.0, wait)):
            raise TimeoutError(f"{self.server} says nothing more")
        return os.read(self.process.stdout.fileno(), 1 << 20)

    def hang_up(self) -> None:
        """Close the server's standard input."""
        if self.process.stdin is not None:
            self.process.stdin.close()

    def end(self) -> int:
        """Close the server's input, hear it out, and give back its exit code."""
        self.hang_up()
        while self.hear() is not None:
            pass
        return self.process.wait(LONGEST)

    def stderr(self) -> str:
        """What the server wrote to its standard error."""
        self._stderr.seek(0)
        return self._stderr.read().decode(errors="replace")

    # Messages

    def ask(self, method: str, params: Object = NOTHING, meta: Object | None = None) -> int:
        """Send a request; give back its id."""
        self._asked += 1
        if self.modern:
            params = {**params, "_meta": _meta() if meta is None else meta}
        request = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self.say(json.dumps(request).encode())
        return self._asked

    def answer(self) -> Any:
        """The next answer, whatever stands before it; None at the end of the output.

        What looks like a message and cannot be read is taken for an answer without members.
        """
        while (line := self.hear()) is not None:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = {"result": {}} if line.lstrip(b"\xef\xbb\xbf").startswith(b"{") else None
            if isinstance(message, dict) and ("result" in message or "error" in message):
                return message
        return None

    def answer_to(self, method: str, params: Object = NOTHING) -> Any:
        """Ask, and give back the answer."""
        self.ask(method, params)
        return self.answer()

    def call(self, tool: str, arguments: Object) -> Any:
        """The result of a call; the error where there is none."""
        message = self.answer_to("tools/call", {"name": tool, "arguments": arguments})
        return message.get("result", message.get("error"))

    def notify(self, method: str) -> None:
        """Send a notification."""
        self.say(json.dumps({"jsonrpc": "2.0", "method": method}).encode())

    def open(self) -> Any:
        """Find out what the server offers: by a handshake, or without."""
        if self.modern:
            return self.answer_to("server/discover").get("result")
        version = min(self.server.revisions[-1], A_HANDSHAKE)
        offer = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        opened = self.answer_to("initialize", offer)
        self.notify("notifications/initialized")
        return opened.get("result")

    def walk(self, method: str) -> Iterator[Any]:
        """What a list holds, page by page."""
        page = self.answer_to(method).get("result", {})
        for _ in range(MOST_PAGES):
            yield from page.get(next((name for name in page if name in LISTS), ""), ())
            if not isinstance(page.get("nextCursor"), str):
                return
            page = self.answer_to(method, {"cursor": page["nextCursor"]}).get("result", {})

    def judged(self) -> list[Finding]:
        """What the rules of messages and conversations find in all that was said."""
        checker = SessionChecker(None, sessions=True)
        findings = [
            finding
            for direction, line in self.lines
            for finding in checker.check(line, direction, delivery=PIPE)
        ]
        return [*findings, *(finding for _, finding in checker.close())]


LISTS = frozenset({"tools", "resources", "resourceTemplates", "prompts"})


def _meta() -> Object:
    return {
        f"{META}protocolVersion": STATELESS,
        f"{META}clientCapabilities": {},
        f"{META}clientInfo": CLIENT,
    }


def converse(client: RawClient) -> None:
    """Hold the usual conversation: everything is listed, read and called; nothing is odd."""
    offered = client.open()["capabilities"]
    if not client.modern:
        client.answer_to("ping")
    if "tools" in offered:
        list(client.walk("tools/list"))
        for tool in (client.server.tools or ())[:MOST_CALLS]:
            client.ask("tools/call", {"name": tool.name, "arguments": tool.sample})
            client.answer()
    if "resources" in offered:
        for resource in list(client.walk("resources/list")):
            client.answer_to("resources/read", {"uri": resource["uri"]})
        list(client.walk("resources/templates/list"))
    if "prompts" in offered:
        for prompt in list(client.walk("prompts/list")):
            given = {one["name"]: "calm" for one in prompt["arguments"]}
            client.answer_to("prompts/get", {"name": prompt["name"], "arguments": given})
    client.answer_to("x.invalid/unknown")
