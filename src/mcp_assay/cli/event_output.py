"""The events of a command, for --format jsonl and --report jsonl=PATH."""

from __future__ import annotations

import click

from mcp_assay.model.report import Report
from mcp_assay.validate.event_files import EventFiles


class EventOutput(EventFiles):
    """The events of a command; a file that cannot be written is a fault of its options."""

    def conclude(self, report: Report) -> None:
        """Write what the report knows beyond the events."""
        super().conclude(report)
        self.require_written()

    def require_written(self) -> None:
        """Say so where a file could not be written."""
        if self.faults:
            raise click.ClickException(f"{'; '.join(self.faults.values())}.")
