"""How many more tools other options would open, for whoever nobody could ask."""

from __future__ import annotations

import threading
from typing import Final

from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import Closed
from mcp_assay.cli.worlds import inside, is_possible
from mcp_assay.client.target import Target
from mcp_assay.model.report import LikelyHint, Report, SandboxHint


class WorldTry:
    """Finds out aside, while other work goes on, whether a disposable world can be made here."""

    def __init__(self) -> None:
        self._works = False
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Begin to try, unless that has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._try, daemon=True)
            self._thread.start()

    def _try(self) -> None:
        self._works = is_possible()

    @property
    def has_worked(self) -> bool:
        """Whether a world was made; waits until that is known."""
        if self._thread is not None:
            self._thread.join()
        return self._works


class Hinting:
    """Says of one server what a world, or --calls likely, would open."""

    def __init__(self, target: Target, options: AssessOptions, tried: WorldTry) -> None:
        self._target: Final = target
        self._options: Final = options
        self._tried: Final = tried
        self._closed = 0
        self._likely = 0

    def ask(self, closed: Closed) -> None:
        """Note which tools nobody was asked about."""
        self._likely = sum(permission.kind == "likely_reader" for _, permission in closed)
        if inside(self._target) is not None:
            self._closed = len(closed)
            self._tried.begin()

    def added_to(self, report: Report) -> Report:
        """The report, with the hints where there are any."""
        return self._with_likely(self._with_world(report))

    def _with_likely(self, report: Report) -> Report:
        if not self._likely:
            return report
        command = self._command(self._target, replace(self._options, calls="likely"))
        return replace(report, likely_hint=LikelyHint(tools=self._likely, command=command))

    def _with_world(self, report: Report) -> Report:
        server = inside(self._target)
        if not self._closed or server is None or not self._tried.has_worked:
            return report
        hint = SandboxHint(tools=self._closed, command=self._command(server, self._options))
        return replace(report, sandbox_hint=hint)

    def _command(self, target: Target, options: AssessOptions) -> str:
        from mcp_assay.assess.reproduction import RepeatCommands

        return RepeatCommands(target, options, None, (), lambda _: None).whole_run()
