"""Which revision the peers speak, as far as one message tells."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.spec.revisions import R2026_07_28, REVISIONS

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"


def requested_revision(message: dict[str, Any]) -> str | None:
    """The revision that a request says it is sent under, None where it says none that we know.

    Only since 2026-07-28 a request's `_meta` says so; an older revision named there means nothing.
    """
    params = message.get("params")
    if not isinstance(params, dict):
        return None
    if message.get("method") == "initialize":
        return _with_handshake(params.get("protocolVersion"))
    meta = params.get("_meta")
    known = _known(meta.get(VERSION_KEY)) if isinstance(meta, dict) else None
    return known if known and known >= R2026_07_28 else None


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
