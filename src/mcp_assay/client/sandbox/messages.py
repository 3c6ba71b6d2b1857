"""Short messages between the processes that make a world, with descriptors beside them."""

from __future__ import annotations

import array
import json
import os
import socket
from typing import Any

LONGEST = 1 << 16
"""What the kernel takes at once on every system; a longer message goes in a file in memory."""
IN_MEMORY = b"in memory"
MOST_DESCRIPTORS = 200
"""Fewer than the 253 that the kernel takes at once."""


def send(link: socket.socket, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
    """Send one message and copies of descriptors."""
    text = json.dumps(message).encode()
    if len(text) <= LONGEST:
        _send(link, text, descriptors)
        return
    memory = os.memfd_create("message")
    try:
        with open(memory, "wb", closefd=False) as file:
            file.write(text)
        _send(link, IN_MEMORY, (memory, *descriptors))
    finally:
        os.close(memory)


def _send(link: socket.socket, text: bytes, descriptors: tuple[int, ...]) -> None:
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    link.sendmsg([text], rights if descriptors else [])


def receive(link: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Receive one message; an empty one means that nobody is there any more."""
    space = socket.CMSG_SPACE((1 + MOST_DESCRIPTORS) * array.array("i").itemsize)
    data, extra, _, _ = link.recvmsg(LONGEST, space, socket.MSG_CMSG_CLOEXEC)
    found = array.array("i")
    for level, kind, piece in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(piece[: len(piece) - len(piece) % found.itemsize])
    if data == IN_MEMORY:
        with open(found.pop(0), "rb") as file:
            file.seek(0)
            data = file.read()
    return (json.loads(data) if data else {}), list(found)
