"""The forms in which a report is written for programs and services."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp_assay.model.report import Report

TEXT: Final = "text"
TESTS: Final = "pytest"
"""The form that makes the run again, and therefore depends on where its file is."""
BADGE: Final = "badge"
"""The form that is a picture, or JSON where the name of its file says so."""
POLICY: Final = "policy"
"""The form that says what a server must be allowed."""
EVENTS: Final = "jsonl"
"""The form that is written while the run goes on, where somebody listens."""
WRITERS: Final[Mapping[str, str]] = {
    "json": "as_json.to_json",
    EVENTS: "as_jsonl.to_jsonl",
    "junit": "as_junit.to_junit",
    "sarif": "as_sarif.to_sarif",
    "markdown": "as_markdown.to_markdown",
    "html": "as_html.to_html",
    TESTS: "as_pytest.to_pytest",
    BADGE: "as_badge.to_badge",
    POLICY: "as_policy.to_policy",
}
"""Where the writer of each form is; it is loaded when somebody wants that form."""
REPORTED: Final = (TEXT, *WRITERS)
"""The forms that a file can have."""
FORMATS: Final = tuple(form for form in REPORTED if form not in (TESTS, BADGE, POLICY))
"""The forms that standard output can have."""
DIFF_FORMATS: Final = (TEXT, "json", "markdown")
"""The forms of a comparison of two reports."""


def written(report: Report, format: str, home: str | None = None) -> str:
    """The report in a form for programs and services.

    `home` is the folder of the run as seen from the file, for a form that starts it again.
    """
    module, _, name = WRITERS[format].partition(".")
    write = getattr(import_module(f"mcp_assay.report.{module}"), name)
    text: str = write(report, home) if format == TESTS and home is not None else write(report)
    return text
