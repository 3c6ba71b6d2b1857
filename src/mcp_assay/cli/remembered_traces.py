"""Traces in the history: one run for each server that they name, else one for all files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from mcp_assay.cli.history_keeper import Keeper, identity_of_files
from mcp_assay.cli.options import ValidateArguments
from mcp_assay.cli.output import complain
from mcp_assay.history.identity import Identity, named
from mcp_assay.model.outcome import gravest
from mcp_assay.model.report import Report
from mcp_assay.validate.options import Options
from mcp_assay.validate.run import Run
from mcp_assay.validate.server_lines import ServerLines
from mcp_assay.validate.sources import STDIN

MOST_SERVERS: Final = 200
"""The files are read once more for each server."""


class RememberedTraces:
    """What is remembered of files that were validated."""

    def __init__(
        self, keeper: Keeper, sources: Sequence[str], arguments: ValidateArguments
    ) -> None:
        self.lines: Final = ServerLines()
        """Sees all lines as they are read, and notes their servers."""
        self._keeper: Final = keeper
        self._sources: Final = sources
        self._server_id: Final = arguments.remembered.server_id

    def conclude(self, report: Report, code: int, options: Options) -> int:
        """Record a run for each server; the exit code with all that came of it."""
        try:
            if not self._is_divided:
                return self._keeper.conclude(report, code, self._whole())
            parts = self._parts(options)
            return gravest(
                self._keeper.conclude(part, code, named(name), heading=name) for name, part in parts
            )
        finally:
            self._keeper.close()

    @property
    def _is_divided(self) -> bool:
        """Whether there is a run to be recorded for each of several servers."""
        number = len(self.lines.names)
        if self._server_id is not None or number < 2:
            return False
        if STDIN in self._sources:
            complain("mcp-assay: stdin is read once: its servers are recorded as one.")
            return False
        if number > MOST_SERVERS:
            words = f"more than {MOST_SERVERS} servers are named: they are recorded as one"
            complain(f"mcp-assay: {words}.")
            return False
        return True

    def _whole(self) -> Identity:
        names = list(self.lines.names)
        is_one = len(names) == 1 and not self.lines.has_unnamed
        name = self._server_id or (names[0] if is_one else None)
        return identity_of_files(self._sources, name)

    def _parts(self, options: Options) -> Iterator[tuple[str, Report]]:
        """Each server with the report on its own lines."""
        # a session may go on in lines that name no server
        options = replace(options, partial=options.partial or self.lines.has_unnamed)
        for name in list(self.lines.names):
            run = Run(options, lines=ServerLines(name))
            run.judge_all(self._sources)
            run.close()
            yield name, run.report()
