"""Frames -> messages -> findings, a recording, a report: what watches the traffic of a proxy.

A process of its own: frames come in on standard input until they end, and what there is to say goes
to standard error.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import orjson
from msgspec.structs import replace

from mcp_assay.event_files import EventFiles
from mcp_assay.intake.places import TextPlace
from mcp_assay.intake.trace import Entry
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Limit, Report
from mcp_assay.report.as_text import full_text
from mcp_assay.report.formats import EVENTS, TEXT, written
from mcp_assay.report.lines import as_plain_text, counted
from mcp_assay.report.live import LiveLines
from mcp_assay.report.plain import shorten
from mcp_assay.session.line import Line
from mcp_assay.transport.children import FORWARDED, signal_group
from mcp_assay.transport.frames import Assembler, Frame, Heard
from mcp_assay.transport.recording import Recording
from mcp_assay.transport.redaction import Redactor
from mcp_assay.transport.settings import Settings
from mcp_assay.transport.stdio_frames import StdioLines
from mcp_assay.transport.tap import MOST_HELD, read_batches, read_text
from mcp_assay.transport.validator import CLEAN, FAILED, FLAWED, FOUND
from mcp_assay.validate import Options, Run
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES

__all__ = ["Inspector", "main"]

MEGABYTE = 1_000_000
LONGEST_METHOD = 60
NICENESS = 5


def main() -> int:
    """Watch the traffic that comes in on standard input; give an exit code."""
    _step_back()
    told = read_text(sys.stdin.buffer)
    if told is None:
        return FLAWED
    inspector = Inspector(msgspec.msgpack.decode(told, type=Settings))
    try:
        for batch in read_batches(sys.stdin.buffer):
            inspector.take(batch)
        return inspector.finish()
    except Exception as fault:  # noqa: BLE001  the proxy will say that the rest was not judged
        inspector.say(f"sorry, a fault of mcp-assay itself: {type(fault).__name__}: {fault}")
        return FAILED


def _step_back() -> None:
    """Let the traffic go first, and the proxy decide when it is over."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for name in FORWARDED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


