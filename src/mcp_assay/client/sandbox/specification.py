"""What is to be made, in full: what of this machine a world shows, hides, plants and bounds."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.client.sandbox.backends import Backend, bwrap
from mcp_assay.client.sandbox.filter import ATTEMPTS
from mcp_assay.client.sandbox.layout import is_own
from mcp_assay.client.sandbox.options import LeastWrites, SandboxOptions
from mcp_assay.client.sandbox.secret_places import hidden_places, planted_secrets
from mcp_assay.client.sandbox.site_trust import trust
from mcp_assay.scenario.prepared_folder import prepared_files

LIMITS: Final[Mapping[str, int]] = {
    "disk_bytes": 1 << 30,
    "memory_bytes": 2 << 30,
    "processes": 1024,
    "copy_bytes": 64 << 20,
    "copy_files": 5000,
}
ADDED: Final[Mapping[str, str]] = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "npm_config_prefer_offline": "true",
    "UV_OFFLINE": "1",
}
"""Without a network npx and uvx would try for a minute what their caches have."""
FRESH: Final = ("/tmp", "/run")
NOTIFY: Final = ("execve", "execveat")
"""System calls that the watcher hears of before they run: programs that are started."""
NOTIFY_NETWORK: Final = ("connect", "sendto")
"""Those that tell of connections, where no packets can be seen."""
HOST: Final = re.compile(r"[^\s:/@\[\]]+|\[[0-9A-Fa-f:.]+\]")
HOSTS: Final = "/etc/hosts"
USUAL_PORTS: Final = (443, 80)
"""The ports of a host that is allowed without one."""

SAMPLES: Final = "/tmp/mcp-assay-samples"
"""The folder of every world that has the prepared files."""


def specification(
    command: Sequence[str],
    environment: Mapping[str, str],
    options: SandboxOptions,
    backend: Backend = "namespaces",
    backing: str | None = None,
) -> dict[str, Any]:
    """All that the launcher needs to know to make a world around a command."""
    cwd = os.path.realpath(options.work or os.getcwd())
    fresh = _fresh(environment)
    shown = {os.path.realpath(os.path.expanduser(path)) for path in options.show}
    hidden = [path for path in hidden_places(environment) if path not in shown]
    site, trusting = (None, {}) if backend == "bwrap" else trust(environment)
    return {
        "backend": backend,
        "bwrap": bwrap() if backend == "bwrap" else None,
        "command": list(command),
        "environment": {**environment, **ADDED, **trusting},
        "cwd": cwd,
        "work": work_folders(command, cwd),
        "needed": needed(command, environment, fresh, cwd),
        "fresh": fresh,
        "hide": hidden,
        "plant": planted_secrets(environment, shown),
        "prepared": prepared(options),
        "least": None if options.least is None else _least(options.least),
        "allow": allowed_hosts(options.allow),
        "site": site,
        "limits": limits(options.limits),
        "notify": [*NOTIFY, *ATTEMPTS.split(), *(NOTIFY_NETWORK if backend == "bwrap" else ())],
        "keep": options.keep is not None,
        "backing": backing,
        "umask": current_umask(),
    }


def _least(least: LeastWrites) -> dict[str, list[str]]:
    """The places that may be changed, with those that are ours: calls may name them."""
    return {
        "open": [*least.open, SAMPLES],
        "temporary": list(least.temporary),
        "new_folders": list(least.new_folders),
        "new_files": list(least.new_files),
    }


def limits(own: Mapping[str, int] | None = None) -> dict[str, int]:
    """What a world may take; of a small machine, not more than it can bear."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = {"disk_bytes": memory // 4, "memory_bytes": memory // 2}
    wanted = {**LIMITS, **(own or {})}
    return {name: min(value, most.get(name, value)) for name, value in wanted.items()}


