"""The first screen of the HTML report, readable without any script."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.model.report import Report
from mcp_assay.report.declared_behaviour import KINDS, OUTPUT, PROOF_WORDS, Claim, Proof
from mcp_assay.report.footer import files_left
from mcp_assay.report.headline import (
    HeadlineReason,
    Shortfall,
    Tone,
    named,
    not_shown,
    verdict,
    why,
)
from mcp_assay.report.html.tables import Markup, tag, together
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import shorten

MARKS: Final[Mapping[Tone, str]] = {"bad": "✕", "unsure": "?", "good": "✓"}
CLAIM_WORDS: Final[Mapping[str, str]] = {
    "readOnlyHint": "changes nothing",
    "idempotentHint": "repeating a call changes nothing more",
    "destructiveHint": "destroys nothing",
    "openWorldHint": "no external systems",
    OUTPUT: "results match the outputSchema",
}
"""What each claim promises."""
LACKING: Final[Mapping[Proof, str]] = {"broken": "bad", "unproven": "unsure"}
LONGEST_SUBJECT: Final = 400
SHOWN_ELSEWHERE: Final = ("seed", "files")
"""Options that stand elsewhere on the screen."""
NOTHING_CLAIMED: Final = "The tools declare neither hints nor output schemas."
NO_TOOLS: Final = "No tools were listed."


def first_screen(report: Report, claimed: Sequence[Claim]) -> dict[str, Markup]:
    """The slots of the page above its tables."""
    title, reasons = why(report)
    return {
        "verdict": _verdict(report),
        "why": _box("why", title, _reasons(reasons, report)),
        "not_shown": _box("not-shown", "What this report does not show", _gaps(not_shown(report))),
        "identity": _box("identity", "Identity", _identity(report)),
        "claims": _claims(report, claimed),
    }


def server_name(report: Report) -> str:
    """What the subject of the report is called."""
    info = report.subject.server_info or {}
    server = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    files = named(map(str, report.options.get("files") or ()))
    command = " ".join(report.subject.command or ())
    return server or command or report.subject.url or files or report.subject.kind


def _verdict(report: Report) -> Markup:
    found = verdict(report)
    mark = tag("span", MARKS[found.tone], class_="mark", aria_hidden="true")
    about = [shorten(server_name(report), LONGEST_SUBJECT), *_spoken(report)]
    return tag(
        "header",
        tag("h1", mark, found.word),
        tag("p", " · ".join(about), class_="about"),
        tag("p", " · ".join(found.numbers), class_="numbers"),
        class_=f"verdict {found.tone}",
    )


def _spoken(report: Report) -> Iterator[str]:
    """How the server was reached, and in which revision."""
    if report.subject.kind == "server" and report.subject.command:
        yield "stdio"
    if report.revision:
        others = [one for one in report.revisions_offered if one != report.revision]
        also = f" (also offers {', '.join(map(str, others[:4]))})" if others else ""
        yield report.revision + also


def _box(id: str, title: str, content: Markup) -> Markup:
    return tag("section", tag("h2", title, id=f"{id}-title"), content, id=id, class_="box")


def _reasons(reasons: Sequence[HeadlineReason], report: Report) -> Markup:
    shown = tag("p", _reason(reasons[0])) if len(reasons) == 1 else _listed(reasons)
    more = len(report.findings) - sum(reason.finding is not None for reason in reasons)
    rest = tag("p", tag("a", f"{counted(more, 'more finding')}", href="#findings"), class_="more")
    return together((shown, rest if more > 0 else Markup()))


def _listed(reasons: Sequence[HeadlineReason]) -> Markup:
    return tag("ol", *(tag("li", _reason(reason)) for reason in reasons))


def _reason(reason: HeadlineReason) -> str:
    if reason.finding is None:
        return reason.text
    return tag("a", reason.text, href=f"#finding-{reason.finding}")


def _gaps(gaps: Sequence[Shortfall]) -> Markup:
    if not gaps:
        return tag("p", "This run covered everything it could.")
    return tag("ul", *(tag("li", *_gap(gap)) for gap in gaps))


def _gap(gap: Shortfall) -> Iterator[str]:
    yield tag("a", gap.text, href=f"#{gap.link}") if gap.link else gap.text
    if gap.remedy:
        yield " "
        yield tag("code", gap.remedy)


def _identity(report: Report) -> Markup:
    rows = [
        together((tag("dt", label), tag("dd", value, class_=label)))
        for label, value in identity(report)
    ]
    button = tag("button", "Copy", type="button", class_="copy", data_copy="identity")
    return together((tag("dl", *rows), button))


def identity(report: Report) -> list[tuple[str, str]]:
    """What must be known to make the same report again."""
    subject = report.subject
    info = subject.server_info or {}
    server = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    known: dict[str, str | None] = {
        "server": server,
        "command": " ".join(subject.command or ()),
        "url": subject.url or "",
        "sha256": subject.surface_sha256 if report.surface and report.surface.bytes else "",
        "made by": f"{report.tool.name} {report.tool.version}",
        "seed": "" if report.seed is None else str(report.seed),
        "options": options_text(report.options),
        "permissions": _consent(report),
        "left behind": files_left(report),
        "when": f"{report.timing.started}, in {report.timing.seconds:.1f} s",
    }
    return [(label, value) for label, value in known.items() if value]


def options_text(options: Mapping[str, Any]) -> str:
    """The options that say something, one after the other."""
    shown_parts = {
        name: value
        for name, value in options.items()
        if name not in SHOWN_ELSEWHERE and _says(value)
    }
    return " · ".join(
        f"{name.replace('_', '-')} {_option(value)}" for name, value in shown_parts.items()
    )


def _says(value: object) -> bool:
    is_empty = isinstance(value, str | list | tuple | dict) and not value
    return value is not None and value is not False and not is_empty


def _option(value: object) -> str:
    if value is True:
        return "on"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _consent(report: Report) -> str:
    if report.consent:
        return json.dumps(report.consent, ensure_ascii=False)
    return "no prompts were shown" if report.command == "assess" else ""


def _claims(report: Report, claimed: Sequence[Claim]) -> Markup:
    """What the tools promise; where there is no server, what was judged instead."""
    if report.subject.kind != "server":
        return _box("claims", "What was checked", tag("ul", *map(_item, _judged(report))))
    return _box("claims", "Declared vs. observed behaviour", _claim_table(report, claimed))


def _item(words: str) -> Markup:
    return tag("li", words)


def _judged(report: Report) -> Iterator[str]:
    summary, shown_parts = report.summary, report.sessions
    files = report.options.get("files") or ()
    yield f"{counted(summary.messages, 'message')} in {counted(summary.sessions, 'session')}"
    yield from [f"{counted(len(files), 'file')}: {named(map(str, files))}"] if files else ()
    if shown_parts:
        bad = sum(session.errors > 0 for session in shown_parts)
        which = "" if len(shown_parts) == summary.sessions else "worst "
        yield f"{bad:,} of the {len(shown_parts):,} {which}sessions have errors"
    decided = sum(check.outcome in ("passed", "failed", "warned") for check in report.checks)
    yield f"{counted(decided, 'check')} decided, of {len(report.checks):,}"


def _claim_table(report: Report, claimed: Sequence[Claim]) -> Markup:
    if not claimed:
        return tag("p", NOTHING_CLAIMED if report.summary.tools_listed else NO_TOOLS)
    columns = (
        *(("declared", None), ("tools", "number")),
        *(("confirmed", "number"), ("otherwise", None)),
    )
    head = tag("tr", *(tag("th", name, scope="col", class_=sort) for name, sort in columns))
    rows = [_claim(kind, [one for one in claimed if one.kind == kind]) for kind in KINDS]
    return tag("table", tag("thead", head), tag("tbody", *rows))


def _claim(kind: str, claimed: Sequence[Claim]) -> Markup:
    if not claimed:
        return Markup()
    counts = Counter(one.proof for one in claimed)
    left = [
        tag("span", f"{counts[proof]} {PROOF_WORDS[proof]}", class_=tone)
        for proof, tone in LACKING.items()
        if counts[proof]
    ]
    return tag(
        "tr",
        tag("th", tag("code", kind), " ", tag("small", CLAIM_WORDS[kind]), scope="row"),
        tag("td", str(len(claimed)), class_="number"),
        tag("td", str(counts["held"]), class_="number" + (" good" if counts["held"] else "")),
        tag("td", *_separated(left)),
    )


def _separated(pieces: Sequence[str]) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        yield from (" · ",) if number else ()
        yield piece
