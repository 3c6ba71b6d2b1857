"""How a user names a server -> whom to talk to."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from typing import Final

from mcp_assay.contracts.settings import named_object
from mcp_assay.drive.target import Command, Endpoint, Reachable, Within
from mcp_assay.transport.environment import SET

URLS: Final = ("http://", "https://")
NOTHING: Final[Mapping[str, str]] = {}
OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def target_of(
    named: object,
    folder: str,
    *,
    headers: Mapping[str, str] = NOTHING,
    variables: Mapping[str, str] = NOTHING,
) -> Reachable:
    """The server that a text names, or that an object is; raises ValueError with a sentence.

    A text is a URL, `package.module:object`, or a command. Objects are imported from the folder of
    the tests too; one that is a function is called, and gives the server.
    """
    if not isinstance(named, str):
        return Within(server=_made(named), name=type(named).__name__)
    if named.startswith(URLS):
        return Endpoint(url=named, headers=headers)
    if OBJECT.fullmatch(named):
        if folder not in sys.path:
            sys.path.append(folder)
        return Within(server=_made(named_object(named)), name=named)
    words = shlex.split(named)
    if not words:
        raise ValueError("the name of the server is empty.")
    return Command(command=tuple(words), environment={**_environment(), **variables})


def _made(server: object) -> object:
    return server() if callable(server) and not hasattr(server, "run") else server


def _environment() -> dict[str, str]:
    """That of the tests: the server is the user's own, and `python` is the one that runs them."""
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))
    return {**os.environ, **SET, "PATH": path}
