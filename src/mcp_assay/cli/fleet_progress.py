"""Progress of a fleet: a live table on a terminal, lines of JSON elsewhere, nothing if quiet."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mcp_assay import __version__
from mcp_assay.cli.output import PAINT, forgiving, is_terminal
from mcp_assay.fleet.progress import (
    FleetEvents,
    FleetListener,
    FleetProgress,
    FleetSilence,
    FleetSize,
)
from mcp_assay.model.report import ToolVersion
from mcp_assay.text.lines import safe

if TYPE_CHECKING:
    from rich.text import Text

TICKS: Final = 4
"""How often in a second the table is drawn anew."""
MOST_LINES: Final = 24


@contextmanager
def fleet_progress(size: FleetSize, *, quiet: bool) -> Iterator[FleetListener]:
    """Who is to hear what happens while the block runs, and tells people or programs of it."""
    if quiet:
        yield FleetSilence()
    elif is_terminal():
        with _table(FleetProgress(size, time.monotonic)) as progress:
            yield progress
    else:
        tool = ToolVersion(name="mcp-assay", version=__version__)
        events = FleetEvents(size, tool, _write, time.monotonic)
        try:
            yield events
        finally:
            events.close()


@contextmanager
def _table(progress: FleetProgress) -> Iterator[FleetProgress]:
    """Draw the table while the block runs, and leave nothing of it on the screen."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False)
    is_plain = bool(os.environ.get("NO_COLOR"))

    def drawn() -> Text:
        return _text(progress, min(console.size.height - 1, MOST_LINES), is_plain=is_plain)

    live = Live(
        console=console,
        get_renderable=drawn,
        transient=True,
        refresh_per_second=TICKS,
        redirect_stdout=False,
    )
    with live:
        yield progress


def _text(progress: FleetProgress, rows: int, *, is_plain: bool) -> Text:
    from rich.text import Text

    whole = Text(no_wrap=True, overflow="ellipsis")
    for line in progress.lines(rows):
        for text, style in safe(line):
            whole.append(text, style="" if is_plain else PAINT[style])
        whole.append("\n")
    whole.right_crop(1)
    return whole


def _write(line: str) -> None:
    """Write a line to standard error, at once; a reader that has gone away is no fault."""
    try:
        forgiving(sys.stderr).write(line)
        sys.stderr.flush()
    except OSError:
        return
