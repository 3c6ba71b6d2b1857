"""A server whose tools never show that they work, each for another reason; and some that do."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import path
from typing import Final

ROOT: Final = path.dirname(path.dirname(path.dirname(path.realpath(__file__))))
if __name__ == "__main__":
    sys.path[0] = ROOT

from tests.servers.base import Fault, Server  # noqa: E402  the path is set above
from tests.servers.things import Object, Tool, accepts, refusal, text  # noqa: E402

WORDS: Final = {"type": "string"}
MODE: Final = {"enum": ["short", "long"]}
ON: Final = {"type": "boolean"}


def refuse(given: Object) -> Object:
    return refusal(f"No book is called {given.get('title')!r}; try another title")


def forbid(given: Object) -> Object:
    return refusal("Only the librarian may do that")


def fail_inside(given: Object) -> Object:
    raise Fault(-32603, "Internal error")


def lack_network(given: Object) -> Object:
    return refusal("connect ECONNREFUSED 192.0.2.1:443")


def report_unflagged(given: Object) -> Object:
    return text("Error: no such book")


def report_flagged(given: Object) -> Object:
    return {**text('{"success": true, "pages": 3}'), "isError": True}


def promise(given: Object) -> Object:
    return text("This tool is not implemented yet.")


def repeat(given: Object) -> Object:
    return text(f"Found {given.get('title')}")


IMPOSSIBLE: Final = {
    "type": "object",
    "properties": {"title": {"type": "string", "enum": [1, 2]}},
    "required": ["title"],
}
TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        Tool("find_by_title", refuse, accepts("title", title=WORDS)),
        Tool("find_by_titles", refuse, accepts("title", title=WORDS, mode=MODE)),
        Tool("count_books", lambda given: refusal("You must log in to the desk first")),
        Tool("list_books", forbid, accepts("mode", mode=MODE)),
        Tool("list_shelves", forbid, accepts(full=ON)),
        Tool("read_impossible", refuse, IMPOSSIBLE),
        Tool("read_inside", fail_inside, accepts("title", title=WORDS)),
        Tool("read_remote", lack_network, accepts("title", title=WORDS)),
        Tool("read_unflagged", report_unflagged, accepts("title", title=WORDS)),
        Tool("read_flagged", report_flagged, accepts("title", title=WORDS)),
        Tool("read_promise", promise, accepts("title", title=WORDS)),
        Tool("read_aloud", repeat, accepts("title", title=WORDS)),
        Tool("read_twice", refuse, accepts("title", title=WORDS)),
    )
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(Server(*TOOLS.values(), TOOLS["read_twice"]).run())
