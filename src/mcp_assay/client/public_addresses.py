"""Addresses that strangers may send us to: those of the public internet, and none of our own."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

LOOK_UP_SECONDS: Final = 10.0
CARRIES_LAST: Final = tuple(
    map(ipaddress.IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"))
)
"""Networks whose addresses end with one of version 4, which is what is meant."""
SIX_TO_FOUR: Final = ipaddress.IPv6Network("2002::/16")
NEVER_PUBLIC: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "168.63.129.16"),
            *("64:ff9b:1::/48", "2001::/23", "3fff::/20", "fec0::/10", "100::/64"),
        ),
    )
)
"""What is beside the usual private networks: of carriers, for tests, tunnels, and of providers."""


class NotPublic(OSError):
    """A host that is not on the public internet; the text says which address it has."""


def is_public(text: str) -> bool:
    """Whether an address belongs to the public internet, whatever it is wrapped in."""
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        address = _carried(address) or address
    if any(address.version == net.version and address in net for net in NEVER_PUBLIC):
        return False
    is_odd = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not is_odd


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address of version 4 that one of version 6 stands for."""
    if any(address in network for network in CARRIES_LAST):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        return ipaddress.IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    return None


def literal(host: str) -> str | None:
    """The address that a host is written as, in any form that programs take; None for a name."""
    bare = host.strip("[]").partition("%")[0]
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(bare))  # 127.1, 0x7f000001, 2130706433, 0177.0.0.1
    except (OSError, ValueError):
        return None


async def require_public(host: str, port: int) -> None:
    """Raise NotPublic where a host is, or has among its addresses, one that is not public.

    Raises OSError where it has none.
    """
    for address in await addresses_of(host, port):
        if not is_public(address):
            raise NotPublic(f"{host} has the address {address}, which is not public")


async def addresses_of(host: str, port: int) -> list[str]:
    """All addresses of a host; raises OSError where it has none."""
    written = literal(host)
    if written is not None:
        return [written]
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(LOOK_UP_SECONDS):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise OSError(f"{host!r} is not the name of a host") from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
