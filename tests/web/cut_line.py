"""A line between a browser and the pages that a test can cut: a small SOCKS5 proxy."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

PIECE: Final = 1 << 16
GREETED, CONNECTED = b"\x05\x00", b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"


class CutLine:
    """Passes connections on until it is cut, and again once it is mended."""

    def __init__(self) -> None:
        self._listener: Final = socket.create_server(("127.0.0.1", 0))
        self._open: Final[set[socket.socket]] = set()
        self._is_cut = False
        self.proxy: Final[dict[str, Any]] = {
            "server": f"socks5://127.0.0.1:{self._listener.getsockname()[1]}",
            "bypass": "<-loopback>",
        }
        """What Playwright is told."""
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and let none be made."""
        self._is_cut = True
        for one in list(self._open):
            _end(one)

    def mend(self) -> None:
        """Let connections be made again."""
        self._is_cut = False

    def close(self) -> None:
        """End for good."""
        self.cut()
        _end(self._listener)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(browser,), daemon=True).start()

    def _pass_on(self, browser: socket.socket) -> None:
        with suppress(OSError), browser, _asked(browser) as server:
            if self._is_cut:
                return
            self._open.update((browser, server))
            back = threading.Thread(target=_copy, args=(server, browser), daemon=True)
            back.start()
            _copy(browser, server)
            back.join()
            self._open.difference_update((browser, server))


@contextmanager
def _asked(browser: socket.socket) -> Iterator[socket.socket]:
    """A connection to the port of this machine that the browser asks for, as by a name."""
    browser.recv(PIECE)
    browser.sendall(GREETED)
    request = browser.recv(PIECE)
    if request[5:-2] != b"127.0.0.1":
        raise ConnectionRefusedError
    with socket.create_connection(("127.0.0.1", struct.unpack("!H", request[-2:])[0])) as server:
        browser.sendall(CONNECTED)
        yield server


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE):
            target.sendall(piece)
    _end(target)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
