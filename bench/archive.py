"""Archives of rotated files: what finding the sessions costs, what Dask costs, and the memory."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec import Struct

from bench import child
from bench.tables import table
from bench.traces import lines, written

MEGABYTE: Final = 1_000_000
FILE_SIZE: Final = 32 * MEGABYTE
"""A file is rotated when it has so many bytes."""
DEFAULT_SIZE: Final = 200
SMALLER: Final = 4
"""Growth is measured from an archive that is so many times smaller."""
WORKERS: Final = "2"
ENDLESS: Final = 1 << 60
SAID: Final = re.compile(r"at most ([\d,]+) MB of memory in one; [\d.]+ s, ([\d.]+) s of it")
"""What validate says of its workers and of its first pass."""
WAYS: Final = {
    "all files at once": (),
    "as an archive, here": ("--engine", "local"),
    "as an archive, on Dask": ("--engine", "dask"),
}


class ArchiveFigures(Struct, frozen=True):
    """What one run over an archive took."""

    seconds: float
    cpu_seconds: float
    """Of all processes, whoever else used the machine."""
    index_seconds: float = 0.0
    worker_megabytes: int = 0


def archive(cache: Path, megabytes: int | None) -> tuple[str, dict[str, Any]]:
    """The table of times and memory, and the same as figures."""
    size = megabytes or DEFAULT_SIZE
    sizes = {"idle": 1, "smaller": max(1, size // SMALLER), "whole": size}
    rows, figures = [], dict[str, Any]()
    for name, one in sizes.items():
        folder = rotated_archive(cache / f"archive-{one}", one * MEGABYTE)
        for way, options in WAYS.items():
            found = _measured(folder, options)
            figures[f"{name}: {way}"] = found
            rows.append(_row(one, way, found))
        shutil.rmtree(folder)
    return table(
        ["MB", "judged", "s", "MB/s", "CPU s", "first pass", "MB in a worker"], rows
    ), figures


def _row(megabytes: int, way: str, found: ArchiveFigures) -> list[str]:
    return [
        f"{megabytes:,}",
        way,
        f"{found.seconds:.1f}",
        f"{megabytes / found.seconds:.1f}",
        f"{found.cpu_seconds:.1f}",
        f"{found.index_seconds / found.seconds:.0%}" if found.index_seconds else "",
        str(found.worker_megabytes or ""),
    ]


def _measured(folder: Path, options: tuple[str, ...]) -> ArchiveFigures:
    """One run with two processes and no index from an earlier one."""
    sources = [str(folder)] if options else map(str, sorted(folder.iterdir()))
    command = child.mcp_assay(
        "validate", *options, "--jobs", WORKERS, "--format", "json", "--fail-on", "never", *sources
    )
    with TemporaryDirectory() as cache:
        started, worked = time.perf_counter(), _cpu_seconds()
        ended = subprocess.run(
            ["env", f"XDG_CACHE_HOME={cache}", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
        seconds, worked = time.perf_counter() - started, _cpu_seconds() - worked
    said = SAID.search(ended.stderr)
    if said is None:
        return ArchiveFigures(seconds, worked)
    return ArchiveFigures(seconds, worked, float(said[2]), int(said[1].replace(",", "")))


def _cpu_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rotated_archive(folder: Path, size: int) -> Path:
    """A folder with an archive of so many bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    coming = written(lines(ENDLESS))
    for number in range(-(-size // FILE_SIZE)):
        with (folder / f"gateway.{number}.jsonl").open("wb") as file:
            file.writelines(_first(coming, min(FILE_SIZE, size - number * FILE_SIZE)))
    return folder


def _first(coming: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Lines up to a size together."""
    left = size
    while left > 0:
        line = next(coming)
        left -= len(line)
        yield line
