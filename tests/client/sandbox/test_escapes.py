"""Nobody gets out of a world: every attempt is refused or harmless, for root and for others."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from mcp_assay.client.sandbox.backends import bwrap
from mcp_assay.client.sandbox.refusal import NoSandbox
from tests.client.sandbox import probes
from tests.client.sandbox.yards import Ended, Who, Yard, everybody, yard

MISSING: Final = {"clone3", "io_setup", "io_uring_setup", "a_call_of_the_future", "x32_calls"}
"""What the kernel says that it does not have."""
FAMILIES: Final = (
    "vsock_socket",
    "packet_socket",
    "kernel_crypto_socket",
    "audit_socket",
    "key_socket",
    "bluetooth_socket",
    "xdp_socket",
)
CAP_SYS_RESOURCE: Final = 24
GONE: Final = ("ENOENT", "ENXIO", "ENOTDIR")
DENIED: Final = ("EACCES", "EPERM", "EROFS")
EXPECTED: Final[dict[str, tuple[object, ...]]] = {
    **dict.fromkeys(probes.CALLS, ("EPERM",)),
    **dict.fromkeys(MISSING, ("ENOSYS",)),
    **dict.fromkeys(FAMILIES, ("EAFNOSUPPORT",)),
    "raw_icmp": ("EPERM",),
    "network_settings": ("EPERM",),
    "socket_of_the_host_by_path": ("ECONNREFUSED",),
    "abstract_socket_of_the_host": ("ECONNREFUSED",),
    "loopback_of_the_host": ("ECONNREFUSED",),
    "an_address_outside": ("ECONNREFUSED", "ENETUNREACH"),
    "an_address_outside_by_ipv6": ("ECONNREFUSED", "ENETUNREACH", "EAFNOSUPPORT"),
    **dict.fromkeys(probes.WRITTEN, (*GONE, *DENIED)),
    **dict.fromkeys(probes.READ, DENIED),
    **dict.fromkeys(probes.EMPTY, ("read b''", "ENOENT", "EACCES", "EPERM")),
    **dict.fromkeys(probes.LISTED, (*GONE, *DENIED)),
    "sysrq": (1, *GONE, *DENIED),
    "descriptors_of_the_first": (["EACCES"], "EACCES", "EPERM"),
    "hardware": ([],),
    "kill_the_first": ("sent",),
    "kill_a_process_of_the_host": ("ESRCH",),
    "kill_the_own_group": (-9,),
    "processes_seen": (True,),
    "a_process_of_the_host_seen": (False,),
    "group_of_the_server": ([True, 1],),
    "descriptors": ([0, 1, 2],),
    "capabilities": (True,),
    "no_new_rights": (["1", "2"],),
    "raise_capabilities": ("EPERM",),
    "become_another_user": ("EPERM", "EINVAL"),
    "become_root": ("EPERM", "EINVAL", 0),
    "program_with_the_rights_of_its_owner": (True,),
    "mount_by_a_privileged_program": (True,),
    "device_node": ("EPERM",),
    "interrupt_the_first": (True,),
    "starve_the_first": (["EPERM"],),
    "join_the_group_of_the_first": (0,),
    "slow_down_the_session": (2, "EAGAIN", "ENOENT"),
    "dump_memory_to_the_host": ([1, 1] if resource.getrlimit(resource.RLIMIT_CORE)[1] else [0, 0],),
    "ahead_of_others": ([[0, 0], [0, 0]],),
    "let_others_go_first": (1, "EACCES"),
    "change_a_device": (["EROFS"],),
    "use_the_devices": ([1, "00"],),
    "type_for_a_terminal": ("EPERM",),
    "run_from_memory": (0,),
    "change_the_own_program": (True,),
    "real_secret": (False,),
    "other_real_secrets": (False,),
    "hashes_of_passwords": (False, "EACCES"),
    "pipe_of_the_host": ("ENXIO",),
    "shared_memory_of_the_host": (False,),
    "name_of_the_machine": ("sandbox",),
    "environment_of_the_launcher": (False,),
    "swap_a_descriptor": ("swapped",),
    "climb_out_by_folders": (True,),
    "change_everything": ("changed",),
    "deep_and_odd_names": ("made",),
}
"""What may come of each attempt."""


class Tried(NamedTuple):
    """What came of all attempts in one world."""

    who: Who
    world: Ended
    found: dict[str, Any]
    before: str
    after: str
    reached: list[str]
    """What of the host noticed anything."""


@pytest.fixture(scope="module", params=everybody())
def tried(request: pytest.FixtureRequest) -> Iterator[Tried]:
    with ExitStack() as stack:
        place = stack.enter_context(yard(request.param))
        yield attempted(place, stack, {})


def by_bwrap(place: Yard) -> dict[str, Any]:
    """What makes bwrap make the world; skips where there is none that can."""
    try:
        program = bwrap()
    except NoSandbox as why:
        pytest.skip(str(why))
    (place.folder / "backing").mkdir(mode=0o777)
    os.chown(place.folder / "backing", place.who.user, place.who.user)
    return {"backend": "bwrap", "bwrap": program, "backing": str(place.folder / "backing")}


def attempted(place: Yard, stack: ExitStack, changes: dict[str, Any]) -> Tried:
    """Make all attempts in one world, with things on the host that would notice."""
    mark = secrets.token_hex(8)
    pathname = stack.enter_context(socket.socket(socket.AF_UNIX))
    pathname.bind(str(place.folder / "socket"))
    os.chmod(place.folder / "socket", 0o777)
    abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind("\0" + mark)
    port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    listeners = {"path": pathname, "abstract": abstract, "port": port}
    for one in (pathname, abstract):
        one.listen()
    os.mkfifo(place.folder / "pipe", 0o777)
    reader = os.open(place.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    stack.callback(os.close, reader)
    Path("/dev/shm", mark).write_text("shared")
    stack.callback(os.unlink, f"/dev/shm/{mark}")
    waiting = [sys.executable, "-c", "input()", mark]
    victim = stack.enter_context(subprocess.Popen(waiting, stdin=subprocess.PIPE))
    facts = {
        "mark": mark,
        "socket": str(place.folder / "socket"),
        "abstract": mark,
        "port": port.getsockname()[1],
        "pid": victim.pid,
        "home": str(place.home),
        "work": str(place.work),
        "secret": place.secret,
        "pipe": str(place.folder / "pipe"),
        "shared": mark,
    }
    program = place.add("probes.py", Path(probes.__file__).read_text())
    before = fingerprint(place)
    world = place.run(place.python, "-I", "-S", program, json.dumps(facts), **changes)
    assert world.first["event"] == "started", world
    assert world.code == 0, world.output
    reached = [name for name, one in listeners.items() if has_caller(one)]
    if victim.poll() is not None:
        reached.append("process")
    victim.kill()
    found = json.loads(world.output.splitlines()[-1])
    return Tried(place.who, world, found, before, fingerprint(place), reached)


def fingerprint(place: Yard) -> str:
    """The yard, the interpreter, and what a world that leaks would change first."""
    system = (place.python, "/etc/passwd", "/usr/bin/id", "/proc/sys/kernel/core_pattern")
    hashes = [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in system]
    marks = [os.path.exists(f"{folder}/mark-of-a-world") for folder in ("", "/etc", "/usr/bin")]
    settings = Path("/proc/sys/kernel/pid_max").read_text(), os.uname().nodename, share()
    return repr((place.fingerprint(), hashes, marks, settings))


def share() -> str:
    """How much of the processor the session of this process gets, where sessions share it."""
    place = Path("/proc/self/autogroup")
    return place.read_text() if place.exists() else ""


def has_caller(listener: socket.socket) -> bool:
    """Whether anybody has connected."""
    listener.setblocking(False)
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def test_every_attempt_is_expected_to_end_somehow(tried: Tried) -> None:
    assert set(tried.found) == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_attempt_to_get_out_is_refused_or_harmless(tried: Tried, name: str) -> None:
    assert tried.found[name] in EXPECTED[name]


def test_the_host_is_the_same_afterwards(tried: Tried) -> None:
    assert tried.after == tried.before


def test_nothing_of_the_host_was_reached(tried: Tried) -> None:
    assert tried.reached == []


def test_an_ordinary_user_does_not_become_root(tried: Tried) -> None:
    if tried.who.user == 0:
        assert tried.found["become_root"] == 0  # it was, and has no rights by that
    else:
        assert tried.found["become_root"] in ("EPERM", "EINVAL")


def test_where_root_makes_the_world_it_stays_the_first_to_go(tried: Tried) -> None:
    held = int(Path("/proc/self/status").read_text().partition("CapEff:")[2].split()[0], 16)
    is_of_machine = Path("/proc/self/uid_map").read_text().split()[2] == "4294967295"
    if tried.who.user == 0 and is_of_machine and held >> CAP_SYS_RESOURCE & 1:
        assert tried.found["let_others_go_first"] == "EACCES"


def test_the_report_names_what_was_hidden(tried: Tried) -> None:
    hidden = {Path(path).name for path in tried.world.first["hidden"]}
    assert {".ssh", "gh", ".git-credentials"} <= hidden


@pytest.mark.parametrize("who", everybody())
def test_a_world_made_by_bwrap_has_the_same_walls(who: Who) -> None:
    with ExitStack() as stack:
        place = stack.enter_context(yard(who))
        tried = attempted(place, stack, by_bwrap(place))
    wrong = {name: one for name, one in tried.found.items() if one not in EXPECTED[name]}
    assert wrong == {}
    assert tried.after == tried.before
    assert tried.reached == []
