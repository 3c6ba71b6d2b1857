"""The installer in its world, or under a guardian alone: heard, bounded and ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from mcp_assay.client.guarded import Guarded
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.fleet.job import JobLimits, Reason, ReasonKind

INSTALLER: Final = ("-I", "-m", "mcp_assay.fleet.packages.installer")
LONGEST_HEAD: Final = 1 << 20
LONGEST_TAIL: Final = 1 << 13
PIECE: Final = 1 << 18
PASSED_ON: Final = ("PATH", "LANG")
"""All that the installer gets of the environment of a worker."""
ROOT: Final = "/"
BOUNDS: Final[Mapping[str, tuple[ReasonKind, str]]] = {
    "sandbox-memory-bytes": ("over_memory", "preparing it took more memory than a job may"),
    "sandbox-disk-bytes": ("over_disk", "preparing it took more disk than a job may"),
    "sandbox-processes": ("over_processes", "preparing it took more processes than a job may"),
}


class InstallerSaid(Struct, frozen=True):
    """What came of one run of the installer."""

    head: Mapping[str, Any]
    """What it says itself; empty where it says nothing."""
    complaints: str = ""
    reason: Reason | None = None
    """A bound that it came to."""


def world_for(hosts: tuple[str, ...], limits: JobLimits) -> SandboxOptions:
    """A world that has nothing of the user's, and a way to some hosts only."""
    bounds = {
        "memory_bytes": limits.memory_bytes,
        "disk_bytes": limits.disk_bytes,
        "processes": limits.processes,
    }
    return SandboxOptions(allow=hosts, work=ROOT, limits=bounds)


async def run_installer(
    order: Mapping[str, Any],
    environment: Mapping[str, str],
    sandbox: SandboxOptions | None,
    begun: str,
    most: int,
) -> InstallerSaid:
    """Run the installer once; its files are then in `begun`, as one stream in one file.

    Nothing of it is left when this returns, or is cancelled.
    """
    command = (sys.executable, *INSTALLER, json.dumps(order))
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own = {} if sandbox else {"TMPDIR": begun}
    process = Guarded(command, {**passed, **own, **environment}, sandbox)
    hearing = asyncio.ensure_future(asyncio.to_thread(_head_of, process.stdout, begun, most))
    errors = asyncio.ensure_future(asyncio.to_thread(_tail_of, process.stderr))
    os.close(process.stdin)
    try:
        await process.started
        head, is_too_much = await asyncio.shield(hearing)
    finally:
        await process.end()
        await asyncio.wait([hearing, errors])
    limits = [BOUNDS[one.name] for one in process.world.reached] if process.world else []
    if is_too_much:
        limits.append(BOUNDS["sandbox-disk-bytes"])
    reason = Reason(kind=limits[0][0], text=limits[0][1]) if limits else None
    return InstallerSaid(head, errors.result(), reason)


def stream_in(begun: str) -> str:
    """The file that has what the installer made."""
    return os.path.join(begun, "stream.tar")


def _head_of(descriptor: int, begun: str, most: int) -> tuple[dict[str, Any], bool]:
    """The first line as JSON, and whether there was more behind it than may be."""
    left = most
    with open(descriptor, "rb") as source, open(stream_in(begun), "wb") as target:
        line = source.readline(LONGEST_HEAD)
        while piece := source.read(PIECE):
            left -= len(piece)
            if left < 0:
                return {}, True
            target.write(piece)
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return {}, False
    return (head if isinstance(head, dict) else {}), False


def _tail_of(descriptor: int) -> str:
    """The last of what is written, once nobody can write any more."""
    tail = b""
    with open(descriptor, "rb", buffering=0) as source:
        while piece := source.read(PIECE):
            tail = (tail + piece)[-LONGEST_TAIL:]
    return tail.decode("utf-8", "replace")


def why_not_started(fault: NotReached) -> Reason:
    """Why the installer did not even begin."""
    kind: ReasonKind = "no_sandbox" if isinstance(fault, NoSandbox) else "not_prepared"
    return Reason(kind=kind, text=str(fault))
