"""How deep a value may be for all that walks, compares, copies or writes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

DEEPEST: Final = 210
"""Levels of a message that are kept. Schemas and answers are refused at fewer, so what is cut is
never judged; and whoever walks so many in Python or C does not come to the end of the stack."""
CUT: Final = True
"""Stands for what is nested deeper: as a schema it allows everything, as a value it says nothing.
"""


def cut_depths(value: Any, text: bytes, deepest: int = DEEPEST) -> bool:
    """Cut in place what is nested deeper than so many levels; give whether anything was.

    `text` is what the value was read from: few brackets cannot be nested deeply.
    """
    if text.count(b"[") + text.count(b"{") <= deepest:
        return False
    level = [value]
    for _ in range(deepest - 1):
        level = [it for one in level for it in _members(one) if isinstance(it, dict | list)]
        if not level:
            return False
    return any([_cut(one) for one in level])  # noqa: C419  all of them are cut


def _members(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _cut(container: Any) -> bool:
    """Cut what stands in an object or array, if it is one."""
    places = container.items() if isinstance(container, dict) else enumerate(container)
    deep = [place for place, it in places if isinstance(it, dict | list)]
    for place in deep:
        container[place] = CUT
    return bool(deep)
