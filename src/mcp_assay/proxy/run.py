"""Client <-> proxy <-> server, and a copy to the validator: what `mcp-assay proxy` does."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.client.children import NotStarted, ServerProcess
from mcp_assay.client.frames import MessageGate
from mcp_assay.client.target import Command
from mcp_assay.proxy.inspector_process import CLEAN, FLAWED, FOUND, InspectorProcess, Settings
from mcp_assay.proxy.pipes import GatedPump, Outlet, Pump, Put

if TYPE_CHECKING:
    from mcp_assay.proxy.http_proxy import Route

__all__ = [
    "Ending",
    "NotStarted",
    "Settings",
    "proxy_http",
    "proxy_stdio",
    "server_name",
    "session_name",
]

LEFT_BEHIND: Final = 1.0
"""Seconds of silence after which what a server left behind, and nobody can talk to, is ended."""
SWITCH: Final = 0.0002
"""Seconds after which what feeds the validator must let what forwards go first."""
LAUNCHERS: Final = frozenset(
    {"bun", "bunx", "deno", "dlx", "docker", "env", "exec", "node", "npm", "npx", "pipx", "pnpm"}
    | {"podman", "poetry", "python", "python3", "run", "sh", "tool", "uv", "uvx", "yarn"}
)
"""Words at the beginning of a command that do not name the server."""
NAMING: Final = r"[\w@./\\:][\w@./\\:+-]*"
"""A word that may name a server: no option, no assignment, no sentence."""


class Ending(Struct, frozen=True):
    """How a proxied server ended, and what became of its validator."""

    server: int
    """The exit code: 128 and its number where a signal ended the server."""
    how: str
    """The same in words."""
    validator: int

    @property
    def failed(self) -> bool:
        """Whether something was found that the run should fail on."""
        return self.validator == FOUND

    @property
    def is_sure(self) -> bool:
        """Whether all was judged, and every report written."""
        return self.validator in (CLEAN, FOUND)

    @property
    def accident(self) -> str | None:
        """What happened to a validator that did not live to the end."""
        if self.validator in (CLEAN, FOUND, FLAWED):
            return None
        how = f"signal {-self.validator}" if self.validator < 0 else f"code {self.validator}"
        return f"the validator died ({how}); the traffic continued, but was not fully checked"


def proxy_stdio(
    target: Command,
    settings: Settings,
    gate: MessageGate | None = None,
) -> Ending:
    """Forward between the standard streams of this process and a server until the server ends.

    Raises NotStarted where the server cannot be started.
    """
    sys.setswitchinterval(SWITCH)
    server = ServerProcess(target.command, target.environment, target.sandbox)
    with server.passing_signals_on():
        validator = InspectorProcess(replace(settings, group=server.group))
        up, down = _pumps(server, validator.tap.put, gate)
        up.start()
        down.start()
        code = server.wait()
        _drain(up, down, server)
        how = f"server exit {code}"
        return Ending(code, how, validator.finish(how))


def proxy_http(
    route: Route, settings: Settings, say: Callable[[str], None], gate: MessageGate | None = None
) -> Ending:
    """Forward between clients and the server at a URL until SIGINT or SIGTERM.

    `say` gets the URL for clients. Raises NotStarted where nothing can listen there.
    """
    import asyncio  # noqa: PLC0415  only for HTTP

    from mcp_assay.proxy.http_proxy import serve  # noqa: PLC0415

    validator = InspectorProcess(settings)
    try:
        served = asyncio.run(serve(route, validator.tap, gate, say))
    except (OSError, ValueError) as fault:
        validator.abandon()
        raise NotStarted(f"the proxy cannot listen on {route.listen}: {fault}") from None
    how = f"{served.exchanges:,} HTTP exchanges"
    return Ending(0, how, validator.finish(how))


def server_name(command: Sequence[str]) -> str:
    """A short name for the server that a command starts."""
    names = (PurePath(word).stem for word in command if re.fullmatch(NAMING, word))
    return next((name for name in names if name not in LAUNCHERS), "server")


def session_name(name: str) -> str:
    """A name for a session that no other recording has."""
    return f"{name}-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"


def _pumps(server: ServerProcess, put: Put, gate: MessageGate | None) -> tuple[Pump, Pump]:
    """What forwards from the client to the server, and what forwards back."""
    client_in, client_out = _own_streams()
    to_server, to_client = Outlet(server.stdin), Outlet(client_out)
    if gate is None:
        return (
            Pump("c2s", client_in, to_server, put),
            Pump("s2c", server.stdout, to_client, put),
        )
    return (
        GatedPump("c2s", client_in, to_server, put, gate=gate, back=to_client),
        GatedPump("s2c", server.stdout, to_client, put, gate=gate, back=to_server),
    )


def _own_streams() -> tuple[int, int]:
    """Standard input and output under numbers that only the pumps know: they will close them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    streams = os.dup(0), os.dup(1)
    for number, stream in enumerate(streams):
        os.set_blocking(stream, True)
        os.dup2(nothing, number)
    os.close(nothing)
    return streams


def _drain(up: Pump, down: Pump, server: ServerProcess) -> None:
    """Forward what the server still had to say when it ended."""
    down.join(LEFT_BEHIND)
    while down.is_alive():
        if down.waiting and not up.is_alive():
            server.send(signal.SIGKILL)
            down.join(LEFT_BEHIND)
            break
        down.join(LEFT_BEHIND)
    server.let_go()
