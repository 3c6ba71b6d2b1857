"""The order in which files of traces are read: by their first times, else by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import Entry
from mcp_assay.validate.lines import BLOCK, GZIP_MAGIC, LONGEST_MAGIC, ZSTD_MAGIC, Damaged, unpacked
from mcp_assay.validate.sources import Unreadable, opened, size_of
from mcp_assay.validate.trace import NotUnderstood

MOST_LOOKED_AT: Final = 100
"""Lines at the beginning and at the end of a file that are looked at for their times."""
PACKED: Final = (GZIP_MAGIC, ZSTD_MAGIC)
_DIGITS: Final = re.compile(r"(\d+)")

ReadLine: TypeAlias = Callable[[bytes], Entry | None]
"""Reads a line of a trace; None where it is a bare message, NotUnderstood where it is neither."""


class TimeSpan(Struct, frozen=True):
    """When a trace begins and ends, None where its lines do not say so."""

    first: float | None
    last: float | None


def reading_groups(sources: Sequence[str], read: ReadLine) -> list[list[str]]:
    """The sources in the order of reading; those whose times overlap are in one group.

    Only traces are ordered. Messages, and what can be read only once, stay where they are.
    """
    spans = {source: _span(source, read) for source in dict.fromkeys(sources)}
    traces = sorted((one for one in sources if spans[one] is not None), key=natural_key)
    timed = {one: span for one in traces if (span := spans[one]) and span.first is not None}
    if len(timed) < len(traces) or len(set(traces)) < len(traces):
        return _with_others(sources, spans, [[one] for one in traces])
    traces.sort(key=lambda one: timed[one].first or 0.0)
    return _with_others(sources, spans, _overlapping(traces, timed))


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """What puts names in natural order: a2 before a10."""
    return [
        (1, len(digits), digits) if index % 2 else (0, 0, part)
        for index, part in enumerate(_DIGITS.split(name))
        for digits in [part.lstrip("0")]
    ]


def _overlapping(traces: Iterable[str], spans: dict[str, TimeSpan]) -> list[list[str]]:
    groups: list[list[str]] = []
    end = float("-inf")
    for one in traces:
        first, last = spans[one].first or 0.0, spans[one].last or 0.0
        if groups and first < end:
            groups[-1].append(one)
        else:
            groups.append([one])
        end = max(end, last)
    return groups


def _with_others(
    sources: Sequence[str], spans: dict[str, TimeSpan | None], groups: list[list[str]]
) -> list[list[str]]:
    """The groups of traces in the places of traces, each read where its first file is."""
    ordered: list[list[str]] = []
    coming, passed = iter(groups), 0
    for source in sources:
        if spans[source] is None:
            ordered.append([source])
        elif passed:
            passed -= 1
        else:
            group = next(coming)
            passed = len(group) - 1
            ordered.append(group)
    return ordered


def _span(source: str, read: ReadLine) -> TimeSpan | None:
    """The times of a trace; None for what is none, or cannot be read twice."""
    if not size_of(source):
        return None
    try:
        head = list(_entries(_first_lines(source), read))
        if not head:
            return None
        first = next((one.at for one in head if one.at is not None), None)
        tail = _entries(_last_lines(source), read) if first is not None else ()
        times = [one.at for one in tail if one.at is not None]
    except (Damaged, Unreadable, OSError):
        return None
    return TimeSpan(first, max(times, default=first))


def _entries(lines: Iterable[bytes], read: ReadLine) -> Iterator[Entry]:
    for line in lines:
        try:
            entry = read(line)
        except NotUnderstood:
            continue
        if entry is not None:
            yield entry


def _first_lines(source: str) -> list[bytes]:
    with opened(source) as stream:
        return next(unpacked(stream), b"").split(b"\n")[:MOST_LOOKED_AT]


def _last_lines(source: str) -> list[bytes]:
    """The last lines; what is packed must be unpacked for them."""
    with opened(source) as stream:
        if not stream.peek(LONGEST_MAGIC).startswith(PACKED):
            stream.seek(-min(BLOCK, size_of(source) or 0), os.SEEK_END)
        before = last = b""
        with suppress(Damaged):  # what can be read counts
            for block in unpacked(stream):
                before, last = last, block
    return (before + last).split(b"\n")[-MOST_LOOKED_AT:]
