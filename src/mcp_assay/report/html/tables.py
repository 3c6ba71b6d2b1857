"""HTML made piece by piece: what is not made here is text, and stays text."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.model.report import Offer, Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.annotations_table import CAUTION, AnnotationRow, annotation_rows
from mcp_assay.report.annotations_table import COLUMNS as PROPOSED
from mcp_assay.report.annotations_table import TITLE as ANNOTATIONS
from mcp_assay.report.declared_behaviour import OUTPUT, PROOF_WORDS, Claim, definitions
from mcp_assay.report.effects_table import (
    COLUMNS,
    LEGEND,
    TITLE,
    EffectRow,
    effect_rows,
    world_words,
)
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.headline import offers_of
from mcp_assay.report.least_policy import TITLE as POLICY
from mcp_assay.report.least_policy import policy_rows
from mcp_assay.report.tool_table import (
    CALL_WORDS,
    NOTE,
    STATUS_WORDS,
    WORST_FIRST,
    call_numbers,
    note_on,
    ordered_tools,
)
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten

LONGEST_TEXT: Final = 2_000
DEEDS: Final = "all that it did"
SLOT: Final = re.compile(r"\{\{([a-z_]+)\}\}")
EMPTY: Final = frozenset({"rect", "br", "input"})
"""Elements that have no content here."""


class Markup(str):
    """HTML that was made here, and is not escaped again."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Any text as text: nothing in it is obeyed, hidden or endless."""
    return Markup(html.escape(plain(shorten(str(value), LONGEST_TEXT))))


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; an attribute that is None is left out, `class_` and `data_x` are as in HTML."""
    shown_parts = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in EMPTY:
        return Markup(f"<{name}{shown_parts}/>")
    return Markup(f"<{name}{shown_parts}>{together(children)}</{name}>")


def together(children: Iterable[str]) -> Markup:
    """Pieces one after the other; those that are no markup become text."""
    return Markup("".join(one if isinstance(one, Markup) else text(one) for one in children))


def filled(template: str, slots: Mapping[str, str]) -> str:
    """The template with each {{slot}} filled; what is filled in is not looked at again."""
    return SLOT.sub(lambda slot: slots[slot[1]], template)


TONES: Final[Mapping[str, str]] = {
    "fully_working": "good",
    "partially_working": "warn",
    "connectivity_only": "unsure",
    "broken": "bad",
    "unproven": "unsure",
    "not_called": "unsure",
}
CALL_TONES: Final = ("good", "good", "warn", "bad", "unsure")
"""The tones in which the parts of a bar are painted, one for each of CALL_WORDS."""
NOT_CALLED: Final = (0,) * len(CALL_WORDS)
SHORT_HINTS: Final[Mapping[str, str]] = {
    "readOnlyHint": "read-only",
    "idempotentHint": "idempotent",
    OUTPUT: "output schema",
}
"""The claims that a run can prove, in the room that a cell has."""
CLAIM_TONES: Final = {"held": "good", "broken": "bad", "unproven": "unsure"}
MOST_ROWS: Final = 1_000
MOST_OFFERS: Final = 200
LONGEST_NAME_IN_CELL: Final = 80
LONGEST_NOTE: Final = 160
BAR: Final = 100
"""The width of a bar in its own units."""
LINTED: Final = "only its definition was checked"


def tools_table(report: Report, claimed: Sequence[Claim]) -> Markup:
    """The tools, those first that need a look; nothing where none is listed."""
    tools = _rows_of(report)
    if not tools:
        return Markup()
    promises: dict[str, list[Claim]] = defaultdict(list)
    for claim in claimed:
        promises[claim.tool].append(claim)
    found, numbers = _found(report), call_numbers(report)
    rows = [
        _tool(
            tool,
            numbers.get(tool.name, NOT_CALLED),
            promises[tool.name],
            _counts(number, found[tool.name]),
        )
        for number, tool in enumerate(tools[:MOST_ROWS])
    ]
    columns = ("tool", "verdict", "calls", "declared", "findings", NOTE)
    head = tag("tr", *(tag("th", one, scope="col") for one in columns))
    filter_box = tag(
        "input",
        type="search",
        id="tool-filter",
        placeholder="Filter tools",
        aria_label="Filter tools by name",
        class_="needs-script",
    )
    return tag(
        "section",
        tag("div", tag("h2", counted(len(tools), "tool").capitalize()), filter_box, class_="bar"),
        tag(
            "div",
            tag("table", tag("thead", head), tag("tbody", *rows), class_="tools"),
            class_="wide",
        ),
        _left_out(len(tools) - MOST_ROWS, "tool"),
        id="tools",
    )


def _rows_of(report: Report) -> list[ToolRow]:
    """The tools that were judged, as they are ordered; where only listed, what is known of them."""
    if report.tools:
        return ordered_tools(report)
    names = definitions(report)
    return [ToolRow(name=name, status="not_called", reason=LINTED) for name in names]


def _found(report: Report) -> dict[str, Counter[str]]:
    """How many findings of each severity there are about each tool."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for finding in report.findings:
        tools = {finding.where.tool, *(place.tool for place in finding.examples)}
        for tool in filter(None, tools):
            found[tool][finding.severity] += 1
    return found


