"""The tables of the HTML report that need no script: tools, and what else a server has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.model.report import Offer, Report
from mcp_assay.report.claims import OUTPUT, Claim, definitions
from mcp_assay.report.headline import offers_of
from mcp_assay.report.html.markup import Markup, tag, together
from mcp_assay.report.lines import counted
from mcp_assay.report.plain import shorten
from mcp_assay.report.tally import SEVERITIES

TONES: Final[Mapping[str, str]] = {
    "fully_working": "good",
    "partially_working": "warn",
    "connectivity_only": "unsure",
    "broken": "bad",
    "unproven": "unsure",
    "not_called": "unsure",
}
WORST_FIRST: Final = (
    "broken",
    "partially_working",
    "connectivity_only",
    "unproven",
    "not_called",
    "fully_working",
)
OUTCOMES: Final = (
    ("passed", "good", "passed"),
    ("failed", "bad", "failed"),
    ("unproven", "unsure", "unproven"),
    ("undecided", "unsure", "undecided"),
)
"""What becomes of a scenario: the tone in which its part of the bar is painted, and the word."""
SHORT_HINTS: Final[Mapping[str, str]] = {
    "readOnlyHint": "read-only",
    "idempotentHint": "idempotent",
    OUTPUT: "output schema",
}
"""The claims that a run can prove, in the room that a cell has."""
CLAIM_TONES: Final = {"held": "good", "broken": "bad", "unproven": "unsure"}
MOST_ROWS: Final = 1_000
MOST_OFFERS: Final = 200
LONGEST_NAME: Final = 80
LONGEST_NOTE: Final = 160
BAR: Final = 100
"""The width of a bar in its own units."""
LINTED: Final = "only its definition was judged"


def tools_table(report: Report, claimed: Sequence[Claim]) -> Markup:
    """The tools, those first that need a look; nothing where none is listed."""
    tools = _rows_of(report)
    if not tools:
        return Markup()
    promises: dict[str, list[Claim]] = defaultdict(list)
    for claim in claimed:
        promises[claim.tool].append(claim)
    found = _found(report)
    ordered = sorted(enumerate(tools), key=lambda one: WORST_FIRST.index(one[1]["status"]))
    rows = [
        _tool(tool, promises[tool["name"]], _counts(number, found[tool["name"]]))
        for number, tool in ordered[:MOST_ROWS]
    ]
    columns = ("tool", "verdict", "scenarios", "claims", "findings", "not shown")
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


def _rows_of(report: Report) -> list[dict[str, Any]]:
    """The tools that were judged; where they were only listed, what is known of them."""
    if report.tools:
        return report.tools
    empty = {"status": "not_called", "reason": LINTED, "scenarios": [], "coverage": {}}
    return [{"name": name, **empty} for name in definitions(report)]


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
    return [tool["name"] for tool in _rows_of(report)]


def _tool(tool: Mapping[str, Any], promises: Sequence[Claim], counts: Markup) -> Markup:
    status = str(tool["status"])
    return tag(
        "tr",
        tag("th", tag("code", shorten(tool["name"], LONGEST_NAME) or "(no name)"), scope="row"),
        _cell("verdict", tag("span", status.replace("_", " "), class_=f"chip {TONES[status]}")),
        _cell("scenarios", *_bar(Counter(one["outcome"] for one in tool["scenarios"]))),
        _cell("claims", *_promises(promises)),
        _cell("findings", counts),
        _cell("not shown", shorten(_note(tool), LONGEST_NOTE)),
    )


def _cell(label: str, *content: str) -> Markup:
    """A cell that says what it holds, for screens on which a row becomes a card."""
    return tag("td", *content, data_label=label)


def _bar(outcomes: Counter[str]) -> Iterator[Markup]:
    total = sum(outcomes.values())
    words = ", ".join(f"{outcomes[key]} {word}" for key, _, word in OUTCOMES if outcomes[key])
    pieces, start = [], 0.0
    for key, tone, _ in OUTCOMES if total else ():
        width = round(BAR * outcomes[key] / total, 2)
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
        word = tag("span", claim.proof, class_=CLAIM_TONES[claim.proof])
        yield tag("small", f"{SHORT_HINTS[claim.kind]} ", word)


def _counts(tool: int, found: Counter[str]) -> Markup:
    words = ", ".join(
        counted(found[one], "note" if one == "info" else one) for one in SEVERITIES if found[one]
    )
    return tag("a", words, href="#findings", data_tool=tool) if words else Markup()


def _note(tool: Mapping[str, Any]) -> str:
    gaps = tool["coverage"].get("not_reached") or []
    is_idle = tool["status"] not in ("fully_working", "partially_working")
    return str(tool["reason"] if is_idle else gaps[0] if gaps else "")


def offers_table(report: Report) -> Markup:
    """The resources, templates and prompts; nothing where there are none."""
    tables = [_offers(noun, offers) for noun, offers in offers_of(report) if offers]
    return tag("section", *tables, id="offers") if tables else Markup()


def _offers(noun: str, offers: Sequence[Offer]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("th", shorten(offer.name or offer.uri or "(no name)", LONGEST_NAME), scope="row"),
            _cell(
                "verdict",
                tag("span", offer.status.replace("_", " "), class_=f"chip {TONES[offer.status]}"),
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
