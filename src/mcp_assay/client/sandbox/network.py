"""A network of its own in which every address is this machine: nothing leaves, all is seen."""

from __future__ import annotations

import fcntl
import socket
import struct
from contextlib import suppress
from typing import Any

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
RTM_NEWROUTE, REQUEST_CREATE_ACK = 24, 0x1 | 0x4 | 0x400
TABLE_LOCAL, PROTOCOL_BOOT, SCOPE_HOST, TYPE_LOCAL = 255, 3, 254, 2
ATTRIBUTE_DEVICE, LOOPBACK_INDEX = 4, 1
EVERY_PROTOCOL = 0x0003
NAME_PORT = 53
BACKLOG = 64
SITE_ADDRESS = "11.0.80.80"
"""The address of every host of the web site: it looks public, and no other name has it."""
SITE_PORTS = {80: "http", 443: "https"}
SEEN_BYTES = 1 << 22
"""Room for packets that the watcher has not looked at yet."""


def make_network(allowed: list[dict[str, Any]], *, has_site: bool = False) -> dict[str, int]:
    """Set up the network of this namespace; gives what is to be watched, by name."""
    _lift_loopback()
    for family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError):  # a kernel without IPv6 has nothing that could leave by it
            _route_everything(family)
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERY_PROTOCOL))
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SEEN_BYTES)
    packets.bind(("lo", EVERY_PROTOCOL))
    found = {"packets": packets.detach(), **_name_sockets()}
    for row, one in enumerate(allowed):
        listener = _bound(socket.AF_INET, socket.SOCK_STREAM, one["address"], one["port"])
        found[f"relay{row}"] = listener.detach()
    for port in SITE_PORTS if has_site else ():
        listener = _bound(socket.AF_INET, socket.SOCK_STREAM, SITE_ADDRESS, port)
        found[f"site{port}"] = listener.detach()
    return found


def _lift_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = struct.pack("16sh22x", b"lo", 0)
        flags = struct.unpack("16sh22x", fcntl.ioctl(asked, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(asked, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


def _route_everything(family: int) -> None:
    """Take every address of a family for one of this machine."""
    kind = (family, 0, 0, 0, TABLE_LOCAL, PROTOCOL_BOOT, SCOPE_HOST, TYPE_LOCAL, 0)
    route = struct.pack("=BBBBBBBBI", *kind)
    device = struct.pack("=HHI", 8, ATTRIBUTE_DEVICE, LOOPBACK_INDEX)
    body = route + device
    head = struct.pack("=IHHII", 16 + len(body), RTM_NEWROUTE, REQUEST_CREATE_ACK, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.send(head + body)
        code = struct.unpack_from("=i", link.recv(4096), 16)[0]
    if code:
        raise OSError(-code, "route")


def _name_sockets() -> dict[str, int]:
    found = {}
    for family, every, version in ((socket.AF_INET, "0.0.0.0", 4), (socket.AF_INET6, "::", 6)):
        for kind, word in ((socket.SOCK_DGRAM, "udp"), (socket.SOCK_STREAM, "tcp")):
            with suppress(OSError):
                found[f"names_{word}{version}"] = _bound(family, kind, every, NAME_PORT).detach()
    return found


def _bound(family: int, kind: int, address: str, port: int) -> socket.socket:
    made = socket.socket(family, kind)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((address, port))
    if kind == socket.SOCK_STREAM:
        made.listen(BACKLOG)
    made.setblocking(False)
    return made