def tool_names(report: Report) -> list[str]:
    """The names by whose numbers the rows of the table refer to their tools."""
    return [tool.name for tool in _rows_of(report)]


def _tool(tool: ToolRow, calls: Sequence[int], promises: Sequence[Claim], counts: Markup) -> Markup:
    status = tool.status
    return tag(
        "tr",
        tag(
            "th", tag("code", shorten(tool.name, LONGEST_NAME_IN_CELL) or "(no name)"), scope="row"
        ),
        _cell("verdict", tag("span", STATUS_WORDS[status], class_=f"chip {TONES[status]}")),
        _cell("calls", *_bar(calls)),
        _cell("declared", *_promises(promises)),
        _cell("findings", counts),
        _cell(NOTE, shorten(note_on(tool), LONGEST_NOTE)),
    )


def _cell(label: str, *content: str) -> Markup:
    """A cell that says what it holds, for screens on which a row becomes a card."""
    return tag("td", *content, data_label=label)


def _bar(numbers: Sequence[int]) -> Iterator[Markup]:
    total = sum(numbers)
    counts = zip(numbers, CALL_WORDS, strict=True)
    words = ", ".join(f"{number} {word}" for number, word in counts if number)
    pieces, start = [], 0.0
    for number, tone in zip(numbers, CALL_TONES, strict=True) if total else ():
        width = round(BAR * number / total, 2)
        if width:
            pieces.append(tag("rect", x=start, y=0, width=width, height=6, class_=tone))
        start = round(start + width, 2)
    if not pieces:
        pieces.append(tag("rect", x=0, y=0, width=BAR, height=6, class_="none"))
    box = {"viewBox": f"0 0 {BAR} 6", "preserveAspectRatio": "none", "aria-hidden": "true"}
    yield tag("svg", *pieces, class_="outcomes", **box)
    yield tag("small", words or "none")


def _promises(promises: Sequence[Claim]) -> Iterator[Markup]:
    for number, claim in enumerate(one for one in promises if one.kind in SHORT_HINTS):
        yield from (tag("br"),) if number else ()
        word = tag("span", PROOF_WORDS[claim.proof], class_=CLAIM_TONES[claim.proof])
        yield tag("small", f"{SHORT_HINTS[claim.kind]} ", word)


def _counts(tool: int, found: Counter[str]) -> Markup:
    words = ", ".join(counted(found[one], SEVERITY_WORDS[one]) for one in SEVERITIES if found[one])
    return tag("a", words, href="#findings", data_tool=tool) if words else Markup()


def effects_section(report: Report) -> Markup:
    """What each tool did to the machine; nothing where no sandbox saw it."""
    rows = effect_rows(report)
    if not rows or report.sandbox is None:
        return Markup()
    head = tag("tr", *(tag("th", one, scope="col") for one in COLUMNS))
    body = tag("tbody", *map(_effects, rows[:MOST_ROWS]))
    return tag(
        "section",
        tag("h2", TITLE),
        tag("p", tag("small", f"{world_words(report.sandbox)}; {LEGEND}")),
        tag("div", tag("table", tag("thead", head), body, class_="effects"), class_="wide"),
        _left_out(len(rows) - MOST_ROWS, "tool"),
        id="effects",
    )


