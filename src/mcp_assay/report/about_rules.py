"""Rules -> lines for people: the table of all, and the story of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, SupportsBytes

from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.wire_examples import dialogue_lines, is_dialogue, telling_apart
from mcp_assay.rules import rule_name
from mcp_assay.rules.engine.rule import BROKEN, END, Example, Rule, SessionExample, Step
from mcp_assay.rules.index import INDEX
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.client_reactions import CLIENTS
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.text.lines import BLANK, Line, indented, named, said
from mcp_assay.text.safe import shorten

SENDERS = {"c2s": "client:", "s2c": "server:"}
LONGEST = 400
LONGEST_COMPARED = 20_000
HANDSHAKE = 3
"""The steps of a handshake."""
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


def decided_by(entry: CatalogueEntry) -> str:
    """What decides the rule: one message, a conversation, or more than traffic shows."""
    if "response" in entry.observable:
        return "from one tool response, with --profile envelope"
    if "definitions" in entry.observable:
        return "from definitions, with lint"
    if entry.undecided:
        where = "from a session" if entry.id in INDEX else "not from recorded traffic"
        return f"{where}: it {entry.undecided}"
    if entry.open_part:
        return f"from one message, except {entry.open_part}"
    return "from one message"


def table(entries: Iterable[CatalogueEntry]) -> Iterator[Line]:
    """Two lines for each rule: its facts, then its name and what it says."""
    for entry in entries:
        name = rule_name(entry.id)
        facts = f"{entry.subject:<6} {span_of(entry.revisions):<24} {decided_by(entry)}"
        yield ((f"{entry.id:<12} ", "strong"), _severity(entry, 8), (f" {facts}", ""))
        yield indented(said(f"{name}: {entry.statement}" if name else entry.statement), 13)


def story(
    entry: CatalogueEntry, name: str | None, rule: Rule | None, revision: str
) -> Iterator[Line]:
    """Everything that is known about one rule."""
    facts = f" · {PARTIES[entry.subject]} · {span_of(entry.revisions)}"
    title = " ".join(filter(None, (entry.id, name)))
    yield ((title, "strong"), (" · ", ""), _severity(entry), (facts, ""))
    yield said(rule.title if rule else entry.statement)
    yield BLANK
    if rule:
        yield named("Why", rule.why)
        yield from [named("Clients", CLIENTS[rule.id])] if rule.id in CLIENTS else ()
        yield named("Says", entry.statement)
    if entry.page:
        yield named("" if rule else "Says", entry.url(revision))
    if rule and rule.breaks:
        yield named("Breaks", BROKEN[rule.breaks])
    yield from _examples(rule) if rule else ()
    for grade, severity in entry.grades.items():
        yield named("Graded", f"{SEVERITY_WORDS[severity]}: {grade}")
    yield named("Decided", decided_by(entry))
    yield named("Since", f"mcp-assay {entry.since}")
    yield from [named("Formerly", ", ".join(entry.aliases))] if entry.aliases else ()
    yield named("Accept", f"--ignore {entry.id}")


def _examples(rule: Rule) -> Iterator[Line]:
    bad, good = rule.bad()[0], rule.good()[0]
    shown = {"Bad": example_lines(bad, is_bad=True), "Good": example_lines(good)}
    if len(shown["Bad"]) == len(shown["Good"]) == 1:
        ends = [_place(bad), ""]
        texts = telling_apart([*shown["Bad"], *shown["Good"]], LONGEST)
        if texts[0] == texts[1]:
            ends = [f"   ({_setting(bad)}){ends[0]}", f"   ({_setting(good)})"]
        shown = {label: [text + end] for label, text, end in zip(shown, texts, ends, strict=True)}
    for label, lines in shown.items():
        for index, text in enumerate(lines):
            yield named(label if index == 0 else "", text)
    yield named("Fix", rule.instead)


def example_lines(example: Example | SessionExample, *, is_bad: bool = False) -> list[str]:
    """An example as it passes over the wire."""
    if isinstance(example, SessionExample):
        return list(session_lines(example))
    if is_dialogue(example):
        return dialogue_lines(example, is_bad=is_bad)
    return [message_text(example.value, longest=LONGEST_COMPARED)]


def _place(example: Example | SessionExample) -> str:
    is_marked = isinstance(example, SessionExample) or is_dialogue(example)
    return "" if is_marked else f"   -> {shorten(example.pointer or 'the whole message', LONGEST)}"


def _setting(example: Example | SessionExample) -> str:
    """In which revision and direction a message is the example."""
    if isinstance(example, SessionExample):
        return "a session"
    sender = {"c2s": ", from the client", "s2c": ", from the server", None: ""}
    return f"{example.revision}{sender[example.direction]}"


def session_lines(script: SessionExample) -> Iterator[str]:
    """A session, a numbered line for each step; a plain handshake takes one line."""
    steps = list(enumerate(script.steps, start=1))
    if opened := _handshake(script):
        yield f"1-{HANDSHAKE} {opened}"
        steps = steps[HANDSHAKE:]
    for number, step in steps:
        broken = f"   -> {script.pointer or 'here'}" if script.at == number - 1 else ""
        yield f"{number} {SENDERS[step.direction]}{_step_text(step)}{broken}"
    if script.at == END:
        yield "(end)   -> here"


def _handshake(script: SessionExample) -> str | None:
    """The first steps in one line, where they are a handshake as it should be."""
    messages = [step.message for step in script.steps[:HANDSHAKE]]
    plain = len(messages) == HANDSHAKE and script.at not in range(HANDSHAKE)
    if not plain or not all(isinstance(message, dict) for message in messages):
        return None
    asked, answered, ready = messages
    if asked.get("method") != "initialize" or ready.get("method") != "notifications/initialized":
        return None
    client, server = asked["params"]["capabilities"], answered["result"]["capabilities"]
    shown_parts = f"client {json.dumps(client)}, server {json.dumps(server)}"
    return f"handshake, {answered['result']['protocolVersion']}: {shown_parts}"


def _step_text(step: Step) -> str:
    """How a step came, in the words of the trace format, and its message."""
    names = ("transport", "exchange", "http", "sse", "end")
    line = {name: value for name in names if (value := getattr(step.delivery, name))}
    message = step.message
    if isinstance(message, dict):
        message = {name: value for name, value in message.items() if name != "jsonrpc"}
    shown_parts = [json.dumps(line, ensure_ascii=False)] if line else []
    shown_parts += [] if message is None else [message_text(message)]
    return "".join(f" {text}" for text in shown_parts)


def facts(entry: CatalogueEntry, name: str | None) -> dict[str, Any]:
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
        "since": entry.since,
        "aliases": list(entry.aliases),
    }


def _severity(entry: CatalogueEntry, width: int = 0) -> tuple[str, Any]:
    return f"{SEVERITY_WORDS[entry.severity]:<{width}}", entry.severity


def example_text(example: Example, *, indent: int | None = None, longest: int = 400) -> str:
    """The message of an example as text, cut where it is too long to read."""
    return message_text(example.value, indent=indent, longest=longest)


def message_text(message: Any, *, indent: int | None = None, longest: int = 400) -> str:
    """A message as text, cut where it is too long to read."""
    if isinstance(message, bytes):
        text = message.decode(errors="backslashreplace")
    elif isinstance(message, SupportsBytes):
        text = str(message)
    else:
        text = json.dumps(message, ensure_ascii=False, indent=indent)
    return shorten(text, longest)
