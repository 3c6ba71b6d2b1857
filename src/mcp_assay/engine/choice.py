"""The engine that is meant, ready to work, or the reason why there is none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from mcp_assay.engine.address import LOCAL, EngineChoice
from mcp_assay.engine.tasks import EngineUnavailable, TaskEngine


@contextmanager
def opened_engine(
    choice: EngineChoice,
    workers: int | None = None,
    *,
    insecure: bool = False,
    is_apart: bool = False,
) -> Iterator[TaskEngine]:
    """The engine while the block runs; raises EngineUnavailable where there is none.

    `workers` is how many there are to be where we start them; on a cluster that is here already,
    all of them are used. A single one that is to be apart is a process of its own, too.
    """
    engine: TaskEngine
    if choice.name == LOCAL:
        from mcp_assay.engine.local_engine import LocalEngine  # noqa: PLC0415  one is needed

        engine = LocalEngine(workers or cores(), is_apart=is_apart)
    else:
        engine = _dask(choice, workers or cores(), insecure)
    try:
        yield engine
    finally:
        engine.close()


def _dask(choice: EngineChoice, workers: int, insecure: bool) -> TaskEngine:
    try:
        from mcp_assay.engine.dask_engine import (  # noqa: PLC0415  loads Dask
            cluster_here,
            cluster_there,
        )
    except ImportError:
        raise EngineUnavailable(
            "Dask is not installed; pip install 'mcp-assay[dask]', or use --engine local"
        ) from None
    return cluster_there(choice, insecure) if choice.scheduler else cluster_here(workers)


def cores() -> int:
    """How many processes can work at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
