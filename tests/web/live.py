"""Servers that tests have assessed from the pages, and what the pages say of their runs."""

from __future__ import annotations

import http.client
import json
import os
import select
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from mcp_assay.client.client_configs import read_client_config
from mcp_assay.web.live.servers import LiveServer, LiveSettings, RunLimits, entry_digest
from tests.patience import LONGEST
from tests.web.served import Answer, Served

HERE = Path(__file__).parent
DEMO, GATED, FLOOD = 1, 2, 3
"""The numbers of the servers, as forms name them."""
LIMITS: Final = RunLimits(max_calls=12, timeout=LONGEST, max_time=600.0)


class Gate:
    """The gate of one gated server, and whether that is alive."""

    def __init__(self, folder: Path) -> None:
        self.gate: Final = folder / "gate"
        self.alive: Final = folder / "alive"
        for pipe in (self.gate, self.alive):
            os.mkfifo(pipe)
        self._watched: Final = os.open(self.alive, os.O_RDONLY | os.O_NONBLOCK)

    def open(self) -> None:
        """Let the server go on, once it waits."""
        self.gate.write_text("open", "utf-8")

    def has_ended(self) -> bool:
        """Whether the server that was there has gone, waiting for that as long as it may take."""
        ready, _, _ = select.select([self._watched], [], [], LONGEST)
        return bool(ready) and os.read(self._watched, 1) == b""

    def close(self) -> None:
        """Look no longer."""
        os.close(self._watched)


def configuration(folder: Path, gate: Gate) -> Path:
    """A client configuration with all three servers."""
    servers = {
        "demo": ["-m", "mcp_assay.demo_server"],
        "gated": [str(HERE / "gated_server.py"), str(gate.gate), str(gate.alive)],
        "flood": [str(HERE / "flooding_server.py")],
    }
    entries = {name: {"command": sys.executable, "args": args} for name, args in servers.items()}
    file = folder / "servers.json"
    file.write_text(json.dumps({"mcpServers": entries}), "utf-8")
    return file


def live_settings(config: Path, history: str, limits: RunLimits = LIMITS) -> LiveSettings:
    """What the pages may do with the servers of a configuration."""
    servers = [
        LiveServer(name=name, config=str(config), shown=name, digest=entry_digest(entry))
        for name, entry in read_client_config(str(config)).items()
    ]
    return LiveSettings(servers=servers, limits=limits, history=history)


def start(served: Served, server: int, cookie: str, **more: Any) -> Answer:
    """Start a run as the form does."""
    return served.post("/live", urlencode({"server": server, **more}), cookie)


def events(
    served: Served, path: str, cookie: str, last_seen: int | None = None
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each note that comes, with its number, until the server ends the stream."""
    headers = {"Cookie": cookie, "Host": served.host}
    if last_seen is not None:
        headers["Last-Event-ID"] = str(last_seen)
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=LONGEST)
    try:
        connection.request("GET", f"{path}/events", headers=headers)
        response = connection.getresponse()
        number = 0
        for line in response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                number = int(value)
            elif name == "data":
                yield number, json.loads(value)
    finally:
        connection.close()


def end_of(served: Served, path: str, cookie: str) -> Mapping[str, Any]:
    """The last note of a run, which is waited for."""
    return next(note for _, note in events(served, path, cookie) if note["kind"] == "end")
