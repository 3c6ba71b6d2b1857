"""`mcp-assay history export`, `import`, `backup`, `prune`: whole stores, and what leaves them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Final

from mcp_assay.cli.history import opened_history
from mcp_assay.cli.history_keeper import opened_store
from mcp_assay.cli.options import HistoryView
from mcp_assay.cli.output import CommandError, complain, write
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.identity import project_root
from mcp_assay.history.names import server_named
from mcp_assay.history.packed_reports import HARMLESS, LARGEST, MOST_RATIO
from mcp_assay.history.retention import back_up, keep_of, prune
from mcp_assay.history.store import Store
from mcp_assay.history.transfer import (
    LARGEST_LINE,
    exported,
    imported,
    imported_line,
    is_export,
)
from mcp_assay.model.outcome import CLEAN, USAGE
from mcp_assay.report.as_json import json_text
from mcp_assay.report.report_file import WrongReport
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain
from mcp_assay.validate.lines import Damaged, Unreadable, unpacked
from mcp_assay.validate.sources import opened, shown_name

STDOUT: Final = "-"


def export(view: HistoryView, *, file: str, server: str | None) -> int:
    """Write all runs to a file."""
    with opened_history(view, to_write=False) as store:
        server_id = _server(store, server)
        number = 0
        try:
            with _written_to(file) as line_out:
                for line in exported(store, server_id):
                    line_out(line.encode())
                    number += 1
        except OSError as fault:
            raise CommandError(f"{file} could not be written: {fault.strerror}.") from None
    complain(f"mcp-assay: {counted(number, 'line')} written to {shown_name(file)}.")
    return CLEAN


@contextmanager
def _written_to(file: str) -> Iterator[Callable[[bytes], object]]:
    """Writes lines to a file; each is packed alone, so that it unpacks to no more than it is."""
    if file == STDOUT:
        yield sys.stdout.buffer.write
        sys.stdout.flush()
        return
    with open(file, "wb") as stream:
        yield _packing(file, stream)


def _packing(file: str, stream: IO[bytes]) -> Callable[[bytes], object]:
    if file.endswith(".zst"):
        from zstandard import ZstdCompressor

        return lambda line: stream.write(ZstdCompressor().compress(line))
    if file.endswith(".gz"):
        import gzip

        return lambda line: stream.write(gzip.compress(line))
    return stream.write


def imported_files(view: HistoryView, *, files: tuple[str, ...], server_id: str | None) -> int:
    """Take in reports and exports; one that is none is named and skipped."""
    store = opened_store(view.history)
    new, refused = 0, 0
    try:
        for file in files:
            for its, problem in _taken_in(store, file, server_id):
                new += its
                if problem:
                    refused += 1
                    complain(f"mcp-assay: {plain(problem)}; it was skipped.")
    except StoreFault as fault:
        raise CommandError(f"{fault}.") from None
    finally:
        store.close()
    if view.format == "json":
        write(json_text({"new": new, "skipped": refused}))
    else:
        write(f"{new:,} taken in, {refused:,} skipped\n")
    return USAGE if refused and not new and refused >= len(files) else CLEAN


def _taken_in(store: Store, file: str, server_id: str | None) -> Iterator[tuple[int, str]]:
    """What became of each report in a file: how many runs are new, or what is wrong with it."""
    shown = shown_name(file)
    try:
        blocks = _Bounded(file)
        head = blocks.head()
        if not is_export(head):
            yield imported(store, blocks.whole(), server_id, project_root()), ""
            return
        for number, line in enumerate(blocks.lines(), 1):
            try:
                yield imported_line(store, line), ""
            except WrongReport as refusal:
                yield 0, f"{shown}, line {number} {refusal}"
    except WrongReport as refusal:
        yield 0, f"{shown} {refusal}"
    except Unreadable as refusal:
        yield 0, str(refusal)
    except Damaged as damage:
        yield 0, f"{shown} is incomplete: {damage}"


class _Bounded:
    """The content of a file, unpacked: never more than its size explains.

    It is read once, as standard input can be.
    """

    def __init__(self, file: str) -> None:
        self._file: Final = file
        self._packed = 0
        self._unpacked = 0
        self._seen: Final = bytearray()
        """What was read to see the first line."""
        self._unseen: Final = self._bounded()

    def head(self) -> bytes:
        """The first line, or what begins one that is too long."""
        for block in self._unseen:
            self._seen.extend(block)
            if b"\n" in block or len(self._seen) > LARGEST_LINE:
                break
        return bytes(self._seen).lstrip().partition(b"\n")[0]

    def whole(self) -> bytes:
        """All of it as one text."""
        text = bytearray()
        for block in self._blocks():
            text += block
            if len(text) > LARGEST:
                raise WrongReport(f"is longer than the {LARGEST:,} bytes that a report may have")
        return bytes(text)

    def lines(self) -> Iterator[bytes]:
        """Line by line, without blank ones; none of them too long."""
        rest = b""
        for block in self._blocks():
            *whole, rest = (rest + block).split(b"\n")
            yield from (line for line in whole if line.strip())
            if len(rest) > LARGEST_LINE:
                raise WrongReport(f"has a line of more than {LARGEST_LINE:,} bytes")
        if rest.strip():
            yield rest

    def _blocks(self) -> Iterable[bytes]:
        yield bytes(self._seen)
        self._seen.clear()
        yield from self._unseen

    def _bounded(self) -> Iterator[bytes]:
        with opened(self._file, self._count) as stream:
            for block in unpacked(stream):
                self._unpacked += len(block)
                if self._unpacked > max(HARMLESS, MOST_RATIO * self._packed):
                    raise WrongReport("is far larger unpacked than it is, as no report is")
                yield block

    def _count(self, size: int) -> None:
        self._packed += size


def backup(view: HistoryView, *, file: str) -> int:
    """Copy the whole history to a new file."""
    with opened_history(view, to_write=False) as store:
        back_up(store, file)
    complain(f"mcp-assay: copied to {file} ({os.path.getsize(file):,} bytes).")
    return CLEAN


def prune_runs(view: HistoryView, *, keep: str, server: str | None, dry_run: bool) -> int:
    """Remove runs that are not kept."""
    with opened_history(view, to_write=True) as store:
        its = keep_of(keep, datetime.now(UTC))
        number = prune(store, its, _server(store, server), dry_run=dry_run)
    if view.format == "json":
        write(json_text({"removed": 0 if dry_run else number, "removable": number}))
    else:
        write(f"{counted(number, 'run')} {'would be removed' if dry_run else 'removed'}\n")
    return CLEAN


def _server(store: Store, name: str | None) -> int | None:
    if name is None:
        return None
    with store.reading() as connection:
        return server_named(connection, name)
