"""How the peers came to terms: what each declared, and how far the opening has gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.spec.revisions import R2026_07_28, REVISIONS

CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"


class Handshake:
    """The opening of a conversation, as far as it was seen."""

    __slots__ = (
        "_client",
        "answer",
        "initialized",
        "refusal",
        "request",
        "server_capabilities",
    )

    def __init__(self) -> None:
        self.request: Message | None = None
        """The latest initialize request."""
        self.answer: Message | None = None
        """The result that it got."""
        self.initialized = False
        """Whether the client has said that it is ready."""
        self.server_capabilities: dict[str, Any] | None = None
        """What the server declared, in whichever revision; None where it was not seen."""
        self.refusal: Message | None = None
        """The error that the latest request of 2026-07-28 got, until the client asks again."""
        self._client: dict[str, Any] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left of the opening."""
        return self.initialized and self.answer is not None

    def take(self, message: Message) -> None:
        """Take note of a message that belongs to the opening."""
        if message.kind == "request" and message.method == "initialize":
            self.request = message
            self._client = _object(message.params.get("capabilities"))
        elif message.kind == "result" and message.method in ("initialize", "server/discover"):
            self.server_capabilities = _object(message.result.get("capabilities"))
            if message.method == "initialize":
                self.answer = message
        elif message.method == "notifications/initialized":
            self.initialized = True

    def client_capabilities(self, message: Message) -> dict[str, Any] | None:
        """What the client declared for this message, None where that was not seen.

        Since 2026-07-28 each request says it anew; an answer goes by the request that it answers.
        """
        if message.revision < R2026_07_28:
            return self._client
        asked = message.answers or message
        return _object(asked.meta.get(CLIENT_CAPABILITIES))


def _object(value: object) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
VERSION_HEADER: Final = "mcp-protocol-version"
MODERN_KEYS: Final = frozenset(
    (CLIENT_CAPABILITIES, "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel")
)
"""What else the `_meta` of a request has only since 2026-07-28."""
MODERN_METHODS: Final = frozenset(("server/discover", "subscriptions/listen"))
"""Requests that came with 2026-07-28."""


def requested_revision(message: dict[str, Any]) -> str | None:
    """The revision that a request says it is sent under, None where it does not say so.

    Only since 2026-07-28 a request's `_meta` says so: an older revision named there means nothing,
    and whoever names one that we do not know is judged by the newest that we do.
    """
    params = message.get("params")
    if not isinstance(params, dict):
        return None
    if message.get("method") == "initialize":
        return _with_handshake(params.get("protocolVersion"))
    meta = params.get("_meta")
    if not isinstance(meta, dict) or VERSION_KEY not in meta:
        return None
    known = _known(meta[VERSION_KEY]) or REVISIONS[-1]
    return known if known >= R2026_07_28 else None


def implied_revision(message: object, http: Mapping[str, Any] | None) -> str | None:
    """The newest revision, where a request that names none can only be sent under it.

    Its header names it, or its method or a key of its `_meta` came with it.
    """
    method = message.get("method") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(method, str) or method == "initialize":
        return None
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    has_keys = isinstance(meta, dict) and not MODERN_KEYS.isdisjoint(meta)
    is_newest = has_keys or method in MODERN_METHODS or _has_newest_header(http)
    return REVISIONS[-1] if is_newest else None


def _has_newest_header(http: Mapping[str, Any] | None) -> bool:
    given = (http or {}).get("request_headers")
    return isinstance(given, Mapping) and any(
        value == REVISIONS[-1] and str(name).lower() == VERSION_HEADER
        for name, value in given.items()
    )


def negotiated_revision(message: dict[str, Any]) -> str | None:
    """The revision that an answer to initialize settles on."""
    result = message.get("result")
    return _with_handshake(result.get("protocolVersion")) if isinstance(result, dict) else None


def _known(version: Any) -> str | None:
    return version if isinstance(version, str) and version in REVISIONS else None


def _with_handshake(version: Any) -> str | None:
    """2026-07-28 has no initialize: whoever names it there is judged as before."""
    known = _known(version)
    return known if known and known < R2026_07_28 else None
