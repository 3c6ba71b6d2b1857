"""How far a run has come, on a terminal's standard error; elsewhere nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mcp_assay.cli.output import is_terminal
from mcp_assay.validate.run import Run
from mcp_assay.validate.sources import size_of

WORTH_SHOWING = 4_000_000
"""Files of fewer bytes together are judged before anybody could read a bar."""


@contextmanager
def progress(run: Run, sources: Sequence[str], *, quiet: bool) -> Iterator[None]:
    """Show the bytes read, their rate, the messages and the time left, while the block runs."""
    total = sum(size_of(source) or 0 for source in sources)
    if quiet or total < WORTH_SHOWING or not is_terminal():
        yield
        return
    from rich import progress as paint
    from rich.console import Console

    columns = (
        paint.BarColumn(),
        paint.DownloadColumn(),
        paint.TransferSpeedColumn(),
        paint.TextColumn("{task.fields[messages]:,} messages"),
        paint.TimeRemainingColumn(),
    )
    with paint.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, messages=0)

        def seen(size: int) -> None:
            bar.update(task, advance=size, messages=run.messages * run.reader.share.of)

        run.seen = seen
        yield