def _effects(row: EffectRow) -> Markup:
    name, *cells = (shorten(one, LONGEST_NOTE) for one in row.cells)
    paths = [tag("br") if part is None else tag("small", part) for part in _between(row.paths)]
    fold = [_deeds(row)] if row.deeds else []
    shown = [
        _cell(label, cell, *((*paths, *fold) if label == "files" else ()))
        for label, cell in zip(COLUMNS[1:], cells, strict=True)
    ]
    return tag("tr", tag("th", tag("code", name), scope="row"), *shown)


def _deeds(row: EffectRow) -> Markup:
    """All that was done, folded: each file with its difference."""
    pieces = []
    for words, diff in row.deeds:
        pieces.append(tag("p", tag("small", words)))
        if diff:
            pieces.append(tag("pre", *map(_line_of_diff, diff.splitlines()), class_="diff"))
    return tag("details", tag("summary", DEEDS), *pieces)


def _line_of_diff(line: str) -> Markup:
    tone = {"+": "added", "-": "removed"}.get(line[:1])
    return tag("span", line or " ", class_=tone)


def _between(paths: Sequence[str]) -> Iterator[str | None]:
    """The paths, with None before each, where a line ends."""
    for path in paths:
        yield None
        yield shorten(path, LONGEST_NOTE)


def annotations_section(report: Report) -> Markup:
    """The annotations that calls support, each tool with what is behind them and code to paste."""
    rows = annotation_rows(report)
    if not rows:
        return Markup()
    head = tag("tr", *(tag("th", one, scope="col") for one in PROPOSED))
    body = tag("tbody", *map(_annotations, rows[:MOST_ROWS]))
    return tag(
        "section",
        tag("h2", ANNOTATIONS),
        tag("p", tag("small", CAUTION)),
        tag("div", tag("table", tag("thead", head), body, class_="effects"), class_="wide"),
        _left_out(len(rows) - MOST_ROWS, "tool"),
        id="annotations",
    )


def _annotations(row: AnnotationRow) -> Markup:
    name, *cells = (shorten(one, LONGEST_NOTE) for one in row.cells)
    reasons = [tag("p", tag("small", reason)) for reason in row.reasons]
    codes = [tag("pre", code) for code in row.code.values() if row.proposed.annotations]
    fold = tag("details", tag("summary", "reasons, and code to paste"), *reasons, *codes)
    shown = [
        _cell(label, cell, *((fold,) if label == "supported" else ()))
        for label, cell in zip(PROPOSED[1:], cells, strict=True)
    ]
    return tag("tr", tag("th", tag("code", name), scope="row"), *shown)


def policy_section(report: Report) -> Markup:
    """The least that the server needs, and whether it is enough; nothing where none was made."""
    rows = policy_rows(report)
    if not rows:
        return Markup()
    body = [tag("tr", tag("th", label, scope="row"), tag("td", words)) for label, words in rows]
    table = tag("table", tag("tbody", *body), class_="effects")
    return tag("section", tag("h2", POLICY), tag("div", table, class_="wide"), id="policy")


def offers_table(report: Report) -> Markup:
    """The resources, templates and prompts; nothing where there are none."""
    tables = [_offers(noun, offers) for noun, offers in offers_of(report) if offers]
    return tag("section", *tables, id="offers") if tables else Markup()


def _offers(noun: str, offers: Sequence[Offer]) -> Markup:
    rows = [
        tag(
            "tr",
            tag(
                "th",
                shorten(offer.name or offer.uri or "(no name)", LONGEST_NAME_IN_CELL),
                scope="row",
            ),
            _cell(
                "verdict",
                tag("span", STATUS_WORDS[offer.status], class_=f"chip {TONES[offer.status]}"),
            ),
            _cell("note", shorten(offer.reason, LONGEST_NOTE)),
        )
        for offer in sorted(offers, key=lambda one: WORST_FIRST.index(one.status))[:MOST_OFFERS]
    ]
    head = tag("tr", *(tag("th", one, scope="col") for one in (noun, "verdict", "note")))
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="offers")
    return together(
        (
            tag("h2", counted(len(offers), noun)),
            tag("div", table, class_="wide"),
            _left_out(len(offers) - MOST_OFFERS, noun),
        )
    )


def _left_out(more: int, noun: str) -> Markup:
    if more <= 0:
        return Markup()
    return tag("p", f"{counted(more, noun)} more: the JSON report has them all.", class_="more")
