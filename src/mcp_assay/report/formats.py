"""The forms in which a report is written for programs and services."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from mcp_assay.model.report import Report

TEXT: Final = "text"
WRITERS: Final[Mapping[str, str]] = {
    "json": "as_json.to_json",
    "junit": "as_junit.to_junit",
    "sarif": "as_sarif.to_sarif",
    "markdown": "as_markdown.to_markdown",
    "html": "as_html.to_html",
}
"""Where the writer of each form is; it is loaded when somebody wants that form."""
FORMATS: Final = (TEXT, *WRITERS)


def written(report: Report, format: str) -> str:
    """The report in a form for programs and services."""
    module, _, name = WRITERS[format].partition(".")
    text: str = getattr(import_module(f"mcp_assay.report.{module}"), name)(report)
    return text
