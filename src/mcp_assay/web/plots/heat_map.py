"""Verdicts over runs -> cells of a table, each a link: a word that the style shows as its sign.

There are thousands of such cells on a page. They are written in the shortest HTML there is, of
numbers and of words that stand here, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.web.words import OUTCOME_PAINTS, PAINTS, VERDICTS

if TYPE_CHECKING:
    from mcp_assay.history.answers import PastRun
    from mcp_assay.history.tool_lines import ToolCell

UNKNOWN: Final = ("u", "unknown")
NEW_DEFINITION: Final = "new definition"
ABSENT: Final = "<td>"
_STATUSES: Final = {status: (PAINTS[status], word) for status, word in STATUS_WORDS.items()}
_OUTCOMES: Final = {
    outcome: (paint, VERDICTS[outcome]) for outcome, paint in OUTCOME_PAINTS.items()
}
LEGEND: Final = [(PAINTS[status], word) for status, word in STATUS_WORDS.items()]
"""The class and the word of each status, for people to read."""


def status_cells(tool: int, runs: Iterable[int], cells: Iterable[ToolCell | None]) -> Markup:
    """What a tool was in each run, with the way to its calls; nothing where it was not listed."""
    return Markup("".join(map(_status_cell, runs, cells, repeat(tool))))


def outcome_cells(runs: Sequence[PastRun]) -> Markup:
    """The verdict of each run, with the way to its report."""
    return Markup("".join(map(_outcome_cell, runs)))


def _status_cell(run: int, cell: ToolCell | None, tool: int) -> str:
    if cell is None:
        return ABSENT
    paint, word = _STATUSES.get(cell.status, UNKNOWN)
    if cell.is_new_definition:
        return f'<td><a class="{paint} c" href=/calls/{tool:d}/{run:d}>{word}, {NEW_DEFINITION}</a>'
    return f"<td><a class={paint} href=/calls/{tool:d}/{run:d}>{word}</a>"


def _outcome_cell(run: PastRun) -> str:
    paint, word = _OUTCOMES.get(run.outcome, UNKNOWN)
    return f"<td><a class={paint} href=/runs/{run.run:d}>{word}</a>"
