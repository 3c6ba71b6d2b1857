"""What the tables of the specification say about definitions, besides the rules about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from mcp_assay.model.finding import Finding
from mcp_assay.rules.definitions.definition import definitions
from mcp_assay.rules.definitions.judging import MOST_DEFINITIONS, Room
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.rules.faults import Faults
from mcp_assay.rules.reach import OF_OBJECTS, of_type
from mcp_assay.rules.telling import tell
from mcp_assay.rules.walk import Ground, walker
from mcp_assay.spec.catalogue import CATALOGUE, applies
from mcp_assay.spec.shape import Use
from mcp_assay.wire.pointer import pointer

SHAPES: Final = {
    "tools": Use("Tool"),
    "resources": Use("Resource"),
    "resourceTemplates": Use("ResourceTemplate"),
    "prompts": Use("Prompt"),
}
"""The shape of what is in each list."""
PART_RULE: Final = "SCHEMA-002"


def misshapen(
    surface: Surface, revision: str, told: Collection[str], room: Room
) -> Iterator[Finding]:
    """What does not fit its shape, where nothing was told of that place already."""
    document = {name: list(listed) for name, listed in surface.lists().items()}
    for name, index, definition in definitions(surface, MOST_DEFINITIONS):
        faults = Faults(revision)
        walker(SHAPES[name], None, Ground(revision, PART_RULE))(definition, (name, index), faults)
        for fault in faults:
            if pointer(fault.path) not in told and room.admits(fault):
                yield tell(fault, revision, value=document, direction="s2c")


def shape_rules(surface: Surface, revision: str) -> frozenset[str]:
    """The rules that the shapes of what is listed decide."""
    listed = [SHAPES[name] for name, definitions in surface.lists().items() if definitions]
    named = {PART_RULE, *OF_OBJECTS}.union(*(of_type(shape, revision) for shape in listed))
    whole = (rule for rule in named if not CATALOGUE[rule].open_part)
    return frozenset(rule for rule in whole if applies(rule, revision))
