"""The form jsonl: events go out as they happen, to standard output and to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from mcp_assay.cli.output import write
from mcp_assay.event_files import EventFiles
from mcp_assay.model.report import Report
from mcp_assay.report.formats import EVENTS


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


def events_for(given: Mapping[str, Any]) -> EventOutput | None:
    """Where the events of this command go, open until it ends; None where nobody wants them."""
    paths = [path for format, path in given["reports"] if format == EVENTS]
    shown = [write] if given["format"] == EVENTS else []
    if not paths and not shown:
        return None
    events = EventOutput(paths, *shown)
    click.get_current_context().with_resource(events)
    events.require_written()
    return events
