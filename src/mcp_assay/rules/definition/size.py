"""How much a surface takes of a model's attention, and by what it is known again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson

from mcp_assay.model.report import Limit
from mcp_assay.model.surface import DefinitionSize, ListedDefinitions, SurfaceSize
from mcp_assay.rules.definition.surface import Surface, name_of
from mcp_assay.text.digests import sha256

BYTES_OF_A_TOKEN: Final = 4
"""English text and JSON have about so many bytes a token; no tokenizer is asked."""
KINDS: Final = ("tools", "resources", "templates", "prompts")
MOST_COUNTED: Final = 4 * 1024 * 1024
"""So many bytes of definitions go into a report whole."""
TOO_LONG: Final = "further definitions were checked but are not included in the report"
TOO_ODD: Final = (
    "definitions that not every JSON parser accepts were checked but are not included in the report"
)


def measure(surface: Surface) -> SurfaceSize:
    """The size of all definitions, and a hash that changes when one does, not with their order."""
    tools = [_measured(tool) for tool in surface.tools]
    others = [_measured(one) for one in (*surface.resources, *surface.templates, *surface.prompts)]
    total = sum(one.bytes for one in (*tools, *others))
    return SurfaceSize(
        bytes=total,
        tokens_estimated=_tokens(total),
        sha256=_digest(sorted(one.sha256 or "" for one in (*tools, *others))),
        tools=tools,
        resources=len(surface.resources),
        templates=len(surface.templates),
        prompts=len(surface.prompts),
        definitions=_definitions(surface),
    )


def _definitions(surface: Surface) -> ListedDefinitions:
    """The definitions as far as a report has room for them."""
    room = MOST_COUNTED

    def fitting(definitions: Sequence[Any]) -> list[Any]:
        nonlocal room
        fit = []
        for definition in definitions:
            size = _plain_size(definition)
            if size is not None and size <= room:
                room -= size
                fit.append(definition)
        return fit

    kept = {name: fitting(getattr(surface, name)) for name in KINDS}
    left_out = sum(len(getattr(surface, name)) - len(kept[name]) for name in KINDS)
    return ListedDefinitions(**kept, left_out=left_out)


def cuts(surface: Surface, size: SurfaceSize) -> list[Limit]:
    """The limits by which definitions are not in a report whole."""
    if not size.definitions.left_out:
        return []
    listed = (one for name in KINDS for one in getattr(surface, name))
    odd = sum(_plain_size(one) is None for one in listed)
    counted = {
        ("definition-bytes", MOST_COUNTED, TOO_LONG): size.definitions.left_out - odd,
        ("odd-definitions", 0, TOO_ODD): odd,
    }
    return [
        Limit(name=name, value=value, count=count, effect=effect)
        for (name, value, effect), count in counted.items()
        if count
    ]


def _plain_size(definition: Any) -> int | None:
    """The size of a definition that every reader of a report can read."""
    try:
        return len(orjson.dumps(definition))
    except TypeError:
        return None


def _measured(definition: Any) -> DefinitionSize:
    text = canonical(definition)
    return DefinitionSize(
        name=name_of(definition),
        bytes=len(text or b""),
        tokens_estimated=_tokens(len(text or b"")),
        sha256=None if text is None else sha256(text).hexdigest(),
    )


def canonical(value: Any) -> bytes | None:
    """The value as compact JSON with sorted members, None where it is nested too deep."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return _odd(value)


def _odd(value: Any) -> bytes | None:
    """What orjson does not write: huge integers, lone surrogates, deep nesting."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    except (RecursionError, ValueError):
        return None
    return text.encode()


def _digest(digests: Iterable[str]) -> str:
    return sha256("\n".join(digests).encode()).hexdigest()


def _tokens(size: int) -> int:
    return -(-size // BYTES_OF_A_TOKEN)
