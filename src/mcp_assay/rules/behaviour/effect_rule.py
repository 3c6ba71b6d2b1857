"""How a rule about effects is written: what it sees of a tool, and how a suspicion is proven."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from mcp_assay.model.effect import FileChange
from mcp_assay.model.effect_proof import EffectRecord, ProvenCall
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.own_fault import OnFault, surviving
from mcp_assay.rules import load
from mcp_assay.rules.engine.findings import fingerprint, to_finding
from mcp_assay.rules.engine.rule import Example, Examples, Found, register
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.names import name_words
from mcp_assay.text.words import quote

MOST_PATHS: Final = 2
"""So many paths are named in a sentence."""
MOST_WORDS: Final = 400
"""So many words of a description are read."""
THE_START: Final = "The server"


class Trial(Struct, frozen=True):
    """What is done in a fresh world to prove something: a call, once or twice."""

    arguments: Mapping[str, Any]
    is_repeated: bool = False


EffectCheck: TypeAlias = Callable[[EffectRecord, ProvenCall], Iterator[Found]]
MakeTrial: TypeAlias = Callable[[EffectRecord, ProvenCall], Trial | None]
Hint: TypeAlias = tuple[str, bool]
"""A hint and the value with which it says something."""


class EffectRule(Struct, frozen=True):
    """A rule about what calls do: its predicate, its hint, and what else must have been seen."""

    id: str
    check: EffectCheck
    hint: Hint | None
    """The hint without which a tool cannot break it."""
    needs: str
    """What of a world must have been watched: files, network, secrets, programs or attempts."""
    of_start: bool
    """Whether the mere start of a server can break it."""
    of_tools: bool
    trial: MakeTrial

    def concerns(self, record: EffectRecord) -> bool:
        """Whether what is recorded can break it."""
        if record.tool is None:
            return self.of_start
        return self.of_tools and (self.hint is None or record.declares(*self.hint))


EFFECT_RULES: Final[list[EffectRule]] = []
"""The rules about effects in the order of their ids."""


def effect_rule(
    id: str,
    name: str,
    *,
    reason: str,
    good: Examples,
    bad: Examples,
    needs: str,
    hint: Hint | None = None,
    of_start: bool = False,
    of_tools: bool = True,
    trial: MakeTrial | None = None,
) -> Callable[[EffectCheck], EffectCheck]:
    """Register a predicate on a call that was watched; its docstring holds the words for people.

    What it says of a call of the run is only a suspicion: the trial, mostly the same call, is made
    in fresh worlds, and the predicate looks at what came of it there each time.
    """

    def decorate(check: EffectCheck) -> EffectCheck:
        def same_call(record: EffectRecord, call: ProvenCall) -> Trial | None:
            return Trial(call.arguments) if any(check(record, call)) else None

        words = check.__doc__ or ""
        register(id, name, words, subject="behaviour", reason=reason, good=good, bad=bad)
        made = EffectRule(id, check, hint, needs, of_start, of_tools, trial or same_call)
        EFFECT_RULES.append(made)
        return check

    return decorate


def effect_rules() -> list[EffectRule]:
    """All rules about effects."""
    load("behaviour")
    return EFFECT_RULES


def judge_effects(
    record: EffectRecord, revision: str, on_fault: OnFault | None = None
) -> Iterator[Finding]:
    """Everything that proven calls of a tool show, each rule once."""
    for rule in effect_rules():
        if not rule.concerns(record):
            continue
        checks = ((call, partial(rule.check, record)) for call in record.calls)
        shown = (
            (call, found)
            for call, check in checks
            for found in surviving(f"rule {rule.id}", on_fault, check, call)
        )
        for call, found in islice(shown, 1):
            yield _finding(replace(found, rule=rule.id), record, call, revision)


def _finding(found: Found, record: EffectRecord, call: ProvenCall, revision: str) -> Finding:
    finding = to_finding(found, revision)
    about = Where() if record.tool is None else Where(tool=record.name, call=call.number)
    identity = fingerprint(found.rule, finding.subject, record.name, "", found.key)
    cause = " ".join(filter(None, (found.rule, record.name)))
    return replace(finding, where=about, cause=cause, fingerprint=identity)


def said_of(record: EffectRecord, what: str, *, fix: str | None = None) -> Found:
    """A fault of the tool, or of the server at its start."""
    who = THE_START if record.tool is None else f"Tool {quote(record.name)}"
    return Found((), f"{who} {_shortly(what, record)}.", fix=fix)


def _shortly(text: str, record: EffectRecord) -> str:
    """A text with paths as people of this machine write them."""
    cwd, home = record.places.cwd, record.places.home
    for folder, short in ((cwd, ""), (home, "~/")):
        if len(folder) > 1:
            text = text.replace(f"{folder}/", short)
    return text


def kept(call: ProvenCall) -> list[FileChange]:
    """The files that a call changed for others: neither bookkeeping nor temporary ones."""
    return [one for one in call.effects.kept_files if not one.temporary]


def named(paths: Iterable[str]) -> str:
    """Some paths as a part of a sentence; the end of a path says most."""
    found = list(dict.fromkeys(paths))
    more = len(found) - MOST_PATHS
    return ", ".join(found[:MOST_PATHS]) + (f" and {more:,} more" if more > 0 else "")


def texts_in(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The texts of arguments, at any depth."""
    left: list[Any] = [arguments]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            left.extend(value.values())
        elif isinstance(value, list | tuple):
            left.extend(value)


def words_of(record: EffectRecord) -> frozenset[str]:
    """The words with which a tool, and the server, say what they are for."""
    tool = record.tool or {}
    schema = json.dumps(tool.get("inputSchema", {}).get("properties", {}), default=str)
    told = f"{tool.get('name', '')} {tool.get('title', '')} {tool.get('description', '')} {schema}"
    return frozenset(name_words(told)[:MOST_WORDS]) | frozenset(name_words(record.places.about))


def own_words(record: EffectRecord) -> frozenset[str]:
    """The words of a tool's name, title and description alone."""
    tool = record.tool or {}
    told = f"{tool.get('name', '')} {tool.get('title', '')} {tool.get('description', '')}"
    return frozenset(name_words(told)[:MOST_WORDS])


def example(
    *,
    hints: Mapping[str, bool] | None = None,
    arguments: Mapping[str, Any] | None = None,
    tool: str | None = "find_note",
    description: str = "",
    again: Mapping[str, Any] | None = None,
    places: Mapping[str, Any] | None = None,
    **effects: Any,
) -> Example:
    """A call that did something, as an example; without a tool, the start of a server."""
    call = {"arguments": arguments or {}, "effects": effects, "again": again, "number": None}
    listed = None
    if tool is not None:
        listed = {"name": tool, "description": description, "annotations": hints or {}}
    value = {"tool": listed, "calls": [call], "places": places or {}}
    return Example(value=value, revision=DEFAULT_REVISION)


def record_of(value: Mapping[str, Any]) -> EffectRecord:
    """The record that an example shows."""
    return convert(value, EffectRecord)


def file(
    path: str,
    what: str = "created",
    *,
    size: int | None = 12,
    was: int = 12,
    **more: Any,
) -> dict[str, Any]:
    """A changed file of an example."""
    state = {"kind": "file", "mode": "0644"}
    before = None if what == "created" else {**state, "size": was}
    after = None if what == "deleted" else {**state, "size": size}
    return {"path": path, "what": what, "before": before, "after": after, **more}
