"""Traces of another format: where the members of a trace line stand in their lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from mcp_assay.intake.spans import value_at
from mcp_assay.intake.trace import REFUSALS, Entry, Members, NotUnderstood, entry_of

FIELDS: Final = tuple(name for name in Members.__struct_fields__ if name != "jsonrpc")
"""The members of a trace line that can be looked for elsewhere."""


class Mapped:
    """Reads lines whose members stand where JSON Pointers say; those not named stand as usual."""

    def __init__(self, pointers: Mapping[str, str]) -> None:
        self._ways: Final = {name: _steps(pointers.get(name, f"/{name}"), name) for name in FIELDS}

    def read(self, line: bytes) -> Entry:
        """The entry that the line holds; raises NotUnderstood where it holds none."""
        try:
            document = msgspec.json.decode(line)
        except REFUSALS:
            raise NotUnderstood("it is not JSON") from None
        values = {name: _value(document, way) for name, way in self._ways.items()}
        if values["dir"] is UNSET:
            raise NotUnderstood(f"nothing stands at /{'/'.join(self._ways['dir'])}, where dir is")
        if values["message"] is not UNSET:
            values["message"] = self._exact_message(line, values["message"])
        return entry_of(Members(**values))

    def holder(self, member: bytes) -> tuple[bytes, ...]:
        """The way to what stands in place of a member."""
        return tuple(step.encode() for step in self._ways[member.decode()])

    def _exact_message(self, line: bytes, value: object) -> Raw:
        span = value_at(line.lstrip(), self.holder(b"message"))
        return Raw(line.lstrip()[slice(*span)] if span else msgspec.json.encode(value))


def require_pointers(pointers: Mapping[str, str]) -> None:
    """Raise ValueError for the first name that is no member, or text that is no JSON Pointer."""
    for name, pointer in pointers.items():
        if name not in FIELDS:
            raise ValueError(f"there is no member {name!r}; choose one of {', '.join(FIELDS)}")
        _steps(pointer, name)


def _steps(pointer: str, name: str) -> tuple[str, ...]:
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r}, for {name}, is no JSON Pointer; it begins with a slash")
    steps = pointer[1:].split("/")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def _value(document: Any, way: tuple[str, ...]) -> Any:
    """What stands at the end of the way, UNSET where it leads nowhere."""
    for step in way:
        if isinstance(document, dict):
            document = document.get(step, UNSET)
        elif isinstance(document, list) and step.isdecimal() and int(step) < len(document):
            document = document[int(step)]
        else:
            return UNSET
    return document
