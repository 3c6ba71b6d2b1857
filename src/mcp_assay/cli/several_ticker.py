"""How far several assessments have come: a line for each that runs; elsewhere nothing at all."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Final

from mcp_assay.cli.ticker import Ticking, doing, write_progress
from mcp_assay.report.columns import cut, padded, width
from mcp_assay.several import AssessedServer, ServerRun

LONGEST_NAME: Final = 24
UP: Final = "\x1b[{}A"
CLEAR_BELOW: Final = "\r\x1b[J"


class SeveralTicker(Ticking):
    """Looks at the runs now and then, and says how far they are, over what it said before."""

    def __init__(self, runs: Sequence[ServerRun], *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._runs: Final = runs
        self._height = 0

    def _tell(self, seconds: float) -> None:
        size = shutil.get_terminal_size()
        lines = self.lines(seconds)[: max(1, size.lines - 1)]
        self._show([cut(line, size.columns - 1) for line in lines])

    def _clear(self) -> None:
        self._show([])

    def _show(self, lines: Sequence[str]) -> None:
        back = UP.format(self._height - 1) if self._height > 1 else ""
        write_progress(back + CLEAR_BELOW + "\n".join(lines))
        self._height = len(lines)

    def lines(self, seconds: float) -> list[str]:
        """How many servers are through, and what goes on with each that is not."""
        done = sum(run.is_over for run in self._runs)
        running = [run for run in self._runs if run.has_begun and not run.is_over]
        names = [cut(run.name, LONGEST_NAME) for run in running]
        widest = max(map(width, names), default=0)
        return [
            f"{done} of {len(self._runs)} servers done  {seconds:.1f} s",
            *(
                f"  {padded(name, widest)}  {_doing(run)}"
                for name, run in zip(names, running, strict=True)
            ),
        ]


def _doing(run: ServerRun) -> str:
    return doing(run.assessment.dossier) if isinstance(run, AssessedServer) else "listing"
