"""The peak memory of `mcp-assay validate` while a long stream runs through it."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from typing import Any, Final

from bench import child
from bench.corpus import MESSAGES, SEED, build
from bench.tables import table

MEGABYTE: Final = 1_000_000
CHECKPOINTS: Final = (100, 250, 500, 1_000)
"""Where the peak is read, in megabytes of input; the last one ends the stream."""
KEPT_FINDINGS: Final = 1_000
"""Reached before the first checkpoint, so that only what grows without end can grow after it."""


def memory() -> tuple[str, dict[str, Any]]:
    """The table of peaks, and the same as figures in bytes."""
    command = child.mcp_assay(
        *("validate", "-", "--format", "json", "--fail-on", "never"),
        *("--max-findings", str(KEPT_FINDINGS)),
    )
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    peaks: dict[str, int | None] = {}
    with contextlib.suppress(BrokenPipeError):
        _feed(process, peaks)
    at_end = child.last_peak(process)
    if process.returncode != 0 or len(peaks) < len(CHECKPOINTS):
        raise RuntimeError(f"{' '.join(command)} ended early, with exit code {process.returncode}")
    peaks["the end, report written"] = at_end
    rows = [[at, _megabytes(peak)] for at, peak in peaks.items()]
    return table(["peak memory of validate after", "MB"], rows), {**peaks}


def _feed(process: subprocess.Popen[bytes], peaks: dict[str, int | None]) -> None:
    """Stream until the last checkpoint, noting the peak at each of them."""
    assert process.stdin is not None
    fed = 0
    with process.stdin as pipe:
        for chunk in _stream():
            pipe.write(chunk)
            fed += len(chunk)
            if fed >= CHECKPOINTS[len(peaks)] * MEGABYTE:
                peaks[f"{CHECKPOINTS[len(peaks)]} MB"] = child.peak_so_far(process)
            if len(peaks) == len(CHECKPOINTS):
                break


def _stream() -> Iterator[bytes]:
    """Corpora without end, each from its own seed and with ids never used before."""
    part = 0
    while True:
        lines = build(MESSAGES, SEED + part, first_id=1 + part * MESSAGES)
        for start in range(0, MESSAGES, 500):
            yield b"".join(line.raw + b"\n" for line in lines[start : start + 500])
        part += 1


def _megabytes(size: int | None) -> str:
    return "not known on this system" if size is None else f"{size / MEGABYTE:.1f}"
