"""A list, page by page, up to its end or to a bound."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_assay.client.negotiation import ended_words
from mcp_assay.client.response import Kind, Response, ServerList
from mcp_assay.client.target import Bounds
from mcp_assay.wire.values import quoted

Ask: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[Response]]

METHODS: Final[Mapping[Kind, tuple[str, str, str]]] = {
    "tools": ("tools/list", "tools", "tools"),
    "resources": ("resources/list", "resources", "resources"),
    "templates": ("resources/templates/list", "resourceTemplates", "resources"),
    "prompts": ("prompts/list", "prompts", "prompts"),
}
"""The method that lists each kind, the member with the items, the capability that it needs."""
NO_LIST: Final = "the result contains no list"
TOO_SLOW: Final = "the request timed out; raise --timeout"


class Cut(NamedTuple):
    """Why a list was not followed to its end; `limit` where a limit of ours did it."""

    why: str
    limit: str | None = None
    value: int = 0


class Walk:
    """A list under way."""

    def __init__(self, kind: Kind, bounds: Bounds) -> None:
        self.items: Final[list[Any]] = []
        self.answers: Final[list[Response]] = []
        self._member: Final = METHODS[kind][1]
        self._bounds: Final = bounds
        self._cursors: Final[set[str]] = set()
        self._size = 0

    def take(self, answer: Response) -> str | None:
        """Take the answer with the next page; give the cursor that leads on."""
        self.answers.append(answer)
        self._size += len(answer.response or b"")
        if not answer.is_result:
            return None
        page, cursor = answer.result.get(self._member), answer.result.get("nextCursor")
        self.items.extend(page if isinstance(page, list) else ())
        return cursor if isinstance(cursor, str) else None

    def cut(self, cursor: str | None) -> Cut | None:
        """Why the list is not followed any further, None where it is or where it has ended."""
        last = self.answers[-1]
        if last.unread:
            why = f"a page of {last.unread:,} bytes was too long to decode"
            return Cut(why, "undecoded-pages", self._bounds.decoded_bytes)
        if not last.is_result:
            return Cut(f"page {len(self.answers)} could not be fetched: {_why(last)}")
        return self._too_much() or (None if cursor is None else self._too_far(cursor))

    def _too_much(self) -> Cut | None:
        if len(self.items) > self._bounds.items:
            most = self._bounds.items
            return Cut(f"it has more than {most:,} items", "list-items", most)
        if self._size > self._bounds.list_bytes:
            return Cut("its pages are too long", "list-bytes", self._bounds.list_bytes)
        return None

    def _too_far(self, cursor: str) -> Cut | None:
        if cursor in self._cursors:
            why = f"page {len(self.answers)} loops back to an earlier page"
            return Cut(why, "list-loops", 1)
        self._cursors.add(cursor)
        if len(self.answers) >= self._bounds.pages:
            most = self._bounds.pages
            return Cut(f"it has more than {most:,} pages", "list-pages", most)
        return None


def _why(answer: Response) -> str:
    """Why an answer holds no page, in the server's words where it has said some."""
    if answer.exit is not None:
        return " ".join(ended_words(answer.exit).split())
    if answer.ending == "timed_out":
        return answer.detail or TOO_SLOW
    if answer.ending != "answered":
        return f"the server {answer.what_it_did}"
    if answer.code is None:
        return NO_LIST
    said = answer.error.get("message")
    words = f", {quoted(said.strip())}" if isinstance(said, str) and said.strip() else ""
    return f"the server returned error {answer.code}{words}"


async def list_all(kind: Kind, ask: Ask, bounds: Bounds) -> tuple[ServerList, Cut | None]:
    """All items of a kind; an empty cursor is a cursor, one that was there before ends it."""
    walk, params = Walk(kind, bounds), dict[str, Any]()
    while True:
        cursor = walk.take(await ask(METHODS[kind][0], params))
        cut = walk.cut(cursor)
        if cut or cursor is None:
            items = walk.items[: bounds.items]
            why = cut.why if cut else None
            return ServerList(kind=kind, items=items, answers=walk.answers, cut=why), cut
        params = {"cursor": cursor}
