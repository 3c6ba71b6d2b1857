"""How a rule about definitions is written, and the parts of a surface that rules look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.rules.definition.surface import LISTS, Surface, name_of
from mcp_assay.rules.definition.tool_schema import Stamina, ToolSchema
from mcp_assay.rules.engine.rule import Example, Examples, Found, register
from mcp_assay.rules.engine.samples import bad, good
from mcp_assay.schema.checker import Schemas
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.words import quote
from mcp_assay.wire.pointer import Path, pointer

Facet: TypeAlias = Literal[
    "surface",
    "any tool",
    "tool",
    "schema",
    "inputSchema",
    "outputSchema",
    "any outputSchema",
    "icon",
    "any resource",
    "resource",
    "resourceTemplate",
    "prompt",
]
"""What a rule looks at: all lists, one definition, a schema of a tool, or an icon of anything."""

FACETS: Final = {
    "tools": ("any tool", "tool"),
    "resources": ("any resource", "resource"),
    "resourceTemplates": ("any resource", "resourceTemplate"),
    "prompts": ("any prompt", "prompt"),
}
"""How the entries of each list are looked at: whatever they are, and where they are objects."""

SCHEMAS: Final = ("inputSchema", "outputSchema")


class Desk:
    """Where a surface is judged: by which revision, with which schemas, and what stays open."""

    def __init__(self, revision: str, schemas: Schemas) -> None:
        self.revision: Final = revision
        self.schemas: Final = schemas
        self.stamina: Final = Stamina()
        self.decided: Final = set[str]()
        self.left_open: Final = Counter[tuple[str, str]]()

    def leave_open(self, rule: str, reason: str) -> None:
        """Note that a rule could not be judged somewhere, and why."""
        self.left_open[rule, reason] += 1


class DefinitionPart(Struct, frozen=True):
    """A part of a surface, and where in it the part stands."""

    value: Any
    path: Path
    desk: Desk
    owner: str = ""
    """What the definition is called in a sentence."""

    @property
    def revision(self) -> str:
        """The revision that is judged by."""
        return self.desk.revision


Check: TypeAlias = Callable[[DefinitionPart], Iterator[Found]]


class DefinitionRule(Struct, frozen=True):
    """A rule about definitions: its id, its revisions and its predicate."""

    id: str
    revisions: frozenset[str]
    check: Check


RULES_ON: Final[dict[str, list[DefinitionRule]]] = {}
"""The rules about definitions by what they look at."""


def definition_rule(
    id: str,
    name: str,
    *,
    on: Facet,
    reason: str,
    good: Examples,
    bad: Examples,
    revisions: tuple[str, ...] = (),
) -> Callable[[Check], Check]:
    """Register a predicate on a part of a surface; its docstring holds the words for people.

    A predicate gives paths seen from its part. `revisions` are those of the catalogue, unless a
    grade of the rule reaches further.
    """

    def decorate(check: Check) -> Check:
        words = check.__doc__ or ""
        register(id, name, words, subject="definition", reason=reason, good=good, bad=bad)
        known = frozenset(revisions or CATALOGUE[id].revisions)
        RULES_ON.setdefault(on, []).append(DefinitionRule(id, known, check))
        return check

    return decorate


def definitions(surface: Surface, most: int) -> Iterator[tuple[str, int, Any]]:
    """Every definition, with the name of its list and its index; of each list the first ones."""
    for name, listed in surface.lists().items():
        for index, definition in enumerate(listed[:most]):
            yield name, index, definition


def parts(
    name: str, index: int, definition: Any, desk: Desk
) -> Iterator[tuple[str, DefinitionPart]]:
    """A definition and everything in it that rules look at, each with its facet."""
    path: Path = (name, index)
    owner = _owner(name, index, definition)
    whatever, proper = FACETS[name]
    yield whatever, DefinitionPart(definition, path, desk, owner)
    if not isinstance(definition, dict):
        return
    yield proper, DefinitionPart(definition, path, desk, owner)
    if name == "tools":
        yield from _schemas(definition, path, desk, owner)
    icons = definition.get("icons")
    for number, icon in enumerate(icons if isinstance(icons, list) else ()):
        if isinstance(icon, dict):
            yield "icon", DefinitionPart(icon, (*path, "icons", number), desk, owner)


def _schemas(tool: Any, path: Path, desk: Desk, owner: str) -> Iterator[tuple[str, DefinitionPart]]:
    for keyword in SCHEMAS:
        if keyword not in tool:
            continue
        schema = tool[keyword]
        if not isinstance(schema, dict):
            yield f"any {keyword}", DefinitionPart(schema, (*path, keyword), desk, owner)
            continue
        value = ToolSchema(keyword, schema, desk.schemas, desk.stamina)
        part = DefinitionPart(value, (*path, keyword), desk, owner)
        for facet in (f"any {keyword}", "schema", keyword):
            yield facet, part


def _owner(name: str, index: int, definition: Any) -> str:
    """What a definition is called in a sentence."""
    known = name_of(definition)
    return f"{LISTS[name]} {quote(known) if known else 'at ' + pointer((name, index))}"


CITY = {"type": "string", "description": "A city"}


def tool(name: Any = "get_weather", /, **members: Any) -> dict[str, Any]:
    """A tool, well defined but for what is given; None leaves a member out."""
    usual = {
        "name": name,
        "description": f"Does what {name} says",
        "inputSchema": inputs(city=CITY),
        "annotations": {"openWorldHint": True},
    }
    return {key: value for key, value in {**usual, **members}.items() if value is not None}


def inputs(**properties: Any) -> dict[str, Any]:
    """An inputSchema with these properties."""
    described = {
        name: {"description": "What it is", **schema} if isinstance(schema, dict) else schema
        for name, schema in properties.items()
    }
    return {"type": "object", "properties": described}


def taking(**properties: Any) -> dict[str, Any]:
    """A tool that takes these arguments."""
    return tool(inputSchema=inputs(**properties))


def resource(uri: Any = "notes://7", /, **members: Any) -> dict[str, Any]:
    """A resource, well defined but for what is given; None leaves a member out."""
    usual = {"uri": uri, "name": "note-7"}
    return {key: value for key, value in {**usual, **members}.items() if value is not None}


def good_tools(*tools: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Tools about which mcp-assay has nothing to say."""
    return good({"tools": list(tools)}, revision=revision)


def bad_tools(
    pointer: str,
    *tools: Any,
    revision: str = DEFAULT_REVISION,
    also: tuple[tuple[str, str], ...] = (),
) -> Example:
    """Tools that break the rule at `pointer`, seen from their list."""
    return bad({"tools": list(tools)}, f"/tools{pointer}", revision=revision, also=also)


def good_resources(*resources: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Resources about which mcp-assay has nothing to say."""
    return good({"resources": list(resources)}, revision=revision)


def bad_resources(pointer: str, *resources: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Resources that break the rule at `pointer`, seen from their list."""
    return bad({"resources": list(resources)}, f"/resources{pointer}", revision=revision)
