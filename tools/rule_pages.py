"""The catalogue as pages: one for each rule that is checked, and a table of all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mcp_assay.report.about_rules import (
    PARTIES,
    decided_by,
    example_text,
    session_lines,
    span_of,
)
from mcp_assay.report.wire_examples import dialogue_lines, is_dialogue
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import BROKEN, END, Example, Rule, SessionExample
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.client_reactions import CLIENTS
from mcp_assay.text.safe import plain
from mcp_assay.validate import KNOWN_RULES, rule_name

NOTE = "<!-- Written by `make docs` from the catalogue and the rules; change those instead. -->\n"
LONGEST = 2000
"""Characters of an example that are shown."""


def pages() -> dict[str, str]:
    """The pages by their file names."""
    rules = load()
    named = {f"{id}.md": _page(KNOWN_RULES[id], rule) for id, rule in rules.items()}
    return {"index.md": _index(KNOWN_RULES.values(), rules), **named}


def _index(entries: Iterable[CatalogueEntry], rules: Mapping[str, Rule]) -> str:
    entries = list(entries)
    from_one = sum(entry.undecided is None for entry in entries)
    from_lists = sum("definitions" in entry.observable for entry in entries)
    others = sum(entry.undecided is not None and entry.id in rules for entry in entries)
    rows = "".join(_row(entry, entry.id in rules) for entry in entries)
    return (
        f"{NOTE}# Rules\n\n"
        f"{len(entries)} rules: {from_one} are decided from one message, {others - from_lists} "
        f"from a session, {from_lists} from definitions. The others need what the "
        "last column says. What was not seen leaves a rule undecided; it is never reported as "
        "passed.\n\n"
        "| rule | severity | at fault | revisions | it says | decided |\n"
        "|---|---|---|---|---|---|\n"
        f"{rows}"
    )


def _row(entry: CatalogueEntry, has_page: bool) -> str:
    link = f"[{entry.id}]({entry.id}.md)" if has_page else entry.id
    name = rule_name(entry.id)
    cells = (
        f"{link} {name}" if name else link,
        entry.severity,
        PARTIES[entry.subject],
        span_of(entry.revisions),
        entry.statement,
        decided_by(entry),
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _page(entry: CatalogueEntry, rule: Rule) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_sections(entry, rule)))


def _sections(entry: CatalogueEntry, rule: Rule) -> Iterator[str]:
    yield f"{NOTE}# {entry.id} {rule.name}\n"
    yield f"{rule.title}\n"
    yield f"- severity: {entry.severity}{_grades(entry)}"
    yield f"- at fault: {PARTIES[entry.subject]}"
    yield f"- revisions: {', '.join(entry.revisions)}"
    yield f"- decided: {decided_by(entry)}"
    yield f"- since: mcp-assay {entry.since}"
    yield from [f"- formerly: `{name}`" for name in entry.aliases]
    yield from [f"- breaks: {BROKEN[rule.breaks]}"] if rule.breaks else []
    yield f"- reason: `{rule.reason}`\n"
    yield f"## Why\n\n{_capital(rule.why)}\n"
    yield from [f"## What clients do\n\n{CLIENTS[rule.id]}\n"] if rule.id in CLIENTS else []
    source = "profile" if rule.breaks else "rule" if entry.ours else "specification"
    yield f"## What the {source} says\n\n{entry.statement}\n\n{_links(entry)}\n"
    yield f"## Bad\n\n{''.join(map(_bad, rule.bad()))}"
    yield f"## Good\n\n{''.join(map(_good, rule.good()))}"
    yield f"## What to do\n\n{_capital(rule.instead)}\n"
    yield f"To accept it: `mcp-assay {_command(entry, rule)} --ignore {entry.id}`.\n"


def _command(entry: CatalogueEntry, rule: Rule) -> str:
    if "definitions" in entry.observable:
        return "lint"
    if rule.subject in ("behaviour", "probe"):
        return "assess"
    return "validate --profile envelope" if "response" in entry.observable else "validate"


def _grades(entry: CatalogueEntry) -> str:
    if not entry.grades:
        return ""
    graded = "; ".join(f"{severity} for {grade}" for grade, severity in entry.grades.items())
    return f" ({graded})"


def _links(entry: CatalogueEntry) -> str:
    return " · ".join(f"[{revision}]({entry.url(revision)})" for revision in entry.revisions)


def _bad(example: Example | SessionExample) -> str:
    if isinstance(example, SessionExample):
        return _bad_session(example)
    if is_dialogue(example):
        return f"{_block(example, is_bad=True)}({_setting(example)})\n\n"
    place = f"`{example.pointer}`" if example.pointer else "the whole message"
    also = "".join(f", also {rule} at `{pointer}`" for rule, pointer in example.also)
    return f"{_block(example)}Found at {place}{also} ({_setting(example)}).\n\n"


def _good(example: Example | SessionExample) -> str:
    if isinstance(example, SessionExample):
        return _session(example)
    return f"{_block(example)}({_setting(example)})\n\n"


def _session(script: SessionExample) -> str:
    lines = "\n".join(plain(line) for line in session_lines(script))
    note = "(a part of a longer session)\n\n" if script.partial else ""
    return f"```text\n{lines}\n```\n\n{note}"


def _bad_session(script: SessionExample) -> str:
    also = "".join(f", also {rule} in {_step(at)}" for at, rule, _ in script.also)
    place = f" at `{script.pointer}`" if script.pointer else ""
    return f"{_session(script)}Found in {_step(script.at)}{place}{also}.\n\n"


def _step(at: int | None) -> str:
    return "the session as a whole" if at == END or at is None else f"line {at + 1}"


def _setting(example: Example) -> str:
    answer = f", in answer to {example.method}" if example.method else ""
    sender = {"c2s": ", from the client", "s2c": ", from the server", None: ""}
    return f"{example.revision}{answer}{sender[example.direction]}"


def _block(example: Example, *, is_bad: bool = False) -> str:
    if is_dialogue(example):
        lines = "\n".join(map(plain, dialogue_lines(example, is_bad=is_bad)))
        return f"```text\n{lines}\n```\n\n"
    text = example_text(example, indent=2, longest=LONGEST)
    kind = "json" if isinstance(example.value, dict | list) else "text"
    lines = "\n".join(plain(line) for line in text.split("\n"))
    return f"```{kind}\n{lines}\n```\n\n"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
