"""Where the launcher begins, in a Python of its own that has nothing but the standard library.

The parts of the launcher name each other as modules of the package. Its packages are made by hand
here, without what they would load: what begins fast is little, and nothing else is trusted.

    plain CONTROL SPEC                  make the world with the rights of this process
    inside LINK SPEC                    be the first process of a world that was made by bwrap
    elevate SUDO PYTHON CONTROL SPEC    go through sudo to `received`
    received                            as root: everything, this text too, came from the user's own
                                        mcp-assay; no file that the user can write is read
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
import sys
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PACKAGE = "mcp_assay.client.sandbox"
PACKAGES = ("mcp_assay", "mcp_assay.client", PACKAGE)
SO_PEERGROUPS = 59
GROUP_BYTES = 1024
"""So much Python asks for at most; a user with more than 256 groups keeps the first one alone."""


def prepare(folder: str | None) -> None:
    """Let modules of a folder be imported by their full names, and no other of the package."""
    for name in PACKAGES:
        package = ModuleType(name)
        package.__path__ = [folder] if folder and name == PACKAGE else []
        sys.modules[name] = package


class ReceivedModules(MetaPathFinder, Loader):
    """The modules of the launcher, from texts that were received."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module among the texts."""
        package, module = name.rpartition(".")[::2]
        is_ours = package == PACKAGE and module in self._texts
        return ModuleSpec(name, self) if is_ours else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        text = self._texts[module.__name__.rpartition(".")[2]]
        exec(compile(text, module.__name__, "exec"), module.__dict__)


def elevate(sudo: str, python: str, control: str, spec: str) -> None:
    """Become sudo, which closes all descriptors but three: the others go through standard input."""
    folder = os.path.dirname(os.path.abspath(__file__))
    names = [name for name in os.listdir(folder) if name.endswith(".py")]
    texts = {name[:-3]: _text(os.path.join(folder, name)) for name in names}
    parcel = os.memfd_create("launcher")
    with open(parcel, "wb", closefd=False) as file:
        file.write(json.dumps(texts).encode())
    ours, theirs = socket.socketpair()
    descriptors = array.array("i", (0, int(control), int(spec), parcel))
    ours.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
    os.dup2(theirs.fileno(), 0)
    ours.close()
    os.execv(sudo, (sudo, "-n", "--", python, "-I", "-S", "-c", texts["entry"], "received"))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def receive() -> tuple[list[str], dict[str, Any]]:
    """Take over, as root, what the user sent; gives the launcher's descriptors and the user."""
    link = socket.socket(fileno=os.dup(0))
    space = socket.CMSG_SPACE(4 * array.array("i").itemsize)
    _, extra, _, _ = link.recvmsg(1, space)
    numbers = array.array("i")
    numbers.frombytes(extra[0][2])
    os.dup2(numbers[0], 0)
    os.close(numbers[0])
    with open(numbers[3], "rb") as file:
        file.seek(0)
        sys.meta_path.insert(0, ReceivedModules(json.load(file)))
    return [str(number) for number in numbers[1:3]], _sender(link)


def _sender(link: socket.socket) -> dict[str, Any]:
    """Who made the other end of a socket; the kernel knows it, and nobody can claim another."""
    _, user, group = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    groups = array.array("i")
    with suppress(OSError):
        groups.frombytes(link.getsockopt(socket.SOL_SOCKET, SO_PEERGROUPS, GROUP_BYTES))
    return {"user": user, "group": group, "groups": groups.tolist() or [group]}


def main(how: str, *given: str) -> None:
    """Begin in one of the ways above."""
    if how == "elevate":
        elevate(*given)
    if how == "received":
        prepare(None)
        descriptors, sender = receive()
        import_module(f"{PACKAGE}.launcher").main(descriptors, sender)
        return
    prepare(os.path.dirname(os.path.abspath(__file__)))
    if how == "inside":
        import_module(f"{PACKAGE}.innermost").live_inside(*map(int, given))
    else:
        import_module(f"{PACKAGE}.launcher").main(list(given))


if __name__ == "__main__":
    main(*sys.argv[1:])
