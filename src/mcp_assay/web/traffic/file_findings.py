"""What `mcp-assay validate` finds in a trace file, told by its process one by one."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Summary
from mcp_assay.proxy.feed_news import FoundNews, in_few_words
from mcp_assay.web.traffic.trace_file import TraceFile

JudgeState: TypeAlias = Literal["waiting", "judging", "judged", "failed"]
COMMAND: Final = (
    *(sys.executable, "-P", "-m", "mcp_assay", "validate", "--format", "jsonl", "--quiet"),
    *("--fail-on", "never", "--max-findings", str(DEFAULT_MAX_FINDINGS), "--"),
)
LONGEST_EVENT: Final = 1 << 20
"""Bytes of one event; a longer one is passed over."""
MOST_ON_A_LINE: Final = 100
"""Findings about one line that are kept."""
TOLD_EVERY: Final = 200
"""So many findings are collected before pages see them."""
NICENESS: Final = 5


class _AnyEvent(Struct, frozen=True):
    event: str
    finding: Finding | None = None
    summary: Summary | None = None


_decode: Final = msgspec.json.Decoder(_AnyEvent).decode


class FileFindings:
    """Has one file judged, and gives what is found to whoever shows it."""

    def __init__(self, file: TraceFile) -> None:
        self._file: Final = file
        self._by_line: Final[dict[int, list[FoundNews]]] = {}
        self.state: JudgeState = "waiting"
        self.count = 0
        """So many findings are known."""
        self.summary: Summary | None = None
        """How it all came out, once it is judged."""

    async def judge(self) -> None:
        """Judge the file to its end; the process does not outlive this."""
        self.state = "judging"
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            self._file.path,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=os.sep,  # no configuration of a project writes reports, or leaves rules out
            limit=LONGEST_EVENT,
            start_new_session=True,
        )
        try:
            with suppress(AttributeError, OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
            assert process.stdout is not None
            await self._read(process.stdout)
            await process.wait()
        finally:
            await _end(process)
        self._tell()
        self.state = "judged" if self.summary is not None else "failed"

    async def _read(self, events: asyncio.StreamReader) -> None:
        while True:
            try:
                line = await events.readline()
            except ValueError:
                continue  # too long: what was read of it is dropped
            if not line:
                return
            with suppress(msgspec.MsgspecError):
                self._take(_decode(line))

    def _take(self, event: _AnyEvent) -> None:
        if event.summary is not None and event.event == "summary":
            self.summary = event.summary
        if event.finding is None or event.event != "finding":
            return
        self._keep(event.finding)

    def _keep(self, finding: Finding) -> None:
        for where in (finding.where, *finding.examples):
            lines = self._by_line.setdefault(where.line or 0, [])
            if len(lines) < MOST_ON_A_LINE:
                placed = msgspec.structs.replace(finding, where=where)
                lines.append(in_few_words(placed, 0))
        self.count += 1
        if self.count % TOLD_EVERY == 0:
            self._tell()

    def _tell(self) -> None:
        """Let pages see what is known: they read a copy, in threads of their own."""
        self._file.found = {line: tuple(found) for line, found in self._by_line.items()}


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process and those that it started, if they still run."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
