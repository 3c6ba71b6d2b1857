"""Clocks that are wrong by more than a file covers: the times of files as they must have been.

Where clocks differ by less, files overlap, are merged, and corrected by all that is in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from mcp_assay.archive.file_index import FileIndex
from mcp_assay.validate.clocks import Bounds, bounds_between, corrections_within
from mcp_assay.validate.file_order import TimeSpan, TimeSpans, reading_groups

MOST_FILES: Final = 2_000
"""With more, clocks are trusted: to compare all would take too long."""
ENOUGH: Final = 1.0
"""Seconds by which corrected clocks may still contradict; by more, something else is the matter."""


def corrected_spans(indexes: Mapping[str, FileIndex]) -> TimeSpans:
    """The times of all files, corrected where an answer is in a file before that of its request."""
    spans = {name: index.span for name, index in indexes.items()}
    files = [name for name, span in spans.items() if span is not None and span.first is not None]
    if not 1 < len(files) <= MOST_FILES:
        return spans
    requests = _of_one_file([indexes[name].requests for name in files])
    bounds = bounds_between(requests, _of_one_file([indexes[name].answers for name in files]))
    if not _contradicts(bounds, files, spans):
        return spans
    corrections = corrections_within(len(files), bounds)
    if any(ahead + corrections[a] - corrections[b] > ENOUGH for (a, b), ahead in bounds.items()):
        return spans
    for name, seconds in zip(files, corrections, strict=True):
        spans[name] = _moved(spans[name], seconds)
    return spans


def _of_one_file(halves: Sequence[Mapping[int, float]]) -> list[dict[int, float]]:
    """Those that only one file has: an id that is used again tells nothing."""
    times = Counter(chain.from_iterable(halves))
    return [{asked: at for asked, at in one.items() if times[asked] == 1} for one in halves]


def _contradicts(bounds: Bounds, files: list[str], spans: TimeSpans) -> bool:
    """Whether an answer is in a file that is read before that of its request."""
    if all(ahead <= 0 for ahead in bounds.values()):
        return False
    group_of = {
        name: place
        for place, group in enumerate(reading_groups(list(spans), spans))
        for name in group
    }
    return any(
        ahead > 0 and group_of[files[first]] != group_of[files[second]]
        for (first, second), ahead in bounds.items()
    )


def _moved(span: TimeSpan | None, seconds: float) -> TimeSpan | None:
    if span is None or span.first is None or span.last is None:
        return span
    return TimeSpan(span.first + seconds, span.last + seconds)