class Inspector:
    """What is known of the traffic so far, and who is told."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._redactor = Redactor(settings.secrets)
        self._live = LiveLines(settings.name, _clock)
        self._recording = Recording(settings.record, self._redactor) if settings.record else None
        paths = [path for form, path in settings.reports if form == EVENTS]
        self._events = EventFiles(paths, clean=self._redactor.line) if paths else None
        self._run = Run(_options(settings), tell=self._events.find if self._events else None)
        self._line = self._recording.lines if self._recording else 0
        self._lost = 0
        self._last: Frame | None = None
        self._stdio = StdioLines()
        self._http: Assembler | None = None

    def take(self, batch: Iterable[Frame]) -> None:
        """Judge and record all that the frames complete."""
        for frame in batch:
            self._last = frame
            if frame.kind == "over":
                self._lost += (frame.facts or {})["dropped"]
            else:
                for heard in self._assembler(frame).feed(frame):
                    self._hear(heard)
        if self._recording:
            self._recording.flush()

    def finish(self) -> int:
        """Say and write what is left; give the exit code."""
        at = self._last.at if self._last else time.time()
        self._tell(self._run.close(), at)
        for line in self._live.last_repeats(at):
            self._print(line)
        report = self._report()
        reports = [one for one in self._settings.reports if one[0] != EVENTS]
        saved = [self._save(report, form, path) for form, path in reports]
        saved.append(self._conclude(report))
        self.say(f"end: {', '.join(self._ending())}")
        self._end_abandoned_server()
        if self._run.own_faults or not all(saved):
            return FLAWED
        failed = report.summary.outcome == "fail" and self._settings.fail_on != "never"
        return FOUND if failed else CLEAN

    def say(self, text: str) -> None:
        """Say something about the whole of the traffic."""
        self._print(self._live.line(text))

    def _assembler(self, frame: Frame) -> Assembler:
        if frame.exchange is None:
            return self._stdio
        self._http = self._http or _http_assembler()
        return self._http

    def _hear(self, heard: Heard) -> None:
        """Record one message or event, judge it, and say what is wrong with it."""
        session = self._settings.session
        if heard.transport != "stdio":
            session = f"{session}/{heard.conn}"
        if self._recording:
            self._recording.add(heard, session)
        self._line += 1
        if heard.lost:
            self._lost += heard.lost
            self._limit(f"{counted(heard.lost, 'piece')} of the traffic", heard)
        if heard.unread:
            self._limit(f"{heard.unread / MEGABYTE:,.1f} MB message", heard, " (LIMIT-002)")
        found = self._run.hear(_entry(heard, session), self._place(heard, session))
        if not heard.unread:
            self._tell(found, heard.at, _method(heard.text) if found else "")

    def _place(self, heard: Heard, session: str) -> TextPlace:
        """The line of the recording or, where there is none, of one that would be the same."""
        return TextPlace(
            file=self._settings.record or f"<{self._settings.name}>",
            line=self._line,
            verbatim=False,
            session=session,
            exchange=heard.exchange,
        )

    def _tell(self, findings: Iterable[Finding], at: float, method: str = "") -> None:
        for finding in findings:
            about = f"{method} #{finding.where.line}".strip()
            for line in self._live.finding(finding, about, at):
                self._print(line)

    def _limit(self, what: str, heard: Heard, rule: str = "") -> None:
        self._print(self._live.notice(f"limit: {what} forwarded, not validated{rule}", heard.at))

    def _report(self) -> Report:
        report = self._run.report()
        if not self._lost:
            return report
        effect = "pieces of the traffic were forwarded but not judged"
        limit = Limit(name="tap-bytes", value=MOST_HELD, count=self._lost, effect=effect)
        return replace(report, limits=[*report.limits, limit])

    def _conclude(self, report: Report) -> bool:
        """End the events; whether all of them could be written."""
        if self._events is None:
            return True
        with self._events as events:
            events.conclude(report)
        for fault in events.faults.values():
            self.say(fault)
        return not events.faults

    def _save(self, report: Report, form: str, path: str) -> bool:
        is_text = form == TEXT
        text = as_plain_text(full_text(report)) if is_text else written(report, form)
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(self._redactor.line(text))
        except OSError as fault:
            self.say(f"{path} could not be written: {fault}")
            return False
        return True

    def _ending(self) -> Iterator[str]:
        yield counted(self._run.messages, "message")
        yield counted(self._live.error_causes, "error cause")
        yield f"{self._lost:,} dropped"
        facts = self._last.facts if self._last and self._last.kind == "over" else None
        yield "the proxy was killed" if facts is None else str(facts["how"])
        if self._recording:
            yield self._recording.close()

    def _end_abandoned_server(self) -> None:
        """Kill what a killed proxy left behind."""
        is_over = self._last is not None and self._last.kind == "over"
        if self._settings.group is not None and not is_over:
            signal_group(self._settings.group, signal.SIGKILL)

    def _print(self, line: str) -> None:
        print(self._redactor.line(line), file=sys.stderr, flush=True)


def _options(settings: Settings) -> Options:
    return Options(
        revision=settings.revision,
        select=settings.select,
        ignore=settings.ignore,
        fail_on=settings.fail_on,
    )


def _entry(heard: Heard, session: str) -> Entry:
    """What was heard, as a line of a trace; in place of a long message stands one as long."""
    line = Line(
        at=heard.at,
        transport=heard.transport,
        exchange=heard.exchange,
        http=heard.http,
        sse=heard.sse,
        end=heard.end,
        gap=bool(heard.lost or heard.unread),
        exact=True,
    )
    return Entry(
        text=bytes(MAX_MESSAGE_BYTES + 1) if heard.unread else heard.text,
        direction=heard.direction,
        session=("session", session),
        exchange=heard.exchange,
        member=b"raw",
        line=line,
    )


def _method(text: bytes | None) -> str:
    try:
        value: Any = orjson.loads(text or b"")
    except orjson.JSONDecodeError:
        return ""
    method = value.get("method") if isinstance(value, dict) else None
    return shorten(method, LONGEST_METHOD) if isinstance(method, str) else ""


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def _http_assembler() -> Assembler:
    from mcp_assay.transport.http_frames import HttpMessages  # noqa: PLC0415  only for HTTP

    return HttpMessages()


if __name__ == "__main__":
    sys.exit(main())
