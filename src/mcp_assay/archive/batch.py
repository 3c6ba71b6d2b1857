"""One batch of an archive -> what was found out about its sessions: what a worker does."""

from __future__ import annotations

import gc
import sys
from collections import deque
from functools import partial
from resource import RUSAGE_SELF, getrusage
from typing import Final

from msgspec import Struct

from mcp_assay.archive.plan import Batch
from mcp_assay.model.entry import SessionKey
from mcp_assay.validate.options import Options
from mcp_assay.validate.run import Run, collected_seldom
from mcp_assay.validate.selection import OF_ONE_FILE, SessionSample, SessionSelection, digest
from mcp_assay.validate.shares import Share, SharePart
from mcp_assay.validate.sources import shown_name
from mcp_assay.validate.workers import part_of

UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""In what the system counts memory."""
WORTH_COLLECTING: Final = 16_000_000
"""Bytes after which what refers to itself is freed; else batch after batch of it would stay."""


class BatchTask(Struct, frozen=True):
    """A batch to judge, or a share of its sessions."""

    batch: Batch
    options: Options
    share: Share
    sample: SessionSample | None = None


class BatchPart(Struct, frozen=True):
    """What was found out about the sessions of a share of a batch."""

    found: SharePart
    begun: int
    came_back: int
    left_out: int
    """How many sessions the sample left out."""
    unreadable: dict[str, str]
    broken: set[str]
    """Files that could not be read to their ends."""
    memory: int
    """The most memory that the process has had, in bytes."""


def judge_batch(task: BatchTask) -> BatchPart:
    """Judge the sessions of a share of a batch."""
    part = _judged(task)
    if task.batch.size >= WORTH_COLLECTING:
        gc.collect()
    return part


def _judged(task: BatchTask) -> BatchPart:
    batch, home = task.batch, frozenset(task.batch.home_files)
    files = frozenset(map(shown_name, home))
    owned = batch.owned()
    selection = SessionSelection(owned, files, task.sample)
    ranks = {
        shown_name(name): rank
        for group in batch.groups
        for name, rank in zip(group.files, group.ranks, strict=True)
    }
    with collected_seldom():
        run = Run(task.options, share=task.share, selection=selection, ranks=ranks)
        _judge_groups(run, batch, owned)
        run.close()
    return BatchPart(
        part_of(run),
        run.sessions.begun,
        run.sessions.came_back,
        len(selection.left_out),
        {name: why for name, why in run.unreadable.items() if name in home},
        run.broken & home,
        getrusage(RUSAGE_SELF).ru_maxrss * UNIT,
    )


def _judge_groups(run: Run, batch: Batch, owned: dict[int, int] | None) -> None:
    """Judge group after group; a session is over when its last group is."""
    cuts = deque(sorted(batch.cuts))
    for number, group in enumerate(batch.groups):
        _cut_before(run, cuts, group.place)
        run.reader.reports_inputs = run.reader.share.is_first and number < batch.home
        run.judge_group(group.files)
        run.end_where(partial(_is_over, group.place, owned))
    if cuts:
        run.sessions.cut()


def _cut_before(run: Run, cuts: deque[int], place: int) -> None:
    """Note that a file that is not read here broke off, and might have had more of the sessions."""
    while cuts and cuts[0] < place:
        cuts.popleft()
        run.sessions.cut()


def _is_over(place: int, owned: dict[int, int] | None, key: SessionKey) -> bool:
    if key[0] in OF_ONE_FILE:
        return True
    return owned is not None and owned.get(digest(key), place + 1) <= place
