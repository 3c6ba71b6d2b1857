"""A list, page by page, up to its end or to a bound."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_assay.drive.answer import Answer, Kind, Listing
from mcp_assay.drive.target import Bounds

Ask: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[Answer]]

METHODS: Final[Mapping[Kind, tuple[str, str, str]]] = {
    "tools": ("tools/list", "tools", "tools"),
    "resources": ("resources/list", "resources", "resources"),
    "templates": ("resources/templates/list", "resourceTemplates", "resources"),
    "prompts": ("prompts/list", "prompts", "prompts"),
}
"""The method that lists each kind, the member with the items, the capability that it needs."""


class Cut(NamedTuple):
    """Why a list was not followed to its end; `limit` where a limit of ours did it."""

    why: str
    limit: str | None = None
    value: int = 0


async def list_all(kind: Kind, ask: Ask, bounds: Bounds) -> tuple[Listing, Cut | None]:
    """All items of a kind; an empty cursor is a cursor, one that was there before ends it."""
    method, member, _ = METHODS[kind]
    items: list[Any] = []
    answers: list[Answer] = []
    cursors: set[str] = set()
    params: dict[str, Any] = {}
    while True:
        answer = await ask(method, params)
        answers.append(answer)
        page = answer.result.get(member) if answer.is_result else None
        items += page if isinstance(page, list) else ()
        cursor = answer.result.get("nextCursor") if answer.is_result else None
        cut = _cut(answer, answers, items, cursor, cursors, bounds)
        if cut or not isinstance(cursor, str):
            kept = items[: bounds.items]
            return Listing(kind=kind, items=kept, answers=answers, cut=cut and cut.why), cut
        cursors.add(cursor)
        params = {"cursor": cursor}


def _cut(
    answer: Answer,
    answers: list[Answer],
    items: list[Any],
    cursor: object,
    cursors: set[str],
    bounds: Bounds,
) -> Cut | None:
    """Why the list is not followed any further, None where it is or where it has ended."""
    size = sum(len(one.response or b"") for one in answers)
    if answer.unread:
        why = f"a page of {answer.unread:,} bytes was too long to be decoded"
        return Cut(why, "undecoded-pages", bounds.decoded_bytes)
    if not answer.is_result:
        return Cut(answer.why or f"page {len(answers)} did not come: {answer.ending}")
    if len(items) > bounds.items:
        return Cut(f"it has more than {bounds.items:,} items", "list-items", bounds.items)
    if size > bounds.list_bytes:
        return Cut("its pages are too long", "list-bytes", bounds.list_bytes)
    if isinstance(cursor, str) and cursor in cursors:
        return Cut(f"page {len(answers)} leads back to a page that was there before")
    if isinstance(cursor, str) and len(answers) >= bounds.pages:
        return Cut(f"it has more than {bounds.pages:,} pages", "list-pages", bounds.pages)
    return None
