"""The resources, templates and prompts of a server, one row each: whether they can be had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.model.report import Offer, Report
from mcp_assay.report.lines import BLANK, Line, Style, indented, said
from mcp_assay.report.plain import plain, shorten
from mcp_assay.report.tools import STYLES

HEAD: Final = ("kind", "name", "verdict", "why")
MOST_ROWS: Final = 20
"""Of more things only those are shown that do not fully work."""
LONGEST_NAME: Final = 40
LONGEST_REASON: Final = 80


def offer_table(report: Report) -> Iterator[Line]:
    """One row per thing; nothing where none is listed."""
    every = [
        *(("resource", offer) for offer in report.resources),
        *(("template", offer) for offer in report.templates),
        *(("prompt", offer) for offer in report.prompts),
    ]
    shown = every if len(every) <= MOST_ROWS else [one for one in every if not _works(one[1])]
    if not every:
        return
    rows = [_cells(kind, offer) for kind, offer in shown[:MOST_ROWS]]
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    yield indented(_line(HEAD, widths, "faint", "faint"))
    for (_, offer), row in zip(shown, rows, strict=False):
        yield indented(_line(row, widths, STYLES.get(offer.status, "")))
    yield from _rest(len(every) - len(shown), len(shown) - len(rows))
    yield BLANK


def _works(offer: Offer) -> bool:
    return offer.status == "fully_working"


def _cells(kind: str, offer: Offer) -> tuple[str, ...]:
    name = shorten(plain(offer.uri or offer.name or ""), LONGEST_NAME)
    reason = "" if _works(offer) else shorten(plain(offer.reason), LONGEST_REASON)
    return kind, name, offer.status.replace("_", " "), reason


def _line(row: tuple[str, ...], widths: list[int], style: Style, others: Style = "") -> Line:
    kind, name, verdict, reason = row
    return (
        (f"{kind:<{widths[0]}}  {name:<{widths[1]}}  ", others),
        (f"{verdict:<{widths[2]}}" if reason else verdict, style),
        (f"  {reason}" if reason else "", others),
    )


def _rest(working: int, others: int) -> Iterator[Line]:
    """How many rows there would be more."""
    if working:
        yield indented(said(f"and {working} more that fully work", "faint"))
    if others:
        yield indented(said(f"and {others} more that do not", "faint"))
