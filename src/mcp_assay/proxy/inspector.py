"""Frames -> messages -> findings, a recording, a report: what watches the traffic of a proxy.

A process of its own: frames come in on standard input until they end, and what there is to say goes
to standard error.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
from msgspec.structs import replace

from mcp_assay.client.children import FORWARDED, signal_group
from mcp_assay.client.frames import Assembler, Frame
from mcp_assay.client.stdio_frames import StdioLines
from mcp_assay.client.trace_file import Recording, trace_line
from mcp_assay.model.entry import Entry
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.outcome import is_failure
from mcp_assay.model.report import Limit, Report
from mcp_assay.proxy.inspector_process import CLEAN, FAILED, FLAWED, FOUND, Settings
from mcp_assay.proxy.tap import MOST_HELD, read_batches, read_text
from mcp_assay.report.as_text import full_text
from mcp_assay.report.formats import EVENTS, TEXT, written
from mcp_assay.report.live import LiveLines
from mcp_assay.text.lines import as_plain_text, counted
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.safe import shorten
from mcp_assay.validate.event_files import EventFiles
from mcp_assay.validate.run import Options, Run
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from mcp_assay.proxy.shown_traffic import ShownTraffic

__all__ = ["Inspector", "main"]

MEGABYTE = 1_000_000
NOT_CHECKED = "parts of the traffic were forwarded but not checked"
GARBLED = "bodies whose Content-Encoding could not be removed were forwarded but not checked"
LONGEST_METHOD = 60
NICENESS = 5


def main() -> int:
    """Watch the traffic that comes in on standard input; give an exit code."""
    _step_back()
    settings = read_text(sys.stdin.buffer)
    if settings is None:
        return FLAWED
    inspector = Inspector(msgspec.msgpack.decode(settings, type=Settings))
    try:
        for batch in read_batches(sys.stdin.buffer):
            inspector.take(batch)
        return inspector.finish()
    except Exception as fault:  # noqa: BLE001  the proxy will say that the rest was not judged
        inspector.say(f"internal error, sorry: {type(fault).__name__}: {fault}")
        return FAILED


def _step_back() -> None:
    """Let the traffic go first, and the proxy decide when it is over."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for name in FORWARDED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


