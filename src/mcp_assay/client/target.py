"""Whom to connect to, how, in which environment, and with which variables and headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct, field

import mcp_assay
from mcp_assay.client.deadline import Deadline
from mcp_assay.client.links import PATIENCE, Patience
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.spec.revisions import AUTO
from mcp_assay.text.common_values import may_be_secret

if TYPE_CHECKING:
    from mcp_assay.client.trace_file import Recording


class WrongPair(ValueError):
    """A text that is no such pair; the text says why, and what to type."""


def pairs(
    texts: Iterable[str], sign: str, option: str, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The pairs that an option gives; a value @FILE is read from the file; raises WrongPair.

    A name alone takes its value from `known`, where that is given.
    """
    return dict(_pair(text, sign, option, known) for text in texts)


def secrets_in(values: Iterable[str]) -> tuple[str, ...]:
    """The values that must appear nowhere; a common one hides nothing."""
    return tuple(filter(may_be_secret, values))


def _pair(text: str, sign: str, option: str, known: Mapping[str, str] | None) -> tuple[str, str]:
    name, found, value = text.partition(sign)
    name = name.strip()
    if not found and known is not None and name in known:
        return name, known[name]
    if not found and known is not None and name:
        raise WrongPair(f"{option} {name}: no such environment variable; type {name}=VALUE.")
    if not found or not name:
        raise WrongPair(f"{option} {text!r} has no {sign!r} between name and value.")
    value = value.strip() if sign == ":" else value
    return name, _read(value[1:], option) if value.startswith("@") else value


def _read(path: str, option: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().rstrip("\r\n")
    except (OSError, ValueError) as fault:
        raise WrongPair(f"{option} cannot read {path!r}: {fault}") from None


PASSED_ON: Final = ("PATH", "HOME", "LANG", "TMPDIR")
SET: Final[Mapping[str, str]] = {"COLUMNS": "200", "NO_COLOR": "1"}
"""Wide lines without colours: what a server writes is read by programs and shown in reports."""


def allowed(ours: Mapping[str, str], named: Mapping[str, str]) -> dict[str, str]:
    """The environment for a server, from that of this process and what was named for it."""
    passed = {name: ours[name] for name in PASSED_ON if name in ours}
    return {**passed, **SET, **named}


def named_in(environment: Mapping[str, str]) -> dict[str, str]:
    """What was named for a server, in the environment that was made for it."""
    usual = {*PASSED_ON, *SET}
    return {name: value for name, value in environment.items() if name not in usual}


CLIENT_INFO: Final = {"name": "mcp-assay", "version": mcp_assay.__version__}


class Command(Struct, frozen=True, kw_only=True):
    """A server to be started, with its whole environment."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    named: tuple[str, ...] = ()
    """The words that name it behind `mcp-assay`, where they are not `assess -- COMMAND`."""
    sandbox: SandboxOptions | None = None
    """The disposable world that it runs in; None where it runs with the rights of the user."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """A server to be reached over HTTP, and the user's own headers."""

    url: str
    headers: Mapping[str, str] = {}
    named: tuple[str, ...] = ()
    """The words that name it behind `mcp-assay`, where they are not `assess URL`."""
    is_public: bool = False
    """Whether it must be on the public internet, because a stranger named it."""


class Within(Struct, frozen=True, kw_only=True):
    """A server object in this process, and what the user calls it."""

    server: Any
    name: str


Target: TypeAlias = Command | Endpoint
Reachable: TypeAlias = Target | Within


PROGRESS_FACTOR: Final = 3
"""So many times as long as any other a call may take that tells of its progress."""


class Bounds(Struct, frozen=True, kw_only=True):
    """Everything that one session may cost."""

    connect_seconds: float = 30.0
    """For all of connecting; a server that server/discover made silent is started again, and has
    them once more."""
    call_seconds: float = 10.0
    call_seconds_with_progress: float = PROGRESS_FACTOR * 10.0
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
    reply_bytes: int = 4 * 1024 * 1024
    """So much is written in answer to them: a server that does not read has it all kept here."""
    notifications: int = 200
    """Notifications that are kept, the latest ones, none of them long."""
    strays: int = 50
    """Responses that are kept although nobody waits for them, the latest ones."""
    findings: int = 2000
    """Findings that differ in more than their place."""
    starts: int = 20
    """Of a server that dies again and again."""


class ConnectionOptions(Struct, frozen=True, kw_only=True):
    """How to connect to a server."""

    revision: str = AUTO
    bounds: Bounds = Bounds()
    patience: Patience = PATIENCE
    deadline: Deadline = field(default_factory=Deadline)
    """When all that is done with the server must be over."""
    answers: Mapping[str, Any] = {}
    """Results for what a server may ask, by method: sampling/createMessage, elicitation/create,
    roots/list. What is not here is refused."""
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere."""
    recording: Recording | None = None
    is_probing: bool = False
    """Whether we break rules on purpose: then each message is judged by itself alone."""
    session: str = "assess"
    """What a recording calls the session."""
