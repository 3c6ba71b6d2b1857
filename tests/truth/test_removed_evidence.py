"""What is taken out of correct traffic leaves rules undecided: none is passed without evidence.

The traffic is that of the rules' own good examples and of whole correct sessions. A rule is passed
on what stands there; once the evidence that it needs is gone, nothing may be said about it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from mcp_assay.model.report import Report
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.session.http_sessions import GIVEN
from mcp_assay.spec.catalogue import CATALOGUE, CatalogueEntry
from mcp_assay.validate import Options, validate
from tests.rules.examples import sessions

Line: TypeAlias = dict[str, Any]
Removal: TypeAlias = Callable[[Line], Line | None]
"""A line without some evidence, None where nothing is left of it."""
Concerns: TypeAlias = Callable[[CatalogueEntry], bool]

BY_STATUS: Final = (
    *("HTTP-005", "HTTP-006", "HTTP-007", "HTTP-015", "HTTP-023", "HTTP-024", "HTTP-026"),
    *("HTTP-028", "HTTP-033", "HTTP-034", "HTTP-036", "HTTP-037", "HTTP-042"),
)
"""Rules about the status that an answer has."""
WITHOUT_HEADERS: Final = ("HTTP-015",)
"""Rules that a status may keep whatever the headers are: there is no stream after 405."""
OF_HTTP: Final = ("exchange", "http", "sse", "transport", "end")


@cache
def conversations() -> list[list[Line]]:
    """Correct sessions, as the lines of traces."""
    rules = load("session").values()
    scripts = [script for rule in rules for script in sessions(rule.good)]
    return [[_line(step) for step in script.steps] for script in scripts]


def _line(step: Step) -> Line:
    delivery, message = step.delivery, step.message
    line: Line = {"dir": step.direction}
    if isinstance(message, bytes):
        line["raw"] = message.decode(errors="replace")
    elif message is not None:
        line["message"] = message
    known = {
        "t": delivery.at,
        "transport": delivery.transport,
        "exchange": delivery.exchange,
        "http": delivery.http,
        "sse": delivery.sse,
        "end": delivery.end or None,
    }
    return line | {name: value for name, value in known.items() if value is not None}


def without(*members: str) -> Removal:
    """Lines that do not have these members."""
    return lambda line: {name: value for name, value in line.items() if name not in members}


def without_http(*members: str) -> Removal:
    """Lines whose http does not have these members."""

    def removed(line: Line) -> Line:
        http = line.get("http")
        kept = {name: one for name, one in http.items() if name not in members} if http else None
        return {**line, "http": kept} if kept is not None else line

    return removed


def without_direction(direction: str) -> Removal:
    """The lines of the other side."""
    return lambda line: None if line["dir"] == direction else line


def bare(line: Line) -> Line | None:
    """The message alone."""
    message = line.get("message")
    return message if isinstance(message, dict) else None


def without_results(*members: str) -> Removal:
    """Lines that are no results with one of these members, and not what they answer."""

    def removed(line: Line) -> Line | None:
        message = line.get("message")
        result = message.get("result") if isinstance(message, dict) else None
        return None if isinstance(result, dict) and set(members) & result.keys() else line

    return removed


def without_openings(line: Line) -> Line | None:
    """Lines that neither open a session nor answer that."""
    message = line.get("message")
    if not isinstance(message, dict):
        return line
    if message.get("method") in ("initialize", "server/discover", "notifications/initialized"):
        return None
    return without_results("capabilities")(line)


def judged(folder: Path, removal: Removal, *, named: bool) -> Report:
    """The report on all conversations, each a session of its own, by its name or by its file."""
    names = []
    for number, lines in enumerate(conversations()):
        path = folder / f"{number}.jsonl"
        key = {"session": f"s{number}"} if named else {}
        left = [one if removal is bare else {**key, **one} for one in map(removal, lines) if one]
        text = "".join(f"{json.dumps(line)}\n" for line in left)
        path.write_text(text.replace(GIVEN, f"id-{number}"))
        names.append(str(path)) if left else None
    return validate(names, Options(partial=True))


def needs(*words: str) -> Concerns:
    """Rules that say that they need this, and cannot be judged otherwise."""
    return lambda entry: entry.needs in words and "message" not in entry.observable


def seen_in(*places: str) -> Concerns:
    """Rules that can be seen in these places only, but for probes."""
    return lambda entry: (
        bool(set(entry.observable) - {"probe"})
        and (set(entry.observable) - {"probe"} <= set(places))
    )


REMOVALS: Final[dict[str, tuple[Removal, Concerns]]] = {
    "headers": (
        without_http("request_headers", "response_headers"),
        lambda entry: (
            entry.id not in WITHOUT_HEADERS
            and needs("the HTTP headers", "the HTTP exchange with its headers")(entry)
        ),
    ),
    "statuses": (without_http("status"), lambda entry: entry.id in BY_STATUS),
    "exchanges": (
        without("exchange"),
        needs("the whole stream", "all streams of the session"),
    ),
    "openings": (
        without_openings,
        needs(
            "the beginning of the session",
            "what both sides agreed on",
            "the capabilities that the server declared",
        ),
    ),
    "pages": (
        without_results("tools", "prompts", "resources", "resourceTemplates", "tasks"),
        needs("the cursors that the server gave", "the tools as listed", "every page of the list"),
    ),
    "http": (without(*OF_HTTP), seen_in("http")),
    "sessions": (bare, seen_in("session", "http")),
    "requests": (
        without_direction("c2s"),
        lambda entry: (
            seen_in("session", "http")(entry)
            and (entry.subject == "client" or entry.needs == "the request that it answers")
        ),
    ),
    "answers": (
        without_direction("s2c"),
        lambda entry: seen_in("session", "http")(entry) and entry.subject == "server",
    ),
}


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("kind", REMOVALS)
def test_no_rule_is_passed_whose_evidence_is_gone(tmp_path: Path, kind: str, named: bool) -> None:
    removal, concerns = REMOVALS[kind]
    removes_lines = kind in ("openings", "pages", "requests", "answers")
    report = judged(tmp_path, removal, named=named)
    passed = {one.rule for one in report.checks if one.outcome == "passed"}
    assert {rule for rule in passed if concerns(CATALOGUE[rule])} == set()
    if not removes_lines:
        assert [one for one in report.findings if one.severity == "error"] == []


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The rules that are passed where nothing is taken out."""
    report = judged(tmp_path_factory.mktemp("whole"), lambda line: line, named=True)
    return {one.rule for one in report.checks if one.outcome == "passed"}


@pytest.mark.parametrize("kind", REMOVALS)
def test_with_the_evidence_they_are_passed(whole: set[str], kind: str) -> None:
    _, concerns = REMOVALS[kind]
    concerned = {rule for rule in CATALOGUE if concerns(CATALOGUE[rule])}
    assert len(concerned & whole) > len(concerned) / 2, sorted(concerned - whole)
