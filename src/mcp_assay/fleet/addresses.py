"""Whether the address of a remote server may be called: a stranger does not send us home."""

from __future__ import annotations

from urllib.parse import urlsplit

from mcp_assay.client.public_addresses import NotPublic, require_public
from mcp_assay.fleet.entry import FleetEntry, Remote
from mcp_assay.fleet.job import Reason
from mcp_assay.text.safe import plain, shorten

LONGEST = 300


async def checked_address(entry: FleetEntry) -> Reason | None:
    """Why the address of an entry is not called, None where it may be.

    Only an address that a stranger named must be public. Names may lead elsewhere a moment later:
    the link to the server asks again (`Endpoint.is_public`).
    """
    origin = entry.origin
    if not isinstance(origin, Remote) or not origin.is_public:
        return None
    try:
        parts = urlsplit(origin.url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return Reason(kind="refused_address", text="its address cannot be read")
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        return Reason(kind="refused_address", text="its address is none of the public web")
    try:
        await require_public(host, port)
    except NotPublic as why:
        text = f"its address is refused: {why}"
        return Reason(kind="refused_address", text=shorten(plain(text), LONGEST))
    except OSError as fault:
        text = f"its host {host} was not found: {fault.strerror or fault}"
        return Reason(kind="failed", text=shorten(plain(text), LONGEST), is_passing=True)
    return None
