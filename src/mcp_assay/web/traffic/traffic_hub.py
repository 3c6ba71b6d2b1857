"""All traffic that the pages show: proxies of this user, found by their sockets, and files."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from mcp_assay.client.private_sockets import connected, listeners
from mcp_assay.proxy.feed_news import HEAD, KIND, MOST_OF_A_RECORD, News, unpack
from mcp_assay.web.traffic.file_findings import FileFindings
from mcp_assay.web.traffic.live_traffic import LiveTraffic
from mcp_assay.web.traffic.trace_file import TraceFile

SECONDS_BETWEEN: Final = 0.5
"""So often is looked for new proxies, and for what was added to files."""
MOST_PROXIES: Final = 24
"""Proxies that are followed at a time."""
MOST_ENDED: Final = 8
"""Proxies that ended and whose traffic is still shown, the latest ones."""
MOST_STREAMS: Final = 64
"""Pages that follow some traffic at a time."""
MOST_SCANS: Final = 2
"""Files that are looked through for pages at a time."""
PATIENCE: Final = 256 * 1024
"""Bytes that a proxy may be ahead of us; then it drops what we are too slow for."""
GONE: Final = "the proxy is gone"


class ShownFile:
    """A trace file, and what is found in it."""

    def __init__(self, number: int, file: TraceFile) -> None:
        self.number: Final = number
        self.file: Final = file
        self.findings: Final = FileFindings(file)


class TrafficHub:
    """Follows proxies as they come and go, and has files looked through and judged."""

    def __init__(self, files: Sequence[TraceFile] = ()) -> None:
        self.files: Final = [ShownFile(number, file) for number, file in enumerate(files, 1)]
        self.proxies: Final[dict[int, LiveTraffic]] = {}
        self.streams = 0
        """Pages that follow some traffic now."""
        self.scans: Final = asyncio.Semaphore(MOST_SCANS)
        """Held while a file is looked through for a page."""
        self.is_closing = False
        self._paths: Final[dict[str, LiveTraffic | None]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._begun = 0

    def start(self) -> None:
        """Begin to follow."""
        self._begin(self._look_for_proxies())
        for shown in self.files:
            self._begin(self._index(shown.file))
        if self.files:
            self._begin(self._judge())

    def hang_up(self) -> None:
        """Let go of all pages that follow: the application is about to end."""
        self.is_closing = True
        for traffic in self.proxies.values():
            traffic.wake()

    async def close(self) -> None:
        """End all that was begun."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for shown in self.files:
            shown.file.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_for_proxies(self) -> None:
        while True:
            found = await asyncio.to_thread(listeners, KIND)
            for path in [one for one in self._paths if one not in found]:
                del self._paths[path]
            for path in found:
                if path not in self._paths and self._followed() < MOST_PROXIES:
                    self._paths[path] = None
                    self._begin(self._follow(path))
            await asyncio.sleep(SECONDS_BETWEEN)

    def _followed(self) -> int:
        return sum(not traffic.is_over for traffic in self.proxies.values())

    async def _follow(self, path: str) -> None:
        """Follow one proxy to its end; one that does not let us in is asked again."""
        connection = await asyncio.to_thread(connected, path)
        if connection is None or not await self._read(connection):
            self._paths.pop(path, None)

    async def _read(self, connection: socket.socket) -> bool:
        """Read what a proxy tells up to its end; whether it told anything."""
        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=PATIENCE)
        traffic = None
        try:
            while news := await _next(reader):
                traffic = traffic or self._added()
                traffic.take(news)
        finally:
            writer.close()
            if traffic is not None:
                traffic.end(GONE)
                self._forget_oldest()
        return traffic is not None

    def _added(self) -> LiveTraffic:
        self._begun += 1
        traffic = self.proxies[self._begun] = LiveTraffic(self._begun)
        return traffic

    def _forget_oldest(self) -> None:
        ended = [number for number, traffic in self.proxies.items() if traffic.is_over]
        for number in ended[:-MOST_ENDED]:
            del self.proxies[number]

    async def _index(self, file: TraceFile) -> None:
        """Look a file through, and later what is added to it."""
        while True:
            with suppress(OSError):
                while await asyncio.to_thread(file.go_on):
                    pass
            await asyncio.sleep(SECONDS_BETWEEN)

    async def _judge(self) -> None:
        """Have all files judged, one after the other."""
        for shown in self.files:
            await shown.findings.judge()


async def _next(reader: asyncio.StreamReader) -> News | None:
    """The next news of a proxy, None where there are no more, or what comes is none."""
    try:
        (size,) = HEAD.unpack(await reader.readexactly(HEAD.size))
        if size > MOST_OF_A_RECORD:
            return None
        news: News = unpack(await reader.readexactly(size))
        return news
    except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
        return None
