"""Changes that a contract test should notice: of definitions and of answers, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.contracts.conventions import shown
from mcp_assay.wire.pointer import Path, pointer

ADDED: Final = "assay-added"
STRANGE: Final = "assay-strange"
MOST_PLACES: Final = 40
"""So many places of a schema or of answers are changed."""
DEEPEST: Final = 6
OTHER_TYPE: Final[Mapping[str, Any]] = {"string": "integer", "integer": "string"}

Change: TypeAlias = Callable[[Any], Any]
"""Makes a changed copy."""


class Mutation(Struct, frozen=True, kw_only=True):
    """One change of one tool."""

    tool: str
    words: str
    """What changed, in a sentence."""
    definition: Change | None = None
    """Changes the definition; gives None where the tool is gone."""
    answer: Change | None = None
    """Changes the data of an answer that succeeded."""
    success: Change | None = None
    """Changes a whole result that tells no error."""
    error: Change | None = None
    """Changes a whole result that tells an error."""
    rank: int = 2
    """How early it is reported: what is advertised before what is answered."""


Mutations: TypeAlias = Iterator[Mutation]


def definition_mutations(tool: str, definition: Mapping[str, Any]) -> Mutations:
    """The changes of what a tool advertises."""
    yield Mutation(tool=tool, words=f"{tool} is no longer listed.", definition=lambda _: None)
    schema = definition.get("inputSchema")
    for path, part in _objects(schema, ("inputSchema",)):
        for rank, make in enumerate(PARTS):
            for words, change in make(part):
                text = f"In the {pointer(path)} of {tool}, {words}."
                yield Mutation(tool=tool, words=text, definition=_at(path, change), rank=rank)


def answer_mutations(tool: str, samples: list[Any], lists: Mapping[str, Any]) -> Mutations:
    """The changes of what a tool answers; `samples` are data of answers, `lists` known values."""
    seen: dict[Path, Any] = {}
    for sample in samples:
        for path, value in _places(sample, ()):
            seen.setdefault(path, value)
    for path, value in list(seen.items())[:MOST_PLACES]:
        where = f"{pointer(path)!r} in answers of {tool}"
        yield Mutation(tool=tool, words=f"{where} is gone.", answer=_everywhere(path, None), rank=9)
        name = next((step for step in reversed(path) if step != "*"), "")
        if name in lists:
            words = f"{where} contains a value that is not listed."
            yield Mutation(
                tool=tool, words=words, answer=_everywhere(path, lambda _: STRANGE), rank=1
            )
        elif isinstance(value, str | int | float):
            words = f"{where} has a different type."
            yield Mutation(tool=tool, words=words, answer=_everywhere(path, _other_type), rank=9)


def flag_mutations(tool: str, *, has_success: bool, has_error: bool) -> Mutations:
    """The changes of isError."""
    if has_success:
        words = f"{tool} sets isError in successful results."
        yield Mutation(tool=tool, words=words, success=_as_error, rank=1)
    if has_error:
        words = f"{tool} accepts invalid calls."
        yield Mutation(tool=tool, words=words, error=_as_success, rank=1)


def _enum_parts(part: Mapping[str, Any]) -> Iterator[tuple[str, Change]]:
    listed = part.get("enum")
    if isinstance(listed, list) and listed:
        if len(listed) > 1:
            yield f"{shown(listed[-1])} is no longer listed", _with("enum", listed[:-1])
        if all(isinstance(value, str) for value in listed):
            yield f"{ADDED} is listed too", _with("enum", [*listed, ADDED])


def _required_parts(part: Mapping[str, Any]) -> Iterator[tuple[str, Change]]:
    required = part.get("required")
    listed = required if isinstance(required, list) else []
    names = [name for name in listed if isinstance(name, str)]
    for name in names:
        rest = [other for other in names if other != name]
        yield f"{name!r} is no longer required", _with("required", rest)
    properties = part.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        if name not in names:
            yield f"{name!r} is required now", _with("required", [*names, name])


def _type_parts(part: Mapping[str, Any]) -> Iterator[tuple[str, Change]]:
    kind = part.get("type")
    if isinstance(kind, str) and kind in OTHER_TYPE and "enum" not in part:
        other = OTHER_TYPE[kind]
        yield f"the type is {other} in place of {kind}", _with("type", other)


def _member_parts(part: Mapping[str, Any]) -> Iterator[tuple[str, Change]]:
    properties = part.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        yield f"{name!r} is gone", _without_member(name)


PARTS: Final = (_enum_parts, _required_parts, _type_parts, _member_parts)
"""What can change in each object of a schema, the most telling first."""


def _with(key: str, value: Any) -> Change:
    return lambda part: {**part, key: value}


def _without_member(name: str) -> Change:
    def change(part: Any) -> Any:
        properties = {key: it for key, it in part["properties"].items() if key != name}
        required = [one for one in part.get("required", []) if one != name]
        return {**part, "properties": properties, "required": required}

    return change


def _at(path: Path, change: Change) -> Change:
    """The change, made at one place; what is not on the way to it is shared with the original."""

    def changed(value: Any) -> Any:
        return _put(value, path, change)

    return changed


def _put(value: Any, path: Path, change: Change) -> Any:
    if not path:
        return change(value)
    copy = value.copy()
    copy[path[0]] = _put(value[path[0]], path[1:], change)
    return copy


def _objects(schema: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The schemas inside a schema, as far as they describe members and items, itself first."""
    if not isinstance(schema, dict) or len(path) > 2 * DEEPEST:
        return
    yield path, schema
    for key in ("properties", "$defs"):
        named = schema.get(key)
        for name, part in named.items() if isinstance(named, dict) else ():
            yield from _objects(part, (*path, key, name))
    for key in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(key)
        for at, part in enumerate(parts) if isinstance(parts, list) else ():
            yield from _objects(part, (*path, key, at))
    yield from _objects(schema.get("items"), (*path, "items"))


def _places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Every member at every depth; all items of a list are one place."""
    if len(path) > DEEPEST:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            yield (*path, name), member
            yield from _places(member, (*path, name))
    elif isinstance(value, list):
        for item in value:
            yield from _places(item, (*path, "*"))


def _everywhere(path: Path, change: Change | None) -> Change:
    """The change at each place that the path leads to; None takes the member away."""

    def changed(value: Any) -> Any:
        return _changed(value, path, change)

    return changed


def _changed(value: Any, path: Path, change: Change | None) -> Any:
    step, *rest = path
    if step == "*":
        items = value if isinstance(value, list) else []
        return [_changed(item, tuple(rest), change) for item in items]
    if not isinstance(value, dict) or step not in value:
        return value
    copy = dict(value)
    if rest:
        copy[step] = _changed(copy[step], tuple(rest), change)
    elif change is None:
        del copy[step]
    else:
        copy[step] = change(copy[step])
    return copy


def _other_type(value: Any) -> Any:
    return {"assay": STRANGE} if isinstance(value, str) else STRANGE


def _as_error(result: Any) -> Any:
    return {**result, "isError": True}


def _as_success(_: Any) -> Any:
    return {"content": [{"type": "text", "text": "done"}]}
