"""How much a surface takes of a model's attention, and by what it is known again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

import orjson
from msgspec import Struct

from mcp_assay.rules.definitions.surface import Surface, name_of

BYTES_OF_A_TOKEN: Final = 4
"""English text and JSON have about so many bytes a token; no tokenizer is asked."""


class DefinitionSize(Struct, frozen=True, kw_only=True):
    """One definition as compact JSON with sorted members."""

    name: str | None
    bytes: int
    tokens_estimated: int
    sha256: str | None
    """None where the definition is nested too deep to be written."""


class SurfaceSize(Struct, frozen=True, kw_only=True):
    """All that a server lists: tools one by one, the rest counted."""

    bytes: int
    tokens_estimated: int
    sha256: str
    tools: list[DefinitionSize]
    resources: int
    templates: int
    prompts: int


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
    )


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
