"""The forms in which the report on a fleet is written, each loaded when it is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp_assay.fleet.report.form import FleetReport

WRITERS: Final[Mapping[str, str]] = {
    "text": "mcp_assay.fleet.report.as_text.plain_fleet_text",
    "json": "mcp_assay.report.as_json.json_text",
    "markdown": "mcp_assay.fleet.report.as_markdown.fleet_markdown",
    "html": "mcp_assay.fleet.report.as_html.fleet_html",
}
"""Where the writer of each form is."""
FLEET_FORMATS: Final = tuple(WRITERS)


def fleet_written(report: FleetReport, format: str) -> str:
    """The report in one of its forms, as a file has it."""
    module, _, name = WRITERS[format].rpartition(".")
    text: str = getattr(import_module(module), name)(report)
    return text
