"""The order in which files of traces are read: by their first times, else by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import Entry
from mcp_assay.validate.lines import (
    BLOCK,
    GZIP_MAGIC,
    LONGEST_MAGIC,
    ZSTD_MAGIC,
    Damaged,
    Unreadable,
    unpacked,
)
from mcp_assay.validate.sources import opened, size_of
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


TimeSpans: TypeAlias = Mapping[str, TimeSpan | None]
"""The times of sources; None for what is no trace, or cannot be read twice."""


def reading_groups(sources: Sequence[str], spans: TimeSpans) -> list[list[str]]:
    """The sources in the order of reading; those whose times overlap are in one group.

    Only traces are ordered. Messages, and what can be read only once, stay where they are.
    """
    traces = sorted((one for one in sources if spans[one] is not None), key=natural_key)
    timed = {one: span for one in traces if (span := spans[one]) and span.first is not None}
    if len(timed) < len(traces) or len(set(traces)) < len(traces):
        return _with_others(sources, spans, [[one] for one in traces])
    traces.sort(key=lambda one: timed[one].first or 0.0)
    return _with_others(sources, spans, overlapping(traces, timed))


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """What puts names in natural order: a2 before a10."""
    return [
        (1, len(digits), digits) if index % 2 else (0, 0, part)
        for index, part in enumerate(_DIGITS.split(name))
        for digits in [part.lstrip("0")]
    ]


def overlapping(traces: Iterable[str], spans: Mapping[str, TimeSpan]) -> list[list[str]]:
    """Traces in the order of their first times, in groups whose times overlap."""
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
    sources: Sequence[str], spans: TimeSpans, groups: list[list[str]]
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


def time_span(source: str, read: ReadLine) -> TimeSpan | None:
    """The times of a trace; None for what is none, or cannot be read twice."""
    if not size_of(source):
        return None
    try:
        return span_of(_first_lines(source), lambda: _last_lines(source), read)
    except (Damaged, Unreadable, OSError):
        return None


def span_of(
    head: Sequence[bytes], tail: Callable[[], Sequence[bytes]], read: ReadLine
) -> TimeSpan | None:
    """The times of what begins and ends with such lines; None where it is no trace."""
    entries = list(_entries(head[:MOST_LOOKED_AT], read))
    if not entries:
        return None
    first = next((one.at for one in entries if one.at is not None), None)
    last = _entries(tail()[-MOST_LOOKED_AT:], read) if first is not None else ()
    times = [one.at for one in last if one.at is not None]
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
        return next(unpacked(stream), b"").split(b"\n")


def _last_lines(source: str) -> list[bytes]:
    """The last lines; what is packed must be unpacked for them."""
    with opened(source) as stream:
        if not stream.peek(LONGEST_MAGIC).startswith(PACKED):
            stream.seek(-min(BLOCK, size_of(source) or 0), os.SEEK_END)
        before = last = b""
        with suppress(Damaged):  # what can be read counts
            for block in unpacked(stream):
                before, last = last, block
    return (before + last).split(b"\n")
