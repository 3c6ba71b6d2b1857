"""A response -> findings by the profile, each of which says what it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.rules import load
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.findings import fingerprint, to_finding
from mcp_assay.rules.engine.rule import BROKEN, Breaks, Found, MapKey
from mcp_assay.rules.engine.slow import Setting, judge, too_many
from mcp_assay.rules.envelope.outcome import NOT_JSON
from mcp_assay.rules.envelope.rule import RULES_ON, ProfileRule, is_data, parts
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.notes import UNREAD
from mcp_assay.wire.pointer import Path, pointer
from mcp_assay.wire.reader import Note, Reading


class Judgement(Struct, frozen=True):
    """What was found in a response, and the rules that it could have broken."""

    findings: list[Finding]
    decided: frozenset[str]


def judge_response(
    response: Any, reading: Reading, base: Path = (), tool: str | None = None
) -> Judgement:
    """Judge a response that stands at `base` of what was read, and that `tool` gave."""
    load("envelope")
    notes = [_seen_from(note, base) for note in reading.notes if note.path[: len(base)] == base]
    faults, decided = Faults(DEFAULT_REVISION), set()
    for rule, found in _found(response, notes):
        decided.add(rule.id)
        if found is not None:
            faults.append(_placed(found, rule, base))
    if faults.unlisted:
        list.append(faults, too_many(faults.unlisted))
    ordered = sorted(faults, key=_order)
    findings = [to_finding(fault, DEFAULT_REVISION, value=reading.value) for fault in ordered]
    if tool is not None:
        findings = [_of_tool(tool, *pair) for pair in zip(findings, ordered, strict=True)]
    return Judgement(findings, frozenset(decided))


def judge_text(reading: Reading, bases: Iterable[Path] = ((),)) -> list[Finding]:
    """What is odd about the text itself, but for data: rules of the profile speak of that."""
    starts = tuple(bases)
    notes = tuple(note for note in reading.notes if not _is_about_data(note, starts))
    found = judge(Reading(UNREAD, notes), Setting(revision=DEFAULT_REVISION))
    return [_breaking(finding, "both") for finding in found]


def _found(response: Any, notes: Sequence[Note]) -> Iterator[tuple[ProfileRule, Found | None]]:
    """Each rule that looks at a part of the response, alone and with each fault that it finds."""
    breaks_mcp = False
    for part in parts(response, notes):
        if part.facet == "result" and breaks_mcp:
            return
        for rule in RULES_ON.get(part.facet, ()):
            yield rule, None
            for found in rule.check(part.value):
                breaks_mcp |= rule.breaks != "profile"
                yield rule, replace(found, path=(*part.path, *found.path))


def _order(found: Found) -> tuple[str, str]:
    return pointer(found.path), found.rule


def _placed(found: Found, rule: ProfileRule, base: Path) -> Found:
    return replace(
        found,
        rule=rule.id,
        path=(*base, *found.path),
        text=f"{found.text}; that breaks {BROKEN[rule.breaks]}.",
        details={"breaks": rule.breaks},
    )


def _of_tool(tool: str, finding: Finding, found: Found) -> Finding:
    """The finding as one about a tool: the same fault of another tool is another one."""
    path = tuple("*" if isinstance(step, int | MapKey) else step for step in found.path)
    pattern = pointer(path)
    return replace(
        finding,
        where=Where(tool=tool),
        cause=f"{finding.rule} {tool} {pattern}",
        fingerprint=fingerprint(finding.rule, finding.subject, tool, pattern, found.key),
    )


def _breaking(finding: Finding, breaks: Breaks) -> Finding:
    if finding.rule.startswith("LIMIT"):
        return finding
    words = f"{finding.message.rstrip('.')}; that breaks {BROKEN[breaks]}."
    return replace(finding, message=words, details={"breaks": breaks})


def _is_about_data(note: Note, bases: Iterable[Path]) -> bool:
    return note.kind in NOT_JSON and any(
        note.path[: len(base)] == base and is_data(note.path[len(base) :]) for base in bases
    )


def _seen_from(note: Note, base: Path) -> Note:
    return replace(note, path=note.path[len(base) :]) if base else note
