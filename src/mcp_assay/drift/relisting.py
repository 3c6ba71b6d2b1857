"""A list of tools, before calls and after them -> what is other now, and whether calls go by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.drift.definitions import SCHEMAS
from mcp_assay.drift.schemas import differences
from mcp_assay.rules.behaviour.relisting import Relisted

HINTS: Final = "annotations"
TITLE: Final = "title"
"""The one hint that is only a text for people."""


def relisted(before: Mapping[str, Any], after: Mapping[str, Any]) -> Relisted:
    """How tools differ, by their names; their order and that of what they list means nothing."""
    kept = [name for name in before if name in after]
    changes = {name: dict(_changes(before[name], after[name])) for name in kept}
    binding = {name: [it for it in found if found[it]] for name, found in changes.items()}
    return Relisted(
        gone=[name for name in before if name not in after],
        new=[name for name in after if name not in before],
        other={name: members for name, members in binding.items() if members},
        reworded=[name for name, found in changes.items() if found and not binding[name]],
    )


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """The members that differ, and whether calls go by what differs in them."""
    for member in sorted(old.keys() | new.keys()):
        before, now = old.get(member), new.get(member)
        if before == now:
            continue
        if member in SCHEMAS:
            directions = {one.direction for one in differences(before, now)}
            if directions:
                yield member, directions != {"words"}
        elif member == HINTS:
            yield member, _hints(before) != _hints(now)
        else:
            yield member, False


def _hints(annotations: Any) -> Any:
    if not isinstance(annotations, Mapping):
        return annotations
    return {name: value for name, value in annotations.items() if name != TITLE}
