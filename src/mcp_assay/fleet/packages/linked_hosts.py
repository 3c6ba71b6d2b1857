"""The hosts that an index links files to, looked up where it has them elsewhere."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from mcp_assay.client.public_addresses import addresses_of, is_public
from mcp_assay.fleet.packages.registries import USUAL_PORTS, Registries


async def new_hosts(found: object, registries: Registries) -> tuple[str, ...]:
    """HOST:PORT of linked hosts that are not known yet.

    A page may name anything. What is not public is reached only where the index is not, either.
    """
    texts = [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    hosts = {one: _host_and_port(one) for one in texts}
    new = {
        f"{name}:{port}": (name, port)
        for name, port in filter(None, hosts.values())
        if f"{name}:{port}" not in registries.hosts
    }
    if not new or await _is_private(registries):
        return tuple(new)
    return tuple([shown for shown, (name, port) in new.items() if await _is_public(name, port)])


def _host_and_port(text: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(f"https://{text}")
        return (parts.hostname, parts.port or USUAL_PORTS["https"]) if parts.hostname else None
    except ValueError:
        return None


async def _is_private(registries: Registries) -> bool:
    """Whether an index itself is in a network of the user."""
    for index in registries.indexes:
        parts = urlsplit(index)
        if not await _is_public(parts.hostname or "", parts.port or USUAL_PORTS[parts.scheme]):
            return True
    return False


async def _is_public(host: str, port: int) -> bool:
    try:
        return all(map(is_public, await addresses_of(host, port)))
    except OSError:
        return False


KNOWN: Final[dict[tuple[str, ...], tuple[str, ...]]] = {}
"""For the indexes of this machine: linked hosts that were found once, in this process."""
