"""The servers of a fleet on its page: a table of the worst, and all of them for its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from mcp_assay.fleet.report.form import FleetReport, FleetRow, FleetVerdict
from mcp_assay.fleet.report.words import (
    cause_word,
    is_seen,
    move_word,
    note,
    origin,
    severity_word,
    verdict_word,
)
from mcp_assay.report.as_json import json_line
from mcp_assay.report.headline import Tone
from mcp_assay.report.html.data import hidden_characters, page_json
from mcp_assay.report.html.tables import Markup, tag
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import shorten, without_surrogates

TONES: Final[Mapping[FleetVerdict, Tone]] = {
    "pass": "good",
    "fail": "bad",
    "incomplete": "unsure",
    "not_assessed": "unsure",
}
MOST_ROWS: Final = 200
"""So many servers are in the page without its script."""
MOST_IN_DATA: Final = 10_000
"""So many servers the script can show."""
MOST_CAUSES: Final = 300
LONGEST_NAME: Final = 100
LONGEST_NOTE: Final = 300
MEASURED: Final = ("tools", "ok", "errors", "warnings")
COLUMNS: Final = ("server", "verdict", "from", *MEASURED, "change", "note")
NUMBERS: Final = frozenset({*MEASURED, "servers"})


def servers_section(servers: Sequence[FleetRow]) -> Markup:
    """The first servers; the script of the page shows all of them, a hundred at a time."""
    rows = (tag("tr", *_cells(row)) for row in servers[:MOST_ROWS])
    left = len(servers) - MOST_ROWS
    words = f"{counted(left, 'server')} more: shown by the script of this page, or in its JSON."
    rest = tag("p", words, class_="more", id="rest") if left > 0 else Markup()
    title = tag("h2", counted(len(servers), "server"))
    return tag(
        "section",
        tag("div", title, class_="bar"),
        tag("div", table(COLUMNS, rows), class_="wide"),
        rest,
        id="servers",
        class_="tools",
    )


def table(columns: Sequence[str], rows: Iterator[Markup]) -> Markup:
    """A table; columns of numbers are aligned to the right."""
    cells = (tag("th", one, scope="col", class_="number" if one in NUMBERS else None)
             for one in columns)  # fmt: skip
    return tag("table", tag("thead", tag("tr", *cells)), tag("tbody", *rows))


def _cells(row: FleetRow) -> Iterator[Markup]:
    name = shorten(row.name, LONGEST_NAME) or "(no name)"
    shown = tag("a", name, href=_href(row.file)) if row.file else name
    yield tag("th", shown, scope="row")
    chip = tag("span", verdict_word(row), class_=f"chip {_tone(row)}")
    yield tag("td", chip, data_label="verdict")
    yield tag("td", origin(row), data_label="from")
    for label, value in zip(MEASURED, _measured(row), strict=True):
        yield tag("td", value, class_="number", data_label=label)
    yield tag("td", move_word(row), data_label="change")
    yield tag("td", shorten(note(row), LONGEST_NOTE), data_label="note")


def _tone(row: FleetRow) -> str:
    is_silent = row.verdict == "pass" and verdict_word(row) != "PASS"
    return "unsure" if is_silent else TONES[row.verdict]


def _measured(row: FleetRow) -> list[str]:
    numbers = (row.tools_listed, row.tools_succeeded, row.errors, row.warnings)
    return [f"{one:,}" if is_seen(row) else "-" for one in numbers]


def _href(file: str) -> str:
    """A relative address: what looks like a scheme is a part of a name."""
    return quote(without_surrogates(file))


def servers_data(report: FleetReport) -> str:
    """What the script shows on demand."""
    numbered = {cause.key: number for number, cause in enumerate(report.causes[:MOST_CAUSES])}
    shown = report.servers[:MOST_IN_DATA]
    left_out = {"servers": len(report.servers) - len(shown)}
    causes = report.causes[:MOST_CAUSES]
    data = {
        "facts": [{"hidden": hidden_characters(), "left_out": left_out}],
        "causes": [f"{severity_word(one)} {cause_word(one)}" for one in causes],
        "servers": [_row_data(row, numbered) for row in shown],
    }
    return page_json(json_line(data).encode())


def _row_data(row: FleetRow, numbered: dict[str, int]) -> dict[str, Any]:
    """A row as the script has it; members that say nothing are left out."""
    known: dict[str, Any] = {
        "name": shorten(row.name, LONGEST_NAME) or "(no name)",
        "verdict": verdict_word(row),
        "tone": _tone(row),
        "from": origin(row),
        "numbers": _measured(row),
        "change": move_word(row),
        "note": shorten(note(row), LONGEST_NOTE),
        "causes": [numbered[key] for key in row.causes if key in numbered],
        "file": _href(row.file) if row.file else "",
    }
    return {key: value for key, value in known.items() if value}
