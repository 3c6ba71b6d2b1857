"""One small server for the cases of this folder: `python tests/truth/small_server.py NAME`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from os import path
from typing import Final

ROOT: Final = path.dirname(path.dirname(path.dirname(path.realpath(__file__))))
if __name__ == "__main__":
    sys.path[0] = ROOT

from tests.servers.base import WRONG_PARAMS, Asked, Fault, Server  # noqa: E402  the path is set above
from tests.servers.things import Object, Tool, refusal, text  # noqa: E402

NOT_BASE64: Final = {"type": "image", "data": "%%%", "mimeType": "image/png"}


def block(**members: object) -> Callable[[Object], Object]:
    """A tool that answers with one block."""
    return lambda given: {"content": [dict(members)]}


def pictures(*faulty: str) -> Callable[[], Server]:
    """Two tools that read, some of which give a picture that is not base64."""

    def make() -> Server:
        return Server(
            *(
                Tool(name, block(**NOT_BASE64) if name in faulty else lambda given: text("Emma"))
                for name in ("read_cover", "read_map")
            )
        )

    return make


class OddMeta(Server):
    """A server that puts a list where `_meta` is, in results of calls or only where it refuses."""

    always = True

    def call_tool(self, asked: Asked) -> Object:
        try:
            result = super().call_tool(asked)
        except Fault as fault:
            return {**refusal(str(fault)), "_meta": []}
        return {**result, "_meta": []} if self.always else result


def odd_meta(*, always: bool) -> Callable[[], Server]:
    """Two tools that read, of a server with odd `_meta`."""
    names = ("read_cover", "read_map")
    return lambda: OddMeta(*(Tool(it, lambda given: text("Emma")) for it in names), always=always)


def telling(*words: str) -> Callable[[], Server]:
    """A tool that says these words, with variables of its environment in place of $NAME."""
    return lambda: Server(
        Tool("read_notes", lambda given: text(*(path.expandvars(each) for each in words)))
    )


MODES: Final = ("title", "author", "shelf")


def conditional() -> Server:
    """A tool whose arguments depend on one of them; what does not fit is refused with the list."""
    schema = {
        "type": "object",
        "properties": {
            "mode": {"type": "string", "enum": list(MODES)},
            "number": {"type": "integer"},
        },
        "required": ["mode"],
        "additionalProperties": False,
        "if": {"properties": {"mode": {"const": "shelf"}}},
        "then": {"required": ["number"]},
    }

    def find(given: Object) -> Object:
        mode, number = given.get("mode"), given.get("number")
        if mode not in MODES:
            raise Fault(WRONG_PARAMS, f"mode must be one of: {', '.join(MODES)}")
        if set(given) - {"mode", "number"} or ("number" in given and type(number) is not int):
            raise Fault(WRONG_PARAMS, "number must be an integer, and nothing else may be there")
        if mode == "shelf" and number is None:
            raise Fault(WRONG_PARAMS, "number is required with the mode shelf")
        return text(f"Sorted by {mode} {number}")

    return Server(Tool("find_sorted", find, schema, {"mode": "title"}, unchecked=("if",)))


def sorting(named: tuple[str, ...], taken: tuple[str, ...]) -> Callable[[], Server]:
    """A tool that lists two values, and whose refusals name others."""
    schema = {
        "type": "object",
        "properties": {"sort": {"type": "string", "enum": ["name", "date"]}},
        "required": ["sort"],
        "additionalProperties": False,
    }

    def find(given: Object) -> Object:
        if list(given) != ["sort"] or given["sort"] not in taken:
            raise Fault(WRONG_PARAMS, f"sort must be one of: {', '.join(named)}")
        return text(f"Sorted by {given['sort']}")

    tool = Tool("find_sorted", find, schema, {"sort": "name"}, unchecked=("enum", "required"))
    return lambda: Server(tool)


SERVERS: Final[Mapping[str, Callable[[], Server]]] = {
    "faulty-cover": pictures("read_cover"),
    "faulty-map": pictures("read_map"),
    "faulty-cover-and-map": pictures("read_cover", "read_map"),
    "odd-meta": odd_meta(always=True),
    "odd-refusals": odd_meta(always=False),
    "conditional": conditional,
    "allows-more": sorting(("name", "date", "size"), ("name", "date", "size")),
    "names-more": sorting(("name", "date", "size"), ("name", "date")),
    "names-the-same": sorting(("name", "date"), ("name", "date")),
    "tells-connection": telling("Connected to postgres://app:Wint3r-Sun@db.internal:5432/main"),
    "tells-environment": telling("I am $LIBRARY_TOKEN in $LIBRARY_REGION"),
    "tells-region": telling("We are in $LIBRARY_REGION"),
}


if __name__ == "__main__":
    sys.exit(SERVERS[sys.argv[1]]().run())
