"""Whether a list has no more items than the argument allows that limits their number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.behaviour.rule import (
    at,
    behaviour_rule,
    called,
    example,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.text.names import name_words
from mcp_assay.text.words import quote

LIMIT_NAMES: Final = frozenset(
    {
        *(("limit",), ("max", "results"), ("max", "items"), ("max", "entries"), ("max", "count")),
        *(("page", "size"), ("per", "page"), ("result", "limit"), ("row", "limit")),
    }
)
"""The words of arguments that say how many items a result has at most."""
OF_ITEMS: Final = re.compile(
    r"\b(?:max(?:imum)?|at most|how many|number of|limit)\b.{0,40}"
    r"\b(?:results?|items?|entries|records?|rows?|matches)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What a description says of such an argument, if it is about the items of the result."""
OF_PARTS: Final = re.compile(r"\b(?:per|each|every|bytes|characters|tokens|lines)\b", re.IGNORECASE)
"""What makes it the limit of something else."""
LONGEST_READ: Final = 100_000
LEAST_LIMITS: Final = 2
"""So many different limits must be exceeded."""


def _listed(limit: int, items: int, **more: Any) -> dict[str, Any]:
    notes = [{"id": number} for number in range(items)]
    text = orjson.dumps(notes).decode()
    return called({"limit": limit}, result={"content": [{"type": "text", "text": text}]}, **more)


def _described(words: str, *calls: dict[str, Any], pointer: str = "") -> Example:
    schema = {"type": "object", "properties": {"limit": {"type": "integer", "description": words}}}
    tool = {"name": "list_notes", "inputSchema": schema}
    return example(*calls, pointer=pointer, tool=tool)


def _is_list_with_limit(call: Call) -> bool:
    """A call that could have shown too many items."""
    has_limit = any(tuple(name_words(name)) in LIMIT_NAMES for name in call.scenario.arguments)
    return has_limit and call.verdict.succeeded and _items(call) is not None


def _items(call: Call) -> int | None:
    """How many items the one list of a result has; None where there is not exactly one."""
    result = call.answer.result
    if not isinstance(result, dict):
        return None
    value = result.get("structuredContent")
    texts = texts_of(result)
    if value is None and len(texts) == 1 and len(texts[0]) <= LONGEST_READ:
        value = _parsed(texts[0])
    lists = [value] if isinstance(value, list) else _lists_in(value)
    return len(lists[0]) if len(lists) == 1 else None


def _lists_in(value: Any) -> list[list[Any]]:
    members = value.values() if isinstance(value, dict) else ()
    return [member for member in members if isinstance(member, list)]


def _parsed(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


@behaviour_rule(
    "DRIFT-011",
    "more-items-than-asked",
    reason="more_items_than_asked",
    shown_by=_is_list_with_limit,
    least=LEAST_LIMITS,
    good=lambda: [
        example(_listed(1, 1), _listed(2, 2)),
        example(_listed(1, 4), _listed(2, 4)),
        example(_listed(1, 2)),
        example(_listed(1, 2), _listed(2, 3, valid=False)),
        _described("the maximum number of entries per folder", _listed(1, 4), _listed(2, 4)),
    ],
    bad=lambda: [
        example(_listed(1, 2), _listed(2, 3), pointer="/calls/0"),
        _described("how many results at most", _listed(1, 4), _listed(2, 4), pointer="/calls/0"),
    ],
)
def more_items_than_asked(tried: ToolRun) -> Iterator[Found]:
    """A result has more items than the argument allows that limits their number.

    Why: a client that reads page by page sees items twice, and a model gets more than it has room
    for.
    Instead: return no more items than were asked for (off by one: list[:limit]).
    """
    for name in _limiting(tried):
        exceeding = [call for call in tried.calls if _exceeds(call, name)]
        if _is_shown(exceeding, name) or _is_promised(tried.tool, exceeding, name):
            first = exceeding[0]
            limit = first.scenario.arguments[name]
            words = f"returns more items than {quote(name)} allows: {_items(first)} for {limit}"
            yield at(tried, first, sentence(shown(tried), words, of_calls(exceeding, tried)))


def _limiting(tried: ToolRun) -> list[str]:
    """The arguments that limit the number of items, by their names, and of no part of them."""
    names = dict.fromkeys(name for call in tried.calls for name in call.scenario.arguments)
    limiting = [name for name in names if tuple(name_words(name)) in LIMIT_NAMES]
    return [name for name in limiting if not OF_PARTS.search(_description(tried.tool, name))]


def _description(tool: Mapping[str, Any], name: str) -> str:
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    member = properties.get(name) if isinstance(properties, dict) else None
    words = member.get("description") if isinstance(member, dict) else None
    return words[:LONGEST_READ] if isinstance(words, str) else ""


def _exceeds(call: Call, name: str) -> bool:
    limit, items = call.scenario.arguments.get(name), _items(call)
    if isinstance(limit, bool) or not isinstance(limit, int) or items is None:
        return False
    return call.verdict.succeeded and items > limit >= 1


def _is_shown(exceeding: list[Call], name: str) -> bool:
    """Whether a larger limit gave more items, all else equal: so it is their number that it limits.

    A number that stays the same may be that of something else, of which each has so many parts.
    """
    alike: defaultdict[bytes, dict[int, int]] = defaultdict(dict)
    for call in exceeding:
        others = {key: it for key, it in call.scenario.arguments.items() if key != name}
        key = orjson.dumps(others, option=orjson.OPT_SORT_KEYS)
        alike[key][call.scenario.arguments[name]] = _items(call) or 0
    return any(_rises(counts) for counts in alike.values())


def _rises(counts: Mapping[int, int]) -> bool:
    by_limit = [counts[limit] for limit in sorted(counts)]
    return len(by_limit) >= LEAST_LIMITS and by_limit == sorted(set(by_limit))


def _is_promised(tool: Mapping[str, Any], exceeding: list[Call], name: str) -> bool:
    """Whether the description says that it is the number of items, and several limits were not."""
    limits = {call.scenario.arguments[name] for call in exceeding}
    return len(limits) >= LEAST_LIMITS and bool(OF_ITEMS.search(_description(tool, name)))
