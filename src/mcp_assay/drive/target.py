"""Whom to talk to, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

import mcp_assay
from mcp_assay.transport.recording import Recording
from mcp_assay.transport.stdio_link import PATIENCE, Patience

AUTO: Final = "auto"
CLIENT_INFO: Final = {"name": "mcp-assay", "version": mcp_assay.__version__}


class Command(Struct, frozen=True, kw_only=True):
    """A server to be started, with its whole environment."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    named: tuple[str, ...] = ()
    """The words that name it behind `mcp-assay`, where they are not `assess -- COMMAND`."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """A server to be reached over HTTP, and the user's own headers."""

    url: str
    headers: Mapping[str, str] = {}
    named: tuple[str, ...] = ()
    """The words that name it behind `mcp-assay`, where they are not `assess URL`."""


class Within(Struct, frozen=True, kw_only=True):
    """A server object in this process, and what the user calls it."""

    server: Any
    name: str


Target: TypeAlias = Command | Endpoint
Reachable: TypeAlias = Target | Within


class Bounds(Struct, frozen=True, kw_only=True):
    """Everything that one conversation may cost."""

    connect_seconds: float = 30.0
    """For all of connecting, second starts included."""
    call_seconds: float = 10.0
    call_seconds_with_progress: float = 60.0
    """However often a server says that it is getting on."""
    pages: int = 200
    items: int = 10_000
    list_bytes: int = 4 * 1024 * 1024
    decoded_bytes: int = 2 * 1024 * 1024
    """A longer message is not decoded."""
    rounds: int = 5
    """Of input_required, for one request."""
    replies: int = 1000
    """Requests of the server that are answered."""
    notifications: int = 200
    """Notifications that are kept, the latest ones, none of them long."""
    strays: int = 50
    """Responses that are kept although nobody waits for them, the latest ones."""
    findings: int = 2000
    """Findings that differ in more than their place."""
    starts: int = 20
    """Of a server that dies again and again."""


class Options(Struct, frozen=True, kw_only=True):
    """How to talk to a server."""

    revision: str = AUTO
    bounds: Bounds = Bounds()
    patience: Patience = PATIENCE
    answers: Mapping[str, Any] = {}
    """Results for what a server may ask, by method: sampling/createMessage, elicitation/create,
    roots/list. What is not here is refused."""
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere."""
    recording: Recording | None = None
    is_probing: bool = False
    """Whether we break rules on purpose: then each message is judged by itself alone."""
    session: str = "assess"
    """What a recording calls the conversation."""
