"""Tools by themselves: their names, their words, their hints and how they run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from unicodedata import normalize

from mcp_assay.rules.definition.rule import (
    DefinitionPart,
    bad_tools,
    definition_rule,
    good_tools,
    tool,
)
from mcp_assay.rules.definition.surface import Surface, name_of
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.changing_verbs import (
    CHANGING_AS_VERBS,
    DESTROYING,
    changing_verb_in,
    is_looking_name,
)
from mcp_assay.text.names import name_words
from mcp_assay.text.words import PHRASES, folded, json_type, listing, quote

LONGEST_TOOL_NAME: Final = 128
NAME_CHARACTERS: Final = "[A-Za-z0-9_.-]+"
HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
BOOLEANS: Final = {"true": "true", "1": "true", "false": "false", "0": "false"}
"""What is written for true and false where a boolean should stand."""
TASK_SUPPORT: Final = ("forbidden", "optional", "required")
INVALID: Final = "invalid_definition"
MAY_MEAN_ELSE: Final = "the name may mean something else"
READS: Final = {"readOnlyHint": True}


@definition_rule(
    "TOOL-001",
    "tool-without-name",
    on="any tool",
    reason=INVALID,
    good=lambda: [good_tools(tool("get_weather"))],
    bad=lambda: [
        bad_tools("/0/name", tool(None)),
        bad_tools("/0/name", tool("")),
        bad_tools("/0/name", tool(7)),
        bad_tools("/0", "get_weather"),
    ],
)
def tool_without_name(part: DefinitionPart) -> Iterator[Found]:
    """A tool has no name, or its name is not a string.

    Why: the tool cannot be called, and many clients drop the whole list.
    Instead: give each tool a name such as get_weather.
    """
    if not isinstance(part.value, dict):
        yield Found((), f"The {part.owner} is {said(part.value)}, not an object.")
    elif "name" not in part.value:
        yield Found(("name",), f"The {part.owner} has no name.")
    elif name_of(part.value) is None:
        name = part.value["name"]
        what = "is empty" if name == "" else f"is {said(name)}, not a string"
        yield Found(("name",), f"The name of the {part.owner} {what}.")


@definition_rule(
    "TOOL-002",
    "tool-name-too-long",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool("a" * LONGEST_TOOL_NAME))],
    bad=lambda: [bad_tools("/0/name", tool("a" * (LONGEST_TOOL_NAME + 1)))],
)
def tool_name_too_long(part: DefinitionPart) -> Iterator[Found]:
    """A tool's name has more than 128 characters.

    Why: clients and models limit the length of names; some truncate the name, others reject the
    tool.
    Instead: use a short name, and put the rest into the description.
    """
    name = name_of(part.value) or ""
    if len(name) > LONGEST_TOOL_NAME:
        text = f"The name of the {part.owner} has {len(name):,} characters, more than 128."
        yield Found(("name",), text)


@definition_rule(
    "TOOL-003",
    "tool-name-characters",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool("admin.get-Weather_2"))],
    bad=lambda: [
        bad_tools("/0/name", tool("get weather")),
        bad_tools("/0/name", tool("weather/get")),
        bad_tools("/0/name", tool("wetter_für")),
    ],
)
def tool_name_characters(part: DefinitionPart) -> Iterator[Found]:
    """A tool's name contains a space or another character that names should not have.

    Why: models expect names of letters, digits, _, - and . and misspell others.
    Instead: use letters, digits, _, - and . only.
    """
    name = name_of(part.value)
    if name and not re.fullmatch(NAME_CHARACTERS, name):
        odd = re.sub(NAME_CHARACTERS, "", name)[:1]
        text = f"The name of the {part.owner} has the character {quote(odd)}."
        yield Found(("name",), text, fix=_renamed(name))


@definition_rule(
    "TOOL-004",
    "tool-name-twice",
    on="surface",
    reason=INVALID,
    good=lambda: [good_tools(tool("get_weather"), tool("get_tide"))],
    bad=lambda: [bad_tools("/1/name", tool("get_weather"), tool("get_weather"))],
)
def tool_name_twice(part: DefinitionPart) -> Iterator[Found]:
    """Two tools have the same name.

    Why: a call reaches only one of them, and which one is undefined.
    Instead: give each tool a unique name, across all pages.
    """
    fix = "Rename all but one of the tools called {}."
    yield from repeated(tool_names(part), "tools", "name", "tools are called", fix)


@definition_rule(
    "TOOL-005",
    "tool-names-differ-in-case",
    on="surface",
    reason=INVALID,
    good=lambda: [good_tools(tool("get_weather"), tool("get_tide"))],
    bad=lambda: [bad_tools("/1/name", tool("getWeather"), tool("getweather"))],
)
def tool_names_differ_in_case(part: DefinitionPart) -> Iterator[Found]:
    """Two tools' names differ only in upper and lower case.

    Why: names are case-sensitive, but people and models mix up names that look alike.
    Instead: use names that differ in more than case.
    """
    first: dict[str, str] = {}
    for index, name in tool_names(part):
        known = first.setdefault(name.casefold(), name)
        if known != name:
            text = f"The tools {quote(known)} and {quote(name)} differ only in case."
            yield Found(("tools", index, "name"), text)


@definition_rule(
    "TOOL-006",
    "tool-without-input-schema",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool(inputSchema={"type": "object", "additionalProperties": False}))],
    bad=lambda: [
        bad_tools("/0/inputSchema", tool(inputSchema=None)),
        bad_tools("/0/inputSchema", tool(inputSchema=True)),
        bad_tools("/0/inputSchema", {**tool(), "inputSchema": None}),
    ],
)
def tool_without_input_schema(part: DefinitionPart) -> Iterator[Found]:
    """A tool has no inputSchema, or one that is not an object.

    Why: clients do not know how to call the tool, and reject it or the whole list.
    Instead: for a tool without arguments send {"type": "object", "additionalProperties": false}.
    """
    if "inputSchema" not in part.value:
        meant = (name for name in part.value if folded(name) == folded("inputSchema"))
        near = next(meant, None)
        fix = f'Rename {quote(near)} to "inputSchema".' if near else None
        yield Found(("inputSchema",), f"The {part.owner} has no inputSchema.", fix=fix)
    elif not isinstance(part.value["inputSchema"], dict):
        seen = said(part.value["inputSchema"])
        yield Found(("inputSchema",), f"The inputSchema of the {part.owner} is {seen}.")


@definition_rule(
    "TOOL-016",
    "tool-without-description",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool(description="Tells the weather of a city"))],
    bad=lambda: [
        bad_tools("/0/description", tool(description=None)),
        bad_tools("/0/description", tool(description=" ")),
    ],
)
def tool_without_description(part: DefinitionPart) -> Iterator[Found]:
    """A tool has no description.

    Why: models choose tools by their description; with the name alone they guess.
    Instead: say in a sentence or two what the tool does and when to use it.
    """
    description = part.value.get("description", "")
    if isinstance(description, str) and not description.strip():
        yield Found(("description",), f"The {part.owner} has no description.")


@definition_rule(
    "TOOL-017",
    "tool-hint-wrong-type",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool(annotations={"title": "Weather", **READS}))],
    bad=lambda: [
        bad_tools("/0/annotations/readOnlyHint", tool(annotations={"readOnlyHint": "true"})),
        bad_tools("/0/annotations/destructiveHint", tool(annotations={"destructiveHint": 0})),
        bad_tools("/0/annotations/title", tool(annotations={"title": 7, "readOnlyHint": True})),
        bad_tools("/0/annotations", tool(annotations=[])),
    ],
)
def tool_hint_wrong_type(part: DefinitionPart) -> Iterator[Found]:
    """A hint is not a boolean, or a title is not a string.

    Why: clients use hints to decide whether to ask the user; they treat invalid ones as false, or
    reject the tool.
    Instead: use true or false without quotes, and omit hints that are not known.
    """
    hints = part.value.get("annotations", {})
    if not isinstance(hints, dict):
        text = f"The annotations of the {part.owner} are {said(hints)}, not an object."
        yield Found(("annotations",), text, fix="Send annotations as an object, or omit them.")
        return
    for name, kind in (*((hint, bool) for hint in HINTS), ("title", str)):
        if name in hints and not isinstance(hints[name], kind):
            wanted = "true or false" if kind is bool else "a string"
            text = f"The {name} of the {part.owner} is {said(hints[name])}, not {wanted}."
            meant = BOOLEANS.get(_written(hints[name])) if kind is bool else None
            fix = f"Send {name} as {meant or wanted}, or omit it."
            yield Found(("annotations", name), text, fix=fix)


OMIT_IDEMPOTENT: Final = "Omit idempotentHint: it is about tools that change something."


@definition_rule(
    "TOOL-018",
    "tool-hints-contradict",
    on="tool",
    reason=INVALID,
    good=lambda: [
        good_tools(tool(annotations={**READS, "destructiveHint": False})),
        good_tools(tool(annotations={"readOnlyHint": False, "idempotentHint": False})),
    ],
    bad=lambda: [
        bad_tools("/0/annotations/destructiveHint", tool(annotations={**READS, HINTS[1]: True})),
        *(
            bad_tools("/0/annotations/idempotentHint", tool(annotations={**READS, HINTS[2]: said}))
            for said in (True, False)
        ),
    ],
)
def tool_hints_contradict(part: DefinitionPart) -> Iterator[Found]:
    """A tool has readOnlyHint: true beside a hint that only tools have which change something.

    Why: some clients call it without asking, others never call it; one of the hints is wrong.
    Instead: set readOnlyHint to false if the tool changes anything; otherwise omit the other hint.
    """
    if _hint(part, "readOnlyHint") is not True:
        return
    if _hint(part, "destructiveHint") is True:
        text = f"The {part.owner} has readOnlyHint and destructiveHint, both true."
        yield Found(("annotations", "destructiveHint"), text)
    repeatable = _hint(part, "idempotentHint")
    if isinstance(repeatable, bool):
        shown = str(repeatable).lower()
        text = f"The {part.owner} has idempotentHint: {shown} beside readOnlyHint: true."
        grade = "idempotentHint true" if repeatable else None
        yield Found(("annotations", "idempotentHint"), text, grade=grade, fix=OMIT_IDEMPOTENT)


@definition_rule(
    "TOOL-026",
    "task-support-unknown",
    on="tool",
    reason=INVALID,
    good=lambda: [good_tools(tool(execution={"taskSupport": "optional"}))],
    bad=lambda: [bad_tools("/0/execution/taskSupport", tool(execution={"taskSupport": "yes"}))],
)
def task_support_unknown(part: DefinitionPart) -> Iterator[Found]:
    """A tool's taskSupport is not forbidden, optional or required.

    Why: a client cannot tell whether it may, or must, run the tool as a task.
    Instead: use forbidden, optional or required, or omit taskSupport.
    """
    execution = part.value.get("execution")
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    if isinstance(execution, dict) and "taskSupport" in execution and support not in TASK_SUPPORT:
        shown = quote(support) if isinstance(support, str) else said(support)
        text = f"The taskSupport of the {part.owner} is {shown}, not {listing(TASK_SUPPORT)}."
        yield Found(("execution", "taskSupport"), text)


@definition_rule(
    "LINT-104",
    "hint-contradicts-name",
    on="tool",
    reason=INVALID,
    good=lambda: [
        good_tools(tool("delete_note", annotations={"readOnlyHint": False})),
        good_tools(tool("get_order", annotations=READS)),
    ],
    bad=lambda: [
        bad_tools("/0/annotations/readOnlyHint", tool("delete_note", annotations=READS)),
        bad_tools("/0/annotations/readOnlyHint", tool("getDeleteLog", annotations=READS)),
        bad_tools(
            "/0/annotations/destructiveHint", tool("purge", annotations={"destructiveHint": False})
        ),
    ],
)
def hint_contradicts_name(part: DefinitionPart) -> Iterator[Found]:
    """A tool's name suggests that it changes something, but its hints say that it does not.

    Why: clients call read-only tools without asking the user; mcp-assay does not call this one.
    Instead: correct the hint, or rename the tool.
    """
    name = name_of(part.value) or ""
    verb = changing_verb_in(name)
    if verb and _hint(part, "readOnlyHint") is True:
        grade = MAY_MEAN_ELSE if verb in CHANGING_AS_VERBS or is_looking_name(name) else None
        text = f"The {part.owner} has readOnlyHint: true, but {quote(verb)} in its name."
        yield Found(("annotations", "readOnlyHint"), text, grade=grade)
        return
    destroying = next((word for word in name_words(name) if word in DESTROYING), None)
    if destroying and _hint(part, "destructiveHint") is False:
        text = f"The {part.owner} has destructiveHint: false, but {quote(destroying)} in its name."
        yield Found(("annotations", "destructiveHint"), text, grade="destructiveHint false")


def said(value: Any) -> str:
    """What kind of value it is, as a sentence says it."""
    return PHRASES.get(json_type(value), "not readable")


def tool_names(part: DefinitionPart) -> Iterator[tuple[int, str]]:
    """The tools of a surface that have a name, by their indexes."""
    surface: Surface = part.value
    for index, value in enumerate(surface.tools):
        if name := name_of(value):
            yield index, name


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value.lower()
    return next((digit for digit in ("0", "1") if value == int(digit)), "")


def _renamed(name: str) -> str | None:
    """How to rename a tool, None where nothing of its name can stay."""
    plain = normalize("NFKD", name[: LONGEST_TOOL_NAME + 1]).encode("ascii", "ignore").decode()
    valid = re.sub(f"(?:(?!{NAME_CHARACTERS}).)+", "_", plain, flags=re.DOTALL).strip("_")
    if not valid or len(name) > LONGEST_TOOL_NAME:
        return None
    return f"Rename {quote(name, LONGEST_TOOL_NAME)} to {quote(valid, LONGEST_TOOL_NAME)}."


def repeated(
    named: Iterator[tuple[int, str]], holder: str, member: str, words: str, fix: str
) -> Iterator[Found]:
    """One fault for each name that several have, at the second of them."""
    known: dict[str, list[int]] = {}
    for index, name in named:
        known.setdefault(name, []).append(index)
    for name, indexes in known.items():
        if len(indexes) > 1:
            text = f"{len(indexes):,} {words} {quote(name)}."
            yield Found((holder, indexes[1], member), text, fix=fix.format(quote(name)))


def _hint(part: DefinitionPart, name: str) -> Any:
    hints = part.value.get("annotations")
    return hints.get(name) if isinstance(hints, dict) else None
