"""The inspector as a process of its own, fed through the tap: its pace never slows the traffic."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

import msgspec
from msgspec import Struct

from mcp_assay.client.children import OWN_GROUP
from mcp_assay.model.outcome import FailOn
from mcp_assay.proxy.tap import Tap


class Settings(Struct, frozen=True, kw_only=True):
    """How to judge the traffic, what to call it, and where to write what was found."""

    name: str
    """What the server is called in lines for people."""
    session: str
    """What a recording calls a session that has no name of its own."""
    revision: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    record: str | None = None
    is_shown: bool = False
    """Whether a page of this user may show the traffic."""
    reports: tuple[tuple[str, str], ...] = ()
    fail_on: FailOn = "never"
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere."""
    group: int | None = None
    """The process group of the server: it ends when the proxy is killed."""


MODULE: Final = "mcp_assay.proxy.inspector"
LONGEST_WAIT: Final = 20.0
"""Seconds in which the validator must be done after the last frame."""

CLEAN: Final = 0
FOUND: Final = 10
FLAWED: Final = 11
"""How a validator ends that lived to the end: nothing found that fails the run, something found,
or something that it could not judge or write."""
FAILED: Final = 12
"""How one ends that gave up; whatever else it ends with is an accident too."""


class InspectorProcess:
    """A running validator and the tap that leads to it."""

    def __init__(self, settings: Settings) -> None:
        its_end, ours = os.pipe()
        self._process: Final = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE],
            stdin=its_end,
            stdout=subprocess.DEVNULL,
            process_group=OWN_GROUP,
        )
        os.close(its_end)
        self.tap: Final = Tap(ours, msgspec.msgpack.encode(settings))

    def abandon(self) -> None:
        """End the validator without a word: there was no traffic."""
        self._process.kill()
        self._process.wait()

    def finish(self, how: str) -> int:
        """Tell how it all ended, wait for the last word, and give the validator's exit code."""
        self.tap.close(how)
        try:
            return self._process.wait(LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
