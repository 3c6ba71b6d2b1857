"""One small server for the cases of this folder: `python tests/truth/small_server.py NAME`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from os import path
from typing import Final

ROOT: Final = path.dirname(path.dirname(path.dirname(path.realpath(__file__))))
if __name__ == "__main__":
    sys.path[0] = ROOT

from tests.servers.base import Server  # noqa: E402  the path is set above
from tests.servers.things import Object, Tool, text  # noqa: E402

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


def telling(*words: str) -> Callable[[], Server]:
    """A tool that says these words, with variables of its environment in place of $NAME."""
    return lambda: Server(
        Tool("read_notes", lambda given: text(*(path.expandvars(each) for each in words)))
    )


SERVERS: Final[Mapping[str, Callable[[], Server]]] = {
    "faulty-cover": pictures("read_cover"),
    "faulty-map": pictures("read_map"),
    "faulty-cover-and-map": pictures("read_cover", "read_map"),
    "tells-connection": telling("Connected to postgres://app:Wint3r-Sun@db.internal:5432/main"),
    "tells-environment": telling("I am $LIBRARY_TOKEN in $LIBRARY_REGION"),
    "tells-region": telling("We are in $LIBRARY_REGION"),
}


if __name__ == "__main__":
    sys.exit(SERVERS[sys.argv[1]]().run())
