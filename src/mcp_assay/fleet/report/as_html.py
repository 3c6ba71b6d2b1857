"""The report on a fleet as one page: nothing is loaded or sent, and only our script runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Final

from mcp_assay.fleet.report.form import (
    FleetCause,
    FleetChanges,
    FleetReport,
    ReasonGroup,
)
from mcp_assay.fleet.report.html_servers import (
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_CAUSES,
    TONES,
    servers_data,
    servers_section,
    table,
)
from mcp_assay.fleet.report.words import (
    REASON_WORDS,
    cause_word,
    filtered_out,
    how,
    named,
    numbers,
    severity_word,
    sizes,
    standing,
    statuses,
    times,
    verdicts,
)
from mcp_assay.report.as_html import POLICY, content_hash, page_file
from mcp_assay.report.html.first_screen import MARKS
from mcp_assay.report.html.tables import Markup, filled, tag, text, together
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import shorten

MOST_NAMED: Final = 20
MOST_IN_BOX: Final = 4
UNSET: Final[tuple[Any, ...]] = (None, (), [], {}, "")
"""Options of these values were not chosen."""


def fleet_html(report: FleetReport) -> str:
    """The report as one page."""
    style = f"{page_file('page.css')}{_file('fleet.css')}"
    script = f"{page_file('parts.js')}\n{_file('fleet.js')}"
    policy = "; ".join(POLICY).format(style=content_hash(style), script=content_hash(script))
    word = report.totals.outcome.upper()
    return filled(
        _file("fleet.html"),
        {
            "policy": text(policy),
            "title": text(f"{word}: {counted(report.totals.servers, 'server')}"),
            "style": style,
            "verdict": _verdict(report),
            "boxes": _boxes(report),
            "servers": servers_section(report.servers),
            "causes": _causes(report.causes),
            "unassessed": _unassessed(report.unassessed),
            "changes": _changes(report),
            "made_by": text(f"{report.tool.name} {report.tool.version}"),
            "data": servers_data(report),
            "script": script,
        },
    )


def _file(name: str) -> str:
    return files("mcp_assay.fleet.report").joinpath(name).read_text("utf-8")


def _verdict(report: FleetReport) -> Markup:
    tone = TONES[report.totals.outcome]
    mark = tag("span", MARKS[tone], class_="mark", aria_hidden="true")
    servers = counted(report.totals.servers, "server")
    about = f"{report.file}{filtered_out(report)}"
    return tag(
        "header",
        tag("h1", mark, f"{servers}: {verdicts(report)}"),
        tag("p", about, class_="about"),
        tag("p", " · ".join(numbers(report)), class_="numbers"),
        class_=f"verdict {tone}",
    )


def _boxes(report: FleetReport) -> Markup:
    boxes = (
        _box("why", "Most frequent causes", _worst(report.causes)),
        _box("not-shown", "Not assessed, or only in part", _gaps(report.unassessed)),
        _box("identity", "This run", _facts(report)),
        _box("claims", "Since the last run", _moves(report.changes)),
    )
    return tag("div", *boxes, class_="boxes")


def _box(id: str, title: str, content: Markup) -> Markup:
    return tag("section", tag("h2", title), content, id=id, class_="box")


def _worst(causes: Sequence[FleetCause]) -> Markup:
    items = [
        tag("li", tag("a", cause_word(one), href=f"#cause-{number}"),
            f" · {severity_word(one)} · {counted(one.servers, 'server')}")
        for number, one in enumerate(causes[:MOST_IN_BOX])
        if one.severity != "info"
    ]  # fmt: skip
    more = len(causes) - len(items)
    rest = tag("p", tag("a", f"{counted(more, 'more cause')}", href="#causes"), class_="more")
    shown = tag("ol", *items) if items else tag("p", "No errors and no warnings.")
    return together((shown, rest if more > 0 else Markup()))


def _gaps(groups: Sequence[ReasonGroup]) -> Markup:
    if not groups:
        return tag("p", "Every server has a full verdict.")
    items = [f"{counted(one.servers, 'server')}: {REASON_WORDS[one.kind]}" for one in groups]
    shown = tag("ul", *(tag("li", item) for item in items[:MOST_IN_BOX]))
    rest = tag("a", "all reasons", href="#unassessed")
    return together((shown, tag("p", rest, class_="more")))


def _facts(report: FleetReport) -> Markup:
    chosen = {key: value for key, value in report.options.items() if value not in UNSET}
    options = ", ".join(
        f"{key.replace('_', '-')} {_option(value)}" for key, value in chosen.items()
    )
    facts = {
        "fleet": report.fleet,
        "tools": statuses(report),
        "sizes": sizes(report) if report.totals.surface_bytes else "",
        "times": times(report),
        "run": how(report),
        "options": options,
    }
    rows = (together((tag("dt", key), tag("dd", value))) for key, value in facts.items() if value)
    return tag("dl", *rows)


def _option(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _moves(changes: FleetChanges | None) -> Markup:
    if changes is None:
        return tag("p", "No earlier run of this fleet is known.")
    rows = (
        together((tag("dt", label), tag("dd", words)))
        for label, words in standing(changes, MOST_IN_BOX)
    )
    rest = tag("p", tag("a", "all changes", href="#changes"), class_="more")
    return together((tag("dl", *rows), rest))


def _causes(causes: Sequence[FleetCause]) -> Markup:
    if not causes:
        return Markup()
    rows = (tag("tr", *_cause(cause), id=f"cause-{number}", tabindex="-1")
            for number, cause in enumerate(causes[:MOST_CAUSES]))  # fmt: skip
    shown = table(("severity", "rule", "servers", "what is said of one", "such as"), rows)
    return _section("causes", counted(len(causes), "cause"), shown, len(causes) - MOST_CAUSES)


def _cause(cause: FleetCause) -> Iterator[Markup]:
    severity = tag("span", severity_word(cause), class_=f"severity {cause.severity}")
    yield tag("td", severity, data_label="severity")
    versions = tag("small", f" {', '.join(cause.versions)}") if cause.versions else Markup()
    yield tag("th", cause_word(cause), versions, scope="row")
    yield tag("td", f"{cause.servers:,}", class_="number", data_label="servers")
    fix = tag("small", f" {cause.fix}") if cause.fix else Markup()
    yield tag("td", cause.message, fix, data_label="what")
    yield tag("td", _names(cause.examples, cause.servers), data_label="such as")


def _unassessed(groups: Sequence[ReasonGroup]) -> Markup:
    if not groups:
        return Markup()
    rows = (tag("tr", *_group(group)) for group in groups)
    shown = table(("why", "servers", "such as", "what is said of each"), rows)
    return _section("unassessed", "Not assessed, or only in part", shown)


def _group(group: ReasonGroup) -> Iterator[Markup]:
    yield tag("th", REASON_WORDS[group.kind], scope="row")
    yield tag("td", f"{group.servers:,}", class_="number", data_label="servers")
    names = [one.name for one in group.examples]
    yield tag("td", _names(names, group.servers), data_label="such as")
    texts = dict.fromkeys(shorten(one.text, LONGEST_NOTE) for one in group.examples)
    yield tag("td", *(tag("div", words) for words in texts), data_label="said")


def _changes(report: FleetReport) -> Markup:
    changes = report.changes
    if changes is None:
        return Markup()
    rows = [*standing(changes, MOST_NAMED), *_findings(changes)]
    cells = (
        tag("tr", tag("th", label, scope="row"), tag("td", words, data_label="which"))
        for label, words in rows
    )
    title = f"Since the last run ({report.timing.last_run})"
    return _section("changes", title, table(("change", "which"), cells))


def _findings(changes: FleetChanges) -> Iterator[tuple[str, str]]:
    """What was found that was not there, and what is no longer found, across servers."""
    for word, causes in (("new", changes.new_causes), ("fixed", changes.fixed_causes)):
        for cause in causes[:MOST_NAMED]:
            servers = counted(cause.servers, "server")
            names = _names(cause.examples, cause.servers)
            yield f"{word} {severity_word(cause)}", f"{cause_word(cause)} · {servers}: {names}"


def _section(id: str, title: str, content: Markup, left_out: int = 0) -> Markup:
    words = f"and {left_out:,} more: the JSON report has them."
    rest = tag("p", words, class_="more") if left_out > 0 else Markup()
    head = tag("div", tag("h2", title), class_="bar")
    return tag("section", head, tag("div", content, class_="wide"), rest, id=id, class_="tools")


def _names(names: Sequence[str], of: int) -> str:
    return named([shorten(name, LONGEST_NAME) for name in names], of)
