"""Two runs side by side: what is new, fixed or worse, and definitions then and now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web
from markupsafe import Markup
from msgspec import Struct
from sqlalchemy import Connection, select

from mcp_assay.history.answers import PastRun
from mcp_assay.history.baselines import EarlierRun, compared
from mcp_assay.history.definition_texts import TextPair
from mcp_assay.history.names import NotKnown, report_of
from mcp_assay.history.questions import past_run
from mcp_assay.history.tables import RUN, SERVER, rows
from mcp_assay.model.report import Report
from mcp_assay.report.diff_sections import VERDICTS, besides, notes, numbers, sections
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.server.addresses import number_of
from mcp_assay.web.server.text_pieces import marked, pieces_of
from mcp_assay.web.store_reads import ask

MOST_ROWS: Final = 100
"""So many differences of each kind are shown."""
MOST_TEXTS: Final = 40
TONES: Final[Mapping[str, str]] = {"pass": "good", "warning": "warn", "fail": "bad"}
DEFINITIONS: Final = "definition"


class ComparedRun(Struct, frozen=True, kw_only=True):
    """One of the two runs, with its server."""

    server_id: int
    server: str
    run: PastRun


class ShownPair(Struct, frozen=True, kw_only=True):
    """A place in a definition, and both texts."""

    grade: str
    place: str
    message: str
    old: Markup
    new: Markup


async def _comparison_page(request: web.Request) -> web.Response:
    old, new = number_of(request.query, "old"), number_of(request.query, "new")
    return render(request, "comparison.html", **await ask(request, comparison_values, old, new))


def comparison_values(connection: Connection, old_id: int, new_id: int) -> Mapping[str, Any]:
    """What the page about two runs shows; raises NotKnown."""
    old, new = _compared_run(connection, old_id), _compared_run(connection, new_id)
    found = compared(_earlier(old, report_of(connection, old_id)),
                     _earlier(new, report_of(connection, new_id)))  # fmt: skip
    comparison, texts = found.comparison, found.texts
    word, style = VERDICTS[comparison.summary.outcome]
    return {
        "sides": [("old", old), ("new", new)],
        "new": new,
        "verdict": word,
        "tone": TONES[style],
        "numbers": numbers(comparison),
        "besides": besides(comparison),
        "notes": list(notes(comparison)),
        "sections": [
            it for it in sections(comparison) if it.kind != DEFINITIONS or not found.texts
        ],
        "most": MOST_ROWS,
        "pairs": [_shown(pair) for pair in texts[:MOST_TEXTS]],
        "pairs_known": len(texts),
        "has_other_definitions": found.has_other_definitions,
    }


def _compared_run(connection: Connection, run_id: int) -> ComparedRun:
    its = select(RUN, SERVER.c.name).join(SERVER, SERVER.c.id == RUN.c.server_id)
    found = rows(connection, its.where(RUN.c.id == run_id))
    if not found:
        raise NotKnown(f"the history has no run {run_id}")
    row = found[0]
    return ComparedRun(server_id=row["server_id"], server=row["name"], run=past_run(row))


def _earlier(its: ComparedRun, report: Report) -> EarlierRun:
    return EarlierRun(run_id=its.run.run, report=report, shown=f"run {its.run.run}")


def _shown(pair: TextPair) -> ShownPair:
    old, new = pieces_of(pair.old, pair.new)
    return ShownPair(
        grade=pair.grade,
        place=pair.place,
        message=pair.message,
        old=marked(old),
        new=marked(new),
    )


ROUTES: Final = (WebRoute("GET", "/compare", _comparison_page),)
