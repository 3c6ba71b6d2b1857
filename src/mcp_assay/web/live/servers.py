"""The servers that pages may have assessed: those of configurations, confirmed at the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.json import encode

from mcp_assay.client.client_configs import WrongClientConfig, read_client_config
from mcp_assay.model.tool import Calls
from mcp_assay.text.digests import sha256

CALLS: Final[Sequence[Calls]] = ("none", "safe", "likely", "all")
"""What may be called, from the least to the most."""


class ServerChanged(Exception):
    """A server of a configuration is not the one that was confirmed; the text is a sentence."""


class LiveServer(Struct, frozen=True, kw_only=True):
    """A server of a configuration, as it was confirmed."""

    name: str
    config: str
    """The path of the configuration."""
    shown: str
    """Its command or URL, without secrets."""
    digest: str
    """Of its entry, which must not change."""
    problem: str | None = None
    """Why it cannot be assessed."""

    def require_unchanged(self) -> None:
        """Raise ServerChanged unless its entry is the one that was confirmed."""
        try:
            entry = read_client_config(self.config).get(self.name)
        except WrongClientConfig as refusal:
            raise ServerChanged(str(refusal)) from None
        if entry is None or entry_digest(entry) != self.digest:
            words = f"{self.config}: the entry of {self.name!r} has changed since it was confirmed"
            raise ServerChanged(f"{words}; start mcp-assay ui again.")


class RunLimits(Struct, frozen=True, kw_only=True):
    """What was typed when the pages were started: runs may do less than this, never more."""

    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    max_calls: int = 50
    timeout: float = 10.0
    max_time: float = 120.0
    sandbox: str | None = None


class LiveSettings(Struct, frozen=True, kw_only=True):
    """What may be assessed from the pages, and how."""

    servers: Sequence[LiveServer] = ()
    limits: RunLimits = RunLimits()
    history: str = "default"
    """Where runs are recorded, as a child is told by its environment."""


def entry_digest(entry: Mapping[str, Any]) -> str:
    """What an entry of a configuration is known again by."""
    return sha256(encode(entry, order="deterministic")).hexdigest()
