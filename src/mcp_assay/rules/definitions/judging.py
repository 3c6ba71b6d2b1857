"""A surface -> findings: every definition by itself, then all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.report import Limit
from mcp_assay.rules import load
from mcp_assay.rules.definitions.definition import (
    RULES_ON,
    DefinitionRule,
    Desk,
    Part,
    definitions,
    parts,
)
from mcp_assay.rules.definitions.surface import LISTS, Surface, name_of
from mcp_assay.rules.definitions.tool_schema import ToolSchema
from mcp_assay.rules.engine import too_many
from mcp_assay.rules.rule import Found
from mcp_assay.rules.telling import fingerprint, tell
from mcp_assay.schema.checking import Schemas, Worker
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION, require_revision
from mcp_assay.wire.pointer import Path, pointer, resolve

MOST_DEFINITIONS: Final = 5_000
"""Of each list so many definitions are judged."""
MOST_FAULTS: Final = 100
"""So many errors and so many other faults of one definition, or of all together, are listed."""

MOST_FINDINGS: Final = 20_000
"""So many errors and so many other findings are made of a surface."""

TOGETHER: Final = {
    "TOOL-004": "tools",
    "TOOL-005": "tools",
    "LINT-102": "tools",
    "RES-002": "resources",
    "PROMPT-001": "prompts",
}
"""The rules about a whole list, and its name."""

INSIDE: Final = frozenset(
    {"TOOL-015", "LINT-101", "LINT-103", *(f"TOOL-{number:03}" for number in range(20, 26))}
)
"""The rules that look at every part of a schema."""


def lint(
    surface: Surface, revision: str = DEFAULT_REVISION, worker: Worker | None = None
) -> list[Finding]:
    """Everything there is to say about what a server lists."""
    return list(Linter(revision, worker).findings(surface))


class Room:
    """How many more findings are made; those for which there is no room are counted."""

    def __init__(self, most: int = MOST_FINDINGS) -> None:
        self._left: Final = {True: most, False: most}
        self.refused = 0

    def admits(self, fault: Found) -> bool:
        """Whether there is room for one more fault, which then takes it."""
        is_error = _is_error(fault)
        self._left[is_error] -= 1
        self.refused += self._left[is_error] < 0
        return self._left[is_error] >= 0


class Linter:
    """Judges surfaces, and remembers which rules were decided and which could not be."""

    def __init__(self, revision: str = DEFAULT_REVISION, worker: Worker | None = None) -> None:
        load()
        self._desk: Final = Desk(require_revision(revision), Schemas(worker))
        self.room: Final = Room()
        self._beyond: Final[Counter[str]] = Counter()

    @property
    def decided(self) -> frozenset[str]:
        """The rules that something listed could have broken, and that were not left open."""
        return frozenset(self._desk.decided - {rule for rule, _ in self._desk.left_open})

    @property
    def left_open(self) -> dict[tuple[str, str], int]:
        """How often a rule could not be judged, and why."""
        return dict(self._desk.left_open)

    @property
    def limits(self) -> list[Limit]:
        """The limits that cut something."""
        cut = [
            _limit(name, MOST_DEFINITIONS, more, f"further {LISTS[name]}s were not judged")
            for name, more in self._beyond.items()
        ]
        if self.room.refused:
            effect = "further faults of definitions were not reported"
            cut.append(_limit("definition-findings", MOST_FINDINGS, self.room.refused, effect))
        return cut

    def findings(self, surface: Surface) -> Iterator[Finding]:
        """What there is to say, definition by definition, and then about all together."""
        for name, listed in surface.lists().items():
            if len(listed) > MOST_DEFINITIONS:
                self._beyond[name] += len(listed) - MOST_DEFINITIONS
        document = {name: list(listed) for name, listed in surface.lists().items()}
        for name, index, definition in definitions(surface, MOST_DEFINITIONS):
            found = self._in_definition(name, index, definition)
            yield from self._told(found, document, (name, index))
        yield from self._told(self._in_surface(surface), document, ())

    def _in_definition(self, name: str, index: int, definition: Any) -> Iterator[Found]:
        for facet, part in parts(name, index, definition, self._desk):
            yield from self._found(facet, part)

    def _in_surface(self, surface: Surface) -> Iterator[Found]:
        part = Part(surface, (), self._desk)
        for rule in self._rules("surface"):
            name = TOGETHER[rule.id]
            if not surface.lists()[name]:
                continue
            if name in surface.unfinished:
                self._desk.leave_open(rule.id, "the list goes on")
            yield from self._by(rule, part)

    def _found(self, facet: str, part: Part) -> Iterator[Found]:
        for rule in self._rules(facet):
            yield from self._by(rule, part)

    def _rules(self, facet: str) -> Iterator[DefinitionRule]:
        for rule in RULES_ON.get(facet, ()):
            if self._desk.revision in rule.revisions:
                yield rule

    def _by(self, rule: DefinitionRule, part: Part) -> Iterator[Found]:
        self._desk.decided.add(rule.id)
        if isinstance(part.value, ToolSchema) and rule.id in INSIDE and not part.value.is_all_seen:
            self._desk.leave_open(rule.id, "a schema has too many parts")
        for found in rule.check(part):
            yield replace(found, rule=rule.id, path=(*part.path, *found.path))

    def _told(self, found: Iterator[Found], document: Any, base: Path) -> Iterator[Finding]:
        """The findings in order; of very many the first, and how many more there are."""
        errors, others, unlisted = list[Found](), list[Found](), 0
        for fault in found:
            kept = errors if _is_error(fault) else others
            if len(kept) < MOST_FAULTS:
                kept.append(fault)
            else:
                unlisted += 1
        told = sorted((*errors, *others), key=lambda one: (pointer(one.path), one.rule))
        if unlisted:
            told.append(replace(too_many(unlisted), path=base))
        for fault in filter(self.room.admits, told):
            yield _finding(fault, self._desk.revision, document)


def _is_error(found: Found) -> bool:
    return CATALOGUE[found.rule].severity_of(found.grade) == "error"


def _limit(name: str, value: int, count: int, effect: str) -> Limit:
    return Limit(name=name, value=value, count=count, effect=effect)


def _finding(found: Found, revision: str, document: Any) -> Finding:
    """The finding, known by the tool that it is about."""
    finding = tell(found, revision, value=document)
    tool = name_of(resolve(document, found.path[:2])) if found.path[:1] == ("tools",) else None
    pattern = pointer(tuple("*" if isinstance(step, int) else step for step in found.path))
    identity = fingerprint(found.rule, finding.subject, tool, pattern, found.key)
    return replace(finding, where=Where(tool=tool), fingerprint=identity)
