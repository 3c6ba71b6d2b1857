"""A proxy as a process: prints its URL, ends when asked to, prints the most memory that it had."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from mcp_assay.client.frames import Frame
from mcp_assay.proxy.http_listener import Address
from mcp_assay.proxy.http_proxy import Route, serve


class Deaf:
    """A tap to which nobody listens."""

    def put(self, frame: Frame) -> None:
        """Forget the frame."""


def peak_megabytes() -> float:
    """The peak memory of this very program, not of what forked it."""
    status = Path("/proc/self/status").read_text().splitlines()
    (peak,) = [line.split()[1] for line in status if line.startswith("VmHWM:")]
    return int(peak) / 1024


def say(url: str) -> None:
    print(url, f"{peak_megabytes():.1f}", flush=True)


if __name__ == "__main__":
    route = Route(url=sys.argv[1], listen=Address("127.0.0.1", 0))
    served = asyncio.run(serve(route, Deaf(), None, say))
    print(served.exchanges, f"{peak_megabytes():.1f}", flush=True)
