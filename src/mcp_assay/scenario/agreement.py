"""Members of arguments that must suit one another: a range and its cells, an edge and nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any, Final

from mcp_assay.scenario.limits import MAX_DEPTH, MAX_MEMBERS
from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_parts, word_set

_ORDERED: Final = (
    *(("min", "max"), ("minimum", "maximum"), ("lower", "upper"), ("low", "high")),
    *(("start", "end"), ("begin", "end"), ("from", "to"), ("first", "last"), ("number", "total")),
    *(("current", "total"), ("step", "total"), ("index", "total"), ("since", "until")),
)
"""Words of two numbers of which the first is not above the second."""
_ENDS: Final = (("source", "target"), ("from", "to"), ("start", "end"), ("src", "dst"))
"""Words of the members by which an edge names what it joins."""
_NAMES: Final = ("id", "key", "name", "label")
"""By what it is named, the first that is there."""
_RANGES: Final = word_set("range cells area")
_CELLS: Final = re.compile(r"(.*!)?\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::.*)?")
_LETTERS: Final = 26


def agreeing(value: Any, depth: int = 0) -> Any:
    """The value, its members changed where they contradict each other."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, list):
        return [agreeing(one, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: agreeing(one, depth + 1) for name, one in value.items()}
    if 1 < len(made) <= MAX_MEMBERS:
        made |= _in_order(made)
        made |= _joined(made)
        made |= _spanned(made)
    return made


def _in_order(made: dict[str, Any]) -> dict[str, Any]:
    """Two numbers, the lower as the first."""
    numbers = {name: one for name, one in made.items() if type(one) in (int, float)}
    words = {name: {*map(singular, name_parts(name))} for name in numbers}
    changed: dict[str, Any] = {}
    for low, high in permutations(islice(numbers, MAX_MEMBERS // 8), 2):
        only_low, only_high = words[low] - words[high], words[high] - words[low]
        is_pair = any(only_low == {first} and only_high == {last} for first, last in _ORDERED)
        if is_pair and numbers[low] > numbers[high]:
            changed |= {low: numbers[high], high: numbers[low]}
    return changed


def _joined(made: dict[str, Any]) -> dict[str, Any]:
    """Edges between nodes that are there."""
    lists = {name: one for name, one in made.items() if _is_of_objects(one)}
    edges = {name: pair for name, one in lists.items() if (pair := _ends_of(one[0]))}
    nodes = [list(_names_of(one)) for name, one in lists.items() if name not in edges]
    names = next((found for found in nodes if found), [])
    if not names:
        return {}
    return {
        name: [{**one, first: names[0], last: names[-1]} for one in lists[name]]
        for name, (first, last) in edges.items()
    }


def _is_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _ends_of(edge: dict[str, Any]) -> tuple[str, str] | None:
    """The two members that are texts and name what an edge joins."""
    texts = {
        name_parts(name)[0]: name for name in edge if name_parts(name) and _is_text(edge[name])
    }
    found = ((texts[one], texts[two]) for one, two in _ENDS if one in texts and two in texts)
    return next(found, None)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _names_of(nodes: list[dict[str, Any]]) -> Iterator[str]:
    for node in nodes:
        yield from islice((node[name] for name in _NAMES if _is_text(node.get(name))), 1)


def _spanned(made: dict[str, Any]) -> dict[str, Any]:
    """A range of cells as large as the rows that are to fill it."""
    rows = next((one for one in made.values() if _is_matrix(one)), None)
    if rows is None:
        return {}
    spanned: dict[str, Any] = {}
    for name, one in made.items():
        cells = _CELLS.fullmatch(one[:MAX_MEMBERS]) if _is_text(one) else None
        if cells and not _RANGES.isdisjoint(name_parts(name)):
            last = _column(_number(cells[2]) + len(rows[0]) - 1)
            start = f"{cells[1] or ''}{cells[2]}{cells[3]}"
            spanned[name] = f"{start}:{last}{int(cells[3]) + len(rows) - 1}"
    return spanned


def _is_matrix(value: Any) -> bool:
    is_rows = isinstance(value, list) and bool(value)
    return is_rows and all(isinstance(row, list) and len(row) == len(value[0]) > 0 for row in value)


def _number(column: str) -> int:
    number = 0
    for letter in column:
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number


def _column(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, _LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters
