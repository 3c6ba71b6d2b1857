"""Real proxies before real servers, whose traffic the pages show."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

from tests.patience import LONGEST
from tests.proxy.stdio import finish, proxied, read_line, say, start

DEMO_SERVER: Final = (sys.executable, "-m", "mcp_assay.demo_server")
FLOOD_SCRIPT: Final = """
import sys
sys.stdin.readline()
for number in range(int(sys.argv[1])):
    print('{"jsonrpc":"2.0","method":"notifications/message",'
          '"params":{"level":"info","data":"%d"}}' % number)
sys.stdout.flush()
sys.stdin.read()
"""
FLOOD: Final = (sys.executable, "-c", FLOOD_SCRIPT)
"""A server that says so many messages at once, when it is spoken to."""


PAUSE: Final = 0.02
"""Seconds between two looks: who is waited for needs the processor, too."""


class Talk:
    """A client that talks to a server through a proxy."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process: Final = process

    def say(self, message: dict[str, Any] | bytes) -> None:
        """Send a message that nobody answers."""
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        say(self.process, text + b"\n")

    def ask(self, message: dict[str, Any] | bytes) -> bytes:
        """Send a message and wait for the next line of the server."""
        self.say(message)
        return read_line(self.process)

    def pass_over_answers(self) -> None:
        """Read all that the server still says, and forget it."""
        Thread(target=self._read_all, daemon=True).start()

    def _read_all(self) -> None:
        assert self.process.stdout is not None
        while self.process.stdout.read(1 << 20):
            pass

    def hang_up(self) -> None:
        """Say no more: the server ends, and the proxy with it."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def shake_hands(self) -> None:
        """Begin a session as clients do."""
        about = {"name": "client", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        self.ask({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})


@contextmanager
def talking(command: Sequence[str], *options: object) -> Iterator[Talk]:
    """A server behind a proxy that shows its traffic, both ended with the block."""
    process = start(proxied(command, "--ui", *options))
    try:
        yield Talk(process)
    finally:
        if process.stdin is not None and process.stdin.closed:
            process.stdin = None
        finish(process)


def until(found: Callable[[], Any], words: str) -> Any:
    """What is found, as soon as it is; for no longer than allowed."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        if it := found():
            return it
        time.sleep(PAUSE)
    raise AssertionError(f"{words} did not come in time")