class Inspector:
    """What is known of the traffic so far, and what gets the findings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._redactor = Redactor(settings.secrets)
        self._live = LiveLines(settings.name, _clock)
        self._recording = Recording(settings.record, self._redactor) if settings.record else None
        self._shown = _shown_traffic(settings, self._redactor, self.say)
        paths = [path for form, path in settings.reports if form == EVENTS]
        self._events = EventFiles(paths) if paths else None
        self._run = Run(_options(settings), on_finding=self._emit if self._events else None)
        self._line = self._recording.lines if self._recording else 0
        self._lost = 0
        self._garbled = 0
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
                for entry in self._assembler(frame).feed(frame):
                    self._inspect(entry)
        if self._recording:
            self._recording.flush()

    def finish(self) -> int:
        """Say and write what is left; give the exit code."""
        at = self._last.at if self._last else time.time()
        last = self._run.close()
        self._on_finding(last, at)
        for line in self._live.last_repeats(at):
            self._print(line)
        report = self._report()
        reports = [one for one in self._settings.reports if one[0] != EVENTS]
        saved = [self._save(report, form, path) for form, path in reports]
        saved.append(self._conclude(report))
        if self._shown:
            self._shown.end(last, self._how())
        self.say(f"end: {', '.join(self._ending())}")
        self._end_abandoned_server()
        if self._run.own_faults or not all(saved):
            return FLAWED
        failed = is_failure(report.summary.outcome, self._settings.fail_on)
        return FOUND if failed else CLEAN

    def say(self, text: str) -> None:
        """Say something about the whole of the traffic."""
        self._print(self._live.line(text))

    def _assembler(self, frame: Frame) -> Assembler:
        if frame.exchange is None:
            return self._stdio
        self._http = self._http or _http_assembler()
        return self._http

    def _inspect(self, entry: Entry) -> None:
        """Record one message or event, judge it, and say what is wrong with it."""
        session = self._settings.session
        if entry.transport != "stdio":
            session = f"{session}/{entry.conn}"
        line = trace_line(entry, session, self._redactor) if self._keeps_lines else b""
        if self._recording:
            self._recording.add_line(line)
        self._line += 1
        if entry.garbled:
            self._garbled += 1
            self._limit("message", entry, f": {entry.garbled}")
        elif entry.lost:
            self._lost += entry.lost
            self._limit(f"{counted(entry.lost, 'piece')} of the traffic", entry)
        if entry.unread:
            self._limit(f"{entry.unread / MEGABYTE:,.1f} MB message", entry, " (LIMIT-002)")
        found = self._run.reader.judge_live(self._in_trace(entry, session))
        if self._shown:
            self._shown.show(entry, session, self._line, line, found)
        if not entry.unread:
            self._on_finding(found, entry.moment, _method(entry.text) if found else "")

    def _in_trace(self, entry: Entry, session: str) -> Entry:
        """The entry as the trace has it; in place of a long message stands one as long.

        Its place is the line of the recording or, where there is none, of one that would be the
        same.
        """
        file = self._settings.record or f"<{self._settings.name}>"
        return replace(
            entry,
            text=bytes(MAX_MESSAGE_BYTES + 1) if entry.unread else entry.text,
            session=("session", session),
            where=Where(file=file, line=self._line),
            member=b"raw",
        )

    def _on_finding(self, findings: Iterable[Finding], at: float, method: str = "") -> None:
        for finding in findings:
            about = f"{method} #{finding.where.line}".strip()
            for line in self._live.finding(finding, about, at):
                self._print(line)

    def _limit(self, what: str, entry: Entry, rule: str = "") -> None:
        self._print(
            self._live.notice(f"limit: {what} forwarded, not validated{rule}", entry.moment)
        )

    def _emit(self, finding: Finding) -> None:
        assert self._events is not None
        self._events.find(self._redactor.finding(finding))

    def _report(self) -> Report:
        report = self._cleaned(self._run.report())
        limits = [
            Limit(name=name, value=value, count=count, effect=effect)
            for name, value, count, effect in (
                ("tap-bytes", MOST_HELD, self._lost, NOT_CHECKED),
                ("garbled-bodies", 0, self._garbled, GARBLED),
            )
            if count
        ]
        return replace(report, limits=[*report.limits, *limits])

    def _cleaned(self, report: Report) -> Report:
        """The report without the secrets that were given."""
        clean = self._redactor.lines
        return replace(
            report,
            subject=clean(report.subject),
            options=clean(report.options),
            findings=[self._redactor.finding(one) for one in report.findings],
            causes=clean(report.causes),
            surface=clean(report.surface),
        )

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
                file.write(text)
        except OSError as fault:
            self.say(f"{path} could not be written: {fault}")
            return False
        return True

    def _ending(self) -> Iterator[str]:
        yield counted(self._run.messages, "message")
        yield counted(self._live.error_causes, "error")
        yield f"{self._lost:,} dropped"
        yield self._how()
        if self._recording:
            yield self._recording.close()

    def _how(self) -> str:
        """How the traffic ended."""
        facts = self._last.facts if self._last and self._last.kind == "over" else None
        return "the proxy was killed" if facts is None else str(facts["how"])

    @property
    def _keeps_lines(self) -> bool:
        return self._recording is not None or self._shown is not None

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


def _shown_traffic(
    settings: Settings, redactor: Redactor, say: Callable[[str], None]
) -> ShownTraffic | None:
    """What offers the traffic to pages, if it is wanted and can be; the traffic goes on without."""
    if not settings.is_shown:
        return None
    from mcp_assay.client.private_sockets import NoSocket  # noqa: PLC0415  only where it is shown
    from mcp_assay.proxy.shown_traffic import ShownTraffic  # noqa: PLC0415

    try:
        return ShownTraffic(settings.name, settings.session, redactor)
    except NoSocket as refusal:
        say(f"ui: no page can show this traffic: {refusal}")
        return None


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
    from mcp_assay.client.http_frames import HttpMessages  # noqa: PLC0415  only for HTTP

    return HttpMessages()


if __name__ == "__main__":
    sys.exit(main())
