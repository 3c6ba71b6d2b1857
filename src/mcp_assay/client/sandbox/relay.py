"""The way out to allowed hosts: what the server connects to is connected from outside."""

from __future__ import annotations

import errno
import ipaddress
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

PIECE = 1 << 16
MOST_CONNECTIONS = 128
CONNECT_SECONDS = 10.0
Count = Callable[[str, str, int, int], None]


def connected(host: str, port: int, inside: str) -> socket.socket:
    """Connect to a host outside; raises OSError where it cannot be reached, or must not be.

    Who owns a name decides where it leads. It must not lead to this machine itself or to its
    provider's data about it, unless the user has named just that, or this machine's list of hosts
    has: then the address is the same one as inside.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    fault = OSError(errno.ECONNREFUSED, "no address that a name may lead to")
    for family, kind, protocol, _, address in found:
        if address[0] != inside and not may_lead_to(host, str(address[0])):
            continue
        outer = socket.socket(family, kind, protocol)
        outer.settimeout(CONNECT_SECONDS)
        try:
            outer.connect(address)
        except OSError as refused:
            outer.close()
            fault = refused
        else:
            return outer
    raise fault


def may_lead_to(host: str, address: str) -> bool:
    """Whether an address may be meant by a name; one that was typed itself always is."""
    found = ipaddress.ip_address(address.partition("%")[0])
    real = getattr(found, "ipv4_mapped", None) or found
    is_own = real.is_loopback or real.is_link_local or real.is_unspecified or real.is_multicast
    return not is_own or is_address(host) or host == "localhost" or host.endswith(".localhost")


def is_address(text: str) -> bool:
    """Whether a host is named by its address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Relay:
    """Listens in the world for allowed hosts, and moves bytes between there and the real ones."""

    def __init__(
        self, rows: list[dict[str, Any]], descriptors: dict[str, int], count: Count
    ) -> None:
        self._rows = rows
        self._count = count
        self._open = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._listeners = {
            row: socket.socket(fileno=descriptors[f"relay{row}"])
            for row in range(len(rows))
            if f"relay{row}" in descriptors
        }

    def start(self) -> None:
        """Relay from now on, until this process ends."""
        if self._listeners:
            threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        waiting = selectors.DefaultSelector()
        for row, listener in self._listeners.items():
            waiting.register(listener, selectors.EVENT_READ, row)
        while True:
            for key, _ in waiting.select():
                with suppress(OSError):
                    inner, _ = self._listeners[key.data].accept()
                    self._begin(inner, self._rows[key.data])

    def _begin(self, inner: socket.socket, row: dict[str, Any]) -> None:
        if not self._open.acquire(blocking=False):
            inner.close()
            return
        threading.Thread(target=self._serve, args=(inner, row), daemon=True).start()

    def _serve(self, inner: socket.socket, row: dict[str, Any]) -> None:
        """Connect to the real host, and move bytes both ways until both have ended."""
        try:
            with (
                inner,
                connected(row["host"], row["port"], row["address"]) as outer,
            ):
                outer.settimeout(None)
                inner.setblocking(True)
                back = threading.Thread(target=self._move, args=(outer, inner, row), daemon=True)
                back.start()
                self._move(inner, outer, row)
                back.join()
        except OSError:
            return
        finally:
            self._open.release()

    def _move(self, source: socket.socket, target: socket.socket, row: dict[str, Any]) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                target.sendall(piece)
                self._count(row["host"], row["address"], row["port"], len(piece))
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
