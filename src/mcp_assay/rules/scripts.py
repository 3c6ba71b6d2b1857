"""Short ways to write the conversations that show a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcp_assay.rules.examples import CLIENT_META, PREFIX, notification, request, result
from mcp_assay.rules.rule import END, Script, Step
from mcp_assay.session.line import NO_LINE, Line
from mcp_assay.spec.revisions import DEFAULT_REVISION

CLIENT = {"name": "inspector", "version": "1.0"}
SERVER = {"name": "notes", "version": "1.0"}
HANDSHAKE_ID = 0
"""The id of the initialize request of `opening`: examples number their own requests from 1."""


def c2s(message: Any = None, line: Line = NO_LINE) -> Step:
    """What the client sends."""
    return Step("c2s", message, line)


def s2c(message: Any = None, line: Line = NO_LINE) -> Step:
    """What the server sends."""
    return Step("s2c", message, line)


def initialize(
    client: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
    *,
    id: Any = HANDSHAKE_ID,
) -> dict[str, Any]:
    """The client's initialize request, with the capabilities that it declares."""
    params = {"protocolVersion": revision, "capabilities": client or {}, "clientInfo": CLIENT}
    return request("initialize", params, id=id)


def initialized(
    server: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
    *,
    id: Any = HANDSHAKE_ID,
) -> dict[str, Any]:
    """The server's answer to initialize, with the capabilities that it declares."""
    answer = {"protocolVersion": revision, "capabilities": server or {}, "serverInfo": SERVER}
    return result(answer, id=id)


def opening(
    *,
    client: dict[str, Any] | None = None,
    server: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
) -> list[Step]:
    """A handshake as it should be, with what each side can do."""
    return [
        c2s(initialize(client, revision)),
        s2c(initialized(server, revision)),
        c2s(notification("notifications/initialized")),
    ]


def declaring(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Params of a request of 2026-07-28 whose client can do this much."""
    return {"_meta": {**CLIENT_META, f"{PREFIX}clientCapabilities": capabilities}, **more}


def talk(*parts: Step | Iterable[Step], partial: bool = False) -> Script:
    """A conversation about which mcp-assay has nothing to say."""
    return Script(steps=_flat(parts), partial=partial)


def broken(
    *parts: Step | Iterable[Step],
    pointer: str = "",
    at: int | None = None,
    also: tuple[tuple[int, str, str], ...] = (),
    partial: bool = False,
) -> Script:
    """A conversation that breaks the rule: in its last step, or in the one that `at` names."""
    steps = _flat(parts)
    return Script(
        steps=steps,
        at=len(steps) - 1 if at is None else at,
        pointer=pointer,
        also=also,
        partial=partial,
    )


def unfinished(
    *parts: Step | Iterable[Step],
    also: tuple[tuple[int, str, str], ...] = (),
) -> Script:
    """A conversation that breaks the rule by ending where it does."""
    return Script(steps=_flat(parts), at=END, also=also)


def _flat(parts: tuple[Step | Iterable[Step], ...]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for part in parts:
        steps.extend([part] if isinstance(part, Step) else part)
    return tuple(steps)
