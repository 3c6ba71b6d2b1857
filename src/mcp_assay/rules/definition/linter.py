"""A surface -> findings: each definition by shapes and rules, then all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.own_fault import OnFault, surviving
from mcp_assay.model.report import Limit
from mcp_assay.rules import load
from mcp_assay.rules.definition.rule import (
    RULES_ON,
    DefinitionPart,
    DefinitionRule,
    Desk,
    definitions,
    parts,
)
from mcp_assay.rules.definition.surface import LISTS, Surface, name_of
from mcp_assay.rules.definition.tool_schema import ToolSchema
from mcp_assay.rules.engine.decided import OF_OBJECTS, of_type
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.findings import fingerprint, to_finding
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.slow import too_many
from mcp_assay.rules.engine.walk import ShapeContext, walker
from mcp_assay.schema.checker import Schemas, Worker
from mcp_assay.spec.catalogue import CATALOGUE, applies
from mcp_assay.spec.revisions import DEFAULT_REVISION, require_revision
from mcp_assay.spec.shape import Use
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
    "LINT-106": "tools",
    "LINT-108": "tools",
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


class FindingBudget:
    """How many more findings are made; those for which there is no room are counted."""

    def __init__(self, most: int = MOST_FINDINGS) -> None:
        self._left: Final = {True: most, False: most}
        self.refused = 0

    def try_admit(self, fault: Found) -> bool:
        """Take room for one more fault; tell whether there was any."""
        is_error = _is_error(fault)
        self._left[is_error] -= 1
        self.refused += self._left[is_error] < 0
        return self._left[is_error] >= 0


class Linter:
    """Judges surfaces, and remembers which rules were decided and which could not be.

    The prepared `schemas` may be those of a run that also uses them for something else.
    """

    def __init__(
        self,
        revision: str = DEFAULT_REVISION,
        worker: Worker | None = None,
        on_fault: OnFault | None = None,
        *,
        schemas: Schemas | None = None,
    ) -> None:
        load("definition")
        self._on_fault: Final = on_fault
        self._desk: Final = Desk(require_revision(revision), schemas or Schemas(worker))
        self.room: Final = FindingBudget()
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
            _limit(name, MOST_DEFINITIONS, more, f"further {LISTS[name]}s were not checked")
            for name, more in self._beyond.items()
        ]
        if self.room.refused:
            effect = "further findings about definitions were not reported"
            cut.append(_limit("definition-findings", MOST_FINDINGS, self.room.refused, effect))
        return cut

    def findings(self, surface: Surface) -> Iterator[Finding]:
        """What there is to say, definition by definition, and then about all together."""
        yield from self.findings_of_each(surface)
        yield from self.findings_together(surface)

    def findings_of_each(self, surface: Surface) -> Iterator[Finding]:
        """What there is to say about definitions, each by itself."""
        for name, listed in surface.lists().items():
            if len(listed) > MOST_DEFINITIONS:
                self._beyond[name] += len(listed) - MOST_DEFINITIONS
        document = _document(surface)
        for name, index, definition in definitions(surface, MOST_DEFINITIONS):
            found = self._in_definition(name, index, definition)
            yield from self._reported(found, document, (name, index))

    def findings_together(self, surface: Surface, earlier: int = 0) -> Iterator[Finding]:
        """What there is to say about all definitions together.

        Of a list that comes in pages, what concerns only the first `earlier` definitions was said
        before; places are those in the page that begins after them.
        """
        page = {name: listed[earlier:] for name, listed in _document(surface).items()}
        yield from self._reported(_after(self._in_surface(surface), earlier), page, ())

    def _in_definition(self, name: str, index: int, definition: Any) -> Iterator[Found]:
        for facet, part in parts(name, index, definition, self._desk):
            yield from self._found(facet, part)

    def _in_surface(self, surface: Surface) -> Iterator[Found]:
        part = DefinitionPart(surface, (), self._desk)
        for rule in self._rules("surface"):
            name = TOGETHER[rule.id]
            if not surface.lists()[name]:
                continue
            if name in surface.unfinished:
                self._desk.leave_open(rule.id, "the list has more pages")
            yield from self._by(rule, part)

    def _found(self, facet: str, part: DefinitionPart) -> Iterator[Found]:
        for rule in self._rules(facet):
            yield from self._by(rule, part)

    def _rules(self, facet: str) -> Iterator[DefinitionRule]:
        for rule in RULES_ON.get(facet, ()):
            if self._desk.revision in rule.revisions:
                yield rule

    def _by(self, rule: DefinitionRule, part: DefinitionPart) -> Iterator[Found]:
        self._desk.decided.add(rule.id)
        if isinstance(part.value, ToolSchema) and rule.id in INSIDE and not part.value.is_all_seen:
            self._desk.leave_open(rule.id, "a schema has too many parts")
        for found in surviving(f"rule {rule.id}", self._on_fault, rule.check, part):
            yield replace(found, rule=rule.id, path=(*part.path, *found.path))

    def _reported(self, found: Iterator[Found], document: Any, base: Path) -> Iterator[Finding]:
        """The findings in order; of very many the first, and how many more there are."""
        errors, others, unlisted = list[Found](), list[Found](), 0
        for fault in found:
            kept = errors if _is_error(fault) else others
            if len(kept) < MOST_FAULTS:
                kept.append(fault)
            else:
                unlisted += 1
        reported = sorted((*errors, *others), key=lambda one: (pointer(one.path), one.rule))
        if unlisted:
            reported.append(replace(too_many(unlisted), path=base))
        for fault in filter(self.room.try_admit, reported):
            yield _finding(fault, self._desk.revision, document)


def _document(surface: Surface) -> dict[str, list[Any]]:
    return {name: list(listed) for name, listed in surface.lists().items()}


def _after(found: Iterator[Found], earlier: int) -> Iterator[Found]:
    """The faults of definitions behind the first ones, counted from there."""
    for fault in found:
        holder, index, *rest = fault.path
        if isinstance(index, int) and index >= earlier:
            yield replace(fault, path=(holder, index - earlier, *rest)) if earlier else fault


def _is_error(found: Found) -> bool:
    return CATALOGUE[found.rule].severity_of(found.grade) == "error"


def _limit(name: str, value: int, count: int, effect: str) -> Limit:
    return Limit(name=name, value=value, count=count, effect=effect)


def _finding(found: Found, revision: str, document: Any) -> Finding:
    """The finding, known by the tool that it is about."""
    finding = to_finding(found, revision, value=document)
    tool = name_of(resolve(document, found.path[:2])) if found.path[:1] == ("tools",) else None
    pattern = pointer(tuple("*" if isinstance(step, int) else step for step in found.path))
    identity = fingerprint(found.rule, finding.subject, tool, pattern, found.key)
    return replace(finding, where=Where(tool=tool), fingerprint=identity)


SHAPES: Final = {
    "tools": Use("Tool"),
    "resources": Use("Resource"),
    "resourceTemplates": Use("ResourceTemplate"),
    "prompts": Use("Prompt"),
}
"""The shape of what is in each list."""
PART_RULE: Final = "SCHEMA-002"


def misshapen(
    surface: Surface, revision: str, reported: Collection[str], room: FindingBudget
) -> Iterator[Finding]:
    """What does not fit its shape, where nothing was reported that place already."""
    document = _document(surface)
    for name, index, definition in definitions(surface, MOST_DEFINITIONS):
        faults = Faults(revision)
        walker(SHAPES[name], None, ShapeContext(revision, PART_RULE))(
            definition, (name, index), faults
        )
        for fault in faults:
            if pointer(fault.path) not in reported and room.try_admit(fault):
                yield to_finding(fault, revision, value=document, direction="s2c")


def shape_rules(surface: Surface, revision: str) -> frozenset[str]:
    """The rules that the shapes of what is listed decide."""
    listed = [SHAPES[name] for name, definitions in surface.lists().items() if definitions]
    named = {PART_RULE, *OF_OBJECTS}.union(*(of_type(shape, revision) for shape in listed))
    whole = (rule for rule in named if not CATALOGUE[rule].open_part)
    return frozenset(rule for rule in whole if applies(rule, revision))