def current_umask() -> int:
    """The mask of this process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _fresh(environment: Mapping[str, str]) -> list[str]:
    own = os.path.realpath(environment.get("TMPDIR") or "/tmp")
    is_new = own not in FRESH and os.path.isdir(own)
    return [*FRESH, own] if is_new else [*FRESH]


def prepared(options: SandboxOptions) -> dict[str, Any]:
    """The files that the world has and the machine has not, and the folders that get them."""
    ours = {} if options.prepare_from else prepared_files()
    return {
        "folder": SAMPLES,
        "work": list(options.prepared),
        "source": options.prepare_from,
        "files": {path: b64encode(content).decode() for path, content in ours.items()},
    }


def with_prepared_work(command: Sequence[str], options: SandboxOptions) -> SandboxOptions:
    """The same world, in which working folders that are empty now have the prepared files."""
    folders = work_folders(command, os.path.realpath(options.work or os.getcwd()))
    return replace(options, prepared=tuple(filter(_is_empty, folders)))


def _is_empty(folder: str) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:
        return False


def work_folders(command: Sequence[str], cwd: str) -> list[str]:
    """The folder that the server is started in, and those that its command names."""
    return [one for one in (cwd, *_named_folders(command, cwd)) if one != "/"]


def _named_folders(command: Sequence[str], cwd: str) -> list[str]:
    """The folders that a command names: a server is about to work in them."""
    words = (os.path.join(cwd, word) for word in command[1:])
    found = {os.path.realpath(word) for word in words if not is_own(word)}
    return sorted(path for path in found if os.path.isdir(path) and path != cwd)


def needed(
    command: Sequence[str], environment: Mapping[str, str], fresh: Sequence[str], cwd: str
) -> list[str]:
    """What the command needs of places that begin empty: the nearest thing below such a place."""
    program = shutil.which(command[0], path=environment.get("PATH")) or command[0]
    words = [program, *command[1:], cwd, sys.executable, __file__]
    words += [part for value in environment.values() for part in value.split(os.pathsep)]
    found = set()
    for word in words:
        for path in {os.path.abspath(os.path.join(cwd, word)), os.path.realpath(word)}:
            place = next((one for one in fresh if path.startswith(one + "/")), None)
            if place is not None and os.path.lexists(path):
                found.add(place + "/" + path[len(place) + 1 :].split("/")[0])
    return sorted(found)


def allowed_hosts(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Every host and port that may be reached, with the address that it has in the world."""
    rows, addresses = [], dict[str, str]()
    for text in texts:
        host, ports = host_and_ports(text)
        address = addresses.setdefault(host, _address(host, len(addresses)))
        rows += [{"host": host, "port": port, "address": address} for port in ports]
    return [row for at, row in enumerate(rows) if row not in rows[:at]]


def host_and_ports(text: str) -> tuple[str, tuple[int, ...]]:
    """Read HOST or HOST:PORT; raises ValueError where it is neither."""
    host, sign, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    host = host if sign else text
    number = int(port) if port.isdecimal() else 0
    if not HOST.fullmatch(host) or (sign and not 0 < number < 1 << 16):
        raise ValueError(f"{text!r} is not HOST or HOST:PORT")
    return host.lower().strip("[]"), (number,) if sign else USUAL_PORTS


def _address(host: str, row: int) -> str:
    """The address of a host in the world: the one that it is, or that the list of hosts has.

    All others have one that looks public, for some clients refuse private ones.
    """
    for text in (host, *_listed(host)):
        with suppress(ValueError):
            return str(ipaddress.IPv4Address(text))
    return str(ipaddress.IPv4Address("11.0.0.1") + row)


def _listed(host: str) -> list[str]:
    """The addresses that programs find for a host without asking anybody."""
    try:
        with open(HOSTS, encoding="utf-8", errors="replace") as file:
            rows = [line.partition("#")[0].lower().split() for line in file]
    except OSError:
        return []
    return [row[0] for row in rows if host in row[1:]]
