"""How a version is agreed on by initialize: the one that was asked for, or one that both know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    error,
    initialize,
    initialized,
    kept,
    modern_request,
    modern_result,
    notification,
    opening,
    s2c,
)
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.text.words import glimpse

INVALID_PARAMS: Final = -32602
READY: Final = notification("notifications/initialized")
BOTH_ERAS: Final = {
    "supportedVersions": [R2025_11_25, R2026_07_28],
    "capabilities": {},
    "ttlMs": 0,
    "cacheScope": "private",
}

PREVIEW: Final = "2024-10-07"
"""A version before the first released one, which some programs still know."""
DRAFT: Final = "draft"
"""What the name of a version has in it that is not released yet."""

UNKNOWN_SUPPORT: Final = "it is not known whether the server supports the requested version"
UNKNOWN_TASTE: Final = "it is not known which versions the client supports"


class Supported:
    """The released versions that the server has shown to support."""

    __slots__ = ("versions",)

    def __init__(self) -> None:
        self.versions: Final[set[str]] = set()

    def add(self, versions: Any) -> None:
        """Note what a list of versions has in it."""
        if isinstance(versions, list):
            self.versions.update([version for version in REVISIONS if version in versions])


session_rule(
    "LIFE-007",
    "supported-version-not-answered",
    """The server supports the requested version but does not answer initialize with it.

    Why: client and server both support the version, but end up with another one or none.
    Instead: return the requested version if the server supports it.
    """,
    reason="version_mismatch",
    good=lambda: [
        kept(opening()),
        kept(
            c2s(initialize(revision=R2025_11_25)),
            s2c(initialized(revision=R2025_06_18)),
            c2s(READY),
        ),
    ],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover", id="probe")),
            s2c(modern_result(BOTH_ERAS, id="probe")),
            c2s(initialize(revision=R2025_11_25)),
            s2c(initialized(revision=R2025_06_18)),
            c2s(READY),
            at=3,
            pointer="/result/protocolVersion",
        ),
        broken(
            c2s(initialize(revision=R2025_11_25)),
            s2c(
                error(
                    INVALID_PARAMS,
                    "Unsupported protocol version",
                    {"supported": [R2025_11_25], "requested": R2025_11_25},
                    id=0,
                )
            ),
            pointer="/error/data/supported",
        ),
    ],
)

session_rule(
    "LIFE-010",
    "client-stays-in-unknown-version",
    """The client continues although it does not support the version in the initialize result.

    Why: client and server no longer follow the same rules.
    Instead: disconnect if the client does not support the returned version.
    """,
    reason="version_mismatch",
    good=lambda: [
        kept(opening()),
        kept(c2s(initialize()), s2c(initialized(revision=R2025_06_18)), c2s(READY)),
    ],
    bad=lambda: [
        broken(
            c2s(initialize()),
            s2c(initialized(revision="2025-11-24")),
            c2s(READY),
            pointer="/method",
            also=((1, "LIFE-014", "/result/protocolVersion"),),
        )
    ],
)


@watch("result", methods=("server/discover",), since=R2026_07_28)
def remember_supported_versions(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the versions that the server lists."""
    session.recall(Supported).add(message.result.get("supportedVersions"))
    return ()


@watch("result", methods=("initialize",), until=R2025_11_25)
def supported_version_not_answered(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-007 where initialize succeeds."""
    asked, answered = _asked_for(message), message.result.get("protocolVersion")
    supported = session.recall(Supported)
    if asked is None or not isinstance(answered, str):
        return ()
    if asked == answered:
        supported.add([answered])
        session.decide("LIFE-007")
        return ()
    if asked not in supported.versions:
        session.leave_open("LIFE-007", UNKNOWN_SUPPORT)
        return ()
    text = f"The server answers with {glimpse(answered)}, although it supports {asked}."
    return (Found(("result", "protocolVersion"), text, "LIFE-007"),)


@watch("error", methods=("initialize",), until=R2025_11_25)
def supported_version_refused(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-007 where initialize fails for its version."""
    asked, data = _asked_for(message), message.error.get("data")
    supported = data.get("supported") if isinstance(data, dict) else None
    if message.error.get("code") != INVALID_PARAMS or not isinstance(supported, list):
        return ()
    if asked not in supported:
        return ()
    text = f"The server rejects {glimpse(asked)}, which it lists as supported."
    return (Found(("error", "data", "supported"), text, "LIFE-007"),)


@watch("notification", methods=("notifications/initialized",), until=R2025_11_25)
def client_stays_in_unknown_version(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-010."""
    answer = session.handshake.answer
    if answer is None or answer.answers is None or message.direction == "s2c":
        return ()
    answered = answer.result.get("protocolVersion")
    if answered == _asked_for(answer):
        session.decide("LIFE-010")
    elif _may_be_known(answered):
        session.leave_open("LIFE-010", UNKNOWN_TASTE)
    else:
        text = f"The client continues although the server answered with {glimpse(answered)}."
        return (Found(("method",), text, "LIFE-010"),)
    return ()


def _asked_for(message: Message) -> str | None:
    """The version that an answer to initialize was asked for."""
    version = message.answers.params.get("protocolVersion") if message.answers else None
    return version if isinstance(version, str) else None


def _may_be_known(version: Any) -> bool:
    """Whether there may be somebody who supports the version: a newer one may exist by now."""
    if not isinstance(version, str):
        return False
    released = version in REVISIONS or version == PREVIEW
    return released or DRAFT in version.lower() or (version[:2] == "20" and version > REVISIONS[-1])
