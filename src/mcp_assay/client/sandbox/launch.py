"""A command turned into one that first makes a world; what that says, heard over one socket."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from mcp_assay.client.sandbox.backends import Backend, launcher_command
from mcp_assay.client.sandbox.backing_folder import backing_for
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.secret_places import drawn_by_lot
from mcp_assay.client.sandbox.specification import specification
from mcp_assay.client.target_secrets import watched_variables

PIECE: Final = 1 << 16
START_SECONDS: Final = 60.0
"""So long a world may take to be made, copies of the work folder included."""
MOST_PIECES: Final = 1024
"""So much of what a launcher said is read after its end."""
LONGEST_LINE: Final = 1 << 24
"""A launcher that says more in one line is not listened to any more."""


class Launch:
    """One start of a server in a world: the command to run instead, and our end of the control."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        options: SandboxOptions,
        backend: Backend,
    ) -> None:
        self._backend: Final = backend
        self.control, self._theirs = socket.socketpair()
        self._spec: Final = os.memfd_create("world")
        self._backing: Final = backing_for(self._backend)
        folder = self._backing.path if self._backing else None
        spec = specification(command, environment, options, self._backend, folder)
        planted = {path: drawn_by_lot(text) for path, text in spec["plant"].items()}
        self.secrets: Final = {**planted, **watched_variables(environment)}
        """What nobody may tell or send, by where the server has it: a file, or a variable."""
        with open(self._spec, "wb", closefd=False) as file:
            file.write(json.dumps(spec).encode())
        self._heard = b""
        self._hear: Callable[[dict[str, Any] | None], None] = lambda _: None

    @property
    def command(self) -> tuple[str, ...]:
        """What to start instead of the server."""
        return launcher_command(self._backend, *self.descriptors)

    @property
    def descriptors(self) -> tuple[int, int]:
        """What the launcher must inherit."""
        return self._theirs.fileno(), self._spec

    def let_go(self) -> None:
        """Close what belongs to the launcher now."""
        self._theirs.close()
        os.close(self._spec)

    def listen(self, hear: Callable[[dict[str, Any] | None], None]) -> None:
        """Have every line given to `hear`, None at the end."""
        self.control.setblocking(False)
        self._hear = hear
        asyncio.get_running_loop().add_reader(self.control, self._read)

    def say(self, message: dict[str, Any]) -> None:
        """Say something to the launcher."""
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def wait_for_start(self) -> dict[str, Any]:
        """What the launcher says first, for those who have nothing else to do meanwhile."""
        self.control.settimeout(START_SECONDS)
        try:
            with self.control.makefile("rb") as lines:
                line = lines.readline(LONGEST_LINE)
        except OSError:
            line = b""
        return dict(json.loads(line)) if line else {"step": "lost", "errno": 0}

    def ignore_rest(self) -> None:
        """Take what the launcher says from now on, without looking at it, until it ends."""
        self.control.settimeout(None)
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        with suppress(OSError):
            while self.control.recv(PIECE):
                continue

    def hear_rest(self) -> None:
        """Take what a launcher that has ended said before."""
        for _ in range(MOST_PIECES):
            if self.control.fileno() < 0 or not self._read():
                return

    def clean_up(self) -> None:
        """Remove what the world had on disk, once nothing of it runs any more."""
        if self._backing:
            self._backing.remove()

    def end(self) -> None:
        """Have the world ended; what it still says is heard."""
        with suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End the world, if it is still there."""
        if self.control.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self.control)
            self.control.close()

    def _read(self) -> bool:
        """Take the next piece of what the launcher says; False where there is none now."""
        try:
            piece = self.control.recv(PIECE)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        *lines, self._heard = (self._heard + piece).split(b"\n")
        for line in lines:
            self._hear(json.loads(line))
        if not piece or len(self._heard) > LONGEST_LINE:
            self.close()
            self._hear(None)
        return True
