"""Report -> one HTML file that needs no network, obeys no server text and runs only our script."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Final

from mcp_assay.model.report import Report
from mcp_assay.report.declared_behaviour import claims
from mcp_assay.report.headline import verdict
from mcp_assay.report.html.data import page_data
from mcp_assay.report.html.first_screen import first_screen, server_name
from mcp_assay.report.html.tables import (
    annotations_section,
    effects_section,
    filled,
    offers_table,
    policy_section,
    text,
    tools_table,
)
from mcp_assay.text.digests import sha256
from mcp_assay.text.safe import shorten

SCRIPTS: Final = ("parts.js", "finding.js", "findings.js", "session.js", "lists.js", "start.js")
"""The script of the page, in the order in which its parts build on each other."""
POLICY: Final = (
    "default-src 'none'",
    "style-src {style}",
    "script-src {script}",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)
"""Nothing is loaded, nothing is sent, and no text becomes markup or script."""
LONGEST_TITLE: Final = 80


def to_html(report: Report) -> str:
    """The report as one page."""
    style, script = page_file("page.css"), page_script()
    whole = {"policy": text(_policy(style, script)), "style": style, "script": script}
    return filled(page_file("page.html"), whole | report_parts(report))


def report_parts(report: Report) -> dict[str, str]:
    """The parts of the page that a report fills, by the names of their slots."""
    claimed, shown = claims(report), _for_people(report)
    word = verdict(report).word
    return {
        "title": text(f"{word}: {shorten(server_name(report), LONGEST_TITLE)}"),
        **first_screen(shown, claimed),
        "tools": tools_table(report, claimed),
        "effects": effects_section(report),
        "annotations": annotations_section(report),
        "least": policy_section(report),
        "offers": offers_table(report),
        "made_by": text(f"{report.tool.name} {report.tool.version}"),
        "data": page_data(shown),
    }


def page_script() -> str:
    """The script of the page, all its parts together."""
    return "\n".join(map(page_file, SCRIPTS))


def _for_people(report: Report) -> Report:
    if report.command != "assess":
        return report
    from mcp_assay.report.shared_faults import for_people  # noqa: PLC0415  files need none of it

    return for_people(report)


def _policy(style: str, script: str) -> str:
    return "; ".join(POLICY).format(style=content_hash(style), script=content_hash(script))


def content_hash(content: str) -> str:
    """What a browser compares an element's content with before it obeys it."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


@cache
def page_file(name: str) -> str:
    """A file of the page: it comes with this package, as its modules do."""
    return files("mcp_assay.report").joinpath("html", name).read_text("utf-8")
