"""Rules -> lines for people: the table of all, and the story of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, SupportsBytes

from mcp_assay.report.lines import BLANK, Line, indented, named, said
from mcp_assay.report.plain import shorten
from mcp_assay.rules.rule import Example, Rule
from mcp_assay.spec.catalogue import Entry
from mcp_assay.spec.revisions import REVISIONS

PARTIES = {"client": "client", "server": "server", "both": "client or server"}


def span_of(revisions: tuple[str, ...]) -> str:
    """The revisions in few words: all, one, or from which to which."""
    if revisions == REVISIONS:
        return "all revisions"
    if len(revisions) == 1:
        return f"{revisions[0]} only"
    first, last = revisions[0], revisions[-1]
    if last == REVISIONS[-1]:
        return f"since {first}"
    return f"until {last}" if first == REVISIONS[0] else f"{first} to {last}"


def decided_by(entry: Entry) -> str:
    """Whether one message decides the rule, and if not, why."""
    if entry.undecided:
        return f"not from one message: it {entry.undecided}"
    if entry.open_part:
        return f"from one message, but for {entry.open_part}"
    return "from one message"


def table(entries: Iterable[Entry]) -> Iterator[Line]:
    """Two lines for each rule: its facts, and what it says."""
    for entry in entries:
        facts = f"{entry.subject:<6} {span_of(entry.revisions):<24} {decided_by(entry)}"
        yield ((f"{entry.id:<12} ", "strong"), _severity(entry, 8), (f" {facts}", ""))
        yield indented(said(entry.statement), 13)


def story(entry: Entry, name: str | None, rule: Rule | None, revision: str) -> Iterator[Line]:
    """Everything that is known about one rule."""
    facts = f" · {PARTIES[entry.subject]} · {span_of(entry.revisions)}"
    title = " ".join(filter(None, (entry.id, name)))
    yield ((title, "strong"), (" · ", ""), _severity(entry), (facts, ""))
    yield said(rule.title if rule else entry.statement)
    yield BLANK
    if rule:
        yield named("Why", rule.why)
        yield named("Says", entry.statement)
    if entry.page:
        yield named("" if rule else "Says", entry.url(revision))
    yield from _examples(rule) if rule else ()
    for grade, severity in entry.grades.items():
        yield named("Graded", f"{severity}: {grade}")
    yield named("Decided", decided_by(entry))
    yield named("Accept", f"--ignore {entry.id}")


def _examples(rule: Rule) -> Iterator[Line]:
    bad, good = rule.bad[0], rule.good[0]
    yield named("Bad", f"{example_text(bad)}   -> {bad.pointer or 'the whole message'}")
    yield named("Good", example_text(good))
    yield named("Fix", rule.instead)


def facts(entry: Entry, name: str | None) -> dict[str, Any]:
    """What is known about one rule, for programs."""
    return {
        "rule": entry.id,
        "name": name,
        "severity": entry.severity,
        "subject": entry.subject,
        "revisions": list(entry.revisions),
        "statement": entry.statement,
        "observable": list(entry.observable),
        "undecided": entry.undecided,
        "open_part": entry.open_part,
        "grades": dict(entry.grades),
        "urls": {revision: entry.url(revision) for revision in entry.revisions if entry.page},
    }


def _severity(entry: Entry, width: int = 0) -> tuple[str, Any]:
    return f"{entry.severity:<{width}}", entry.severity


def example_text(example: Example, *, indent: int | None = None, longest: int = 400) -> str:
    """The message of an example as text, cut where it is too long to read."""
    message = example.message
    if isinstance(message, bytes):
        text = message.decode(errors="backslashreplace")
    elif isinstance(message, SupportsBytes):
        text = str(message)
    else:
        text = json.dumps(message, ensure_ascii=False, indent=indent)
    return shorten(text, longest)
