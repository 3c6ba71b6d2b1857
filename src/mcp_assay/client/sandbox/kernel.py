"""What Python's library does not have of Linux: mounts, namespaces, capabilities, filters."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcp_assay.client.sandbox.system_calls import number

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SECUREBITS = 1, 4, 24, 28
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECUREBITS_LOCKED = 0b11101111
"""Root is nobody special, identity changes give nothing back, nothing ambient: all for good."""
MOST_CAPABILITIES = 64
NO_CORE = (1, 1)
"""The limit of core dumps with which there is none: with 0 the kernel would still hand the memory
of a process that crashes to a program of the machine that collects it, with 1 it does not."""
CAPABILITY_VERSION = 0x20080522
SECCOMP_SET_MODE_FILTER, SECCOMP_NEW_LISTENER = 1, 8

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result


def _text(value: str | None) -> bytes | None:
    return None if value is None else os.fsencode(value)


def mount(
    source: str | None, target: str, kind: str | None, flags: int = 0, data: str = ""
) -> None:
    """Mount a file system, or change a mount."""
    given = (_text(source), _text(target), _text(kind), ctypes.c_ulong(flags), _text(data or None))
    _checked(_libc.mount(*given), target)


def unmount(target: str) -> None:
    """Take a mount out of sight; what uses it still, keeps it."""
    _checked(_libc.umount2(_text(target), MNT_DETACH), target)


def bind(source: str, target: str) -> None:
    """Show a folder or file at a second place, without what is mounted below it."""
    mount(source, target, None, MS_BIND)


def bind_all(source: str, target: str) -> None:
    """Show a folder or file at a second place, with what is mounted below it."""
    mount(source, target, None, MS_BIND | MS_REC)


def keep_from_change(path: str) -> None:
    """Let nobody change what a mount shows; devices can be written to nevertheless."""
    held = os.statvfs(path).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)  # these cannot be dropped
    mount(None, path, None, MS_BIND | MS_REMOUNT | MS_RDONLY | held)


def unshare(flags: int) -> None:
    """Go into new namespaces."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root folder, and put the one before below it."""
    _checked(_libc.syscall(number("pivot_root"), _text(new), _text(old)), new)


def set_host_name(name: str) -> None:
    """Name the machine, in this namespace."""
    _checked(_libc.sethostname(name.encode(), len(name.encode())), "sethostname")


def prctl(option: int, value: int = 0, more: int = 0) -> None:
    """Change something about this process."""
    numbers = (ctypes.c_ulong(value), ctypes.c_ulong(more), ctypes.c_ulong(0), ctypes.c_ulong(0))
    _checked(_libc.prctl(option, *numbers), f"prctl {option}")


def die_with_parent() -> None:
    """Have this process killed when its parent ends."""
    prctl(PR_SET_PDEATHSIG, 9)


def act_as(identity: dict[str, Any]) -> None:
    """Use files as a user would, with root's other rights: for what root does for that user."""
    os.setgroups(identity["groups"])
    os.setresgid(*(identity["group"],) * 3)
    os.setresuid(identity["user"], 0, 0)
    _libc.setfsuid(identity["user"])


@contextmanager
def all_file_rights() -> Iterator[None]:
    """While inside, use files with all the rights that this process has."""
    user = _libc.setfsuid(os.geteuid())
    try:
        yield
    finally:
        _libc.setfsuid(user)


def become(identity: dict[str, Any]) -> None:
    """Be a user, for good."""
    os.setgroups(identity["groups"])
    os.setresgid(*(identity["group"],) * 3)
    os.setresuid(*(identity["user"],) * 3)


def give_up_capabilities(identity: dict[str, Any] | None = None) -> None:
    """Lose every capability, and every way to get one back, also by being root; be that user."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(MOST_CAPABILITIES):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # the kernel knows no more of them
    prctl(PR_SET_SECUREBITS, SECUREBITS_LOCKED)
    if identity:
        become(identity)
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    _checked(_libc.syscall(number("capset"), header, bytes(24)), "capset")


def dump_no_core() -> None:
    """Leave no memory behind where this process, or one that it starts, crashes."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, NO_CORE)
    except ValueError:  # the user may have none at all, and less than one is the best there is
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def install_filter(program: bytes, has_listener: bool) -> int:
    """Obey a filter of system calls from now on; gives the listener's descriptor, or 0."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    instructions = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(instructions))
    flags = ctypes.c_ulong(SECCOMP_NEW_LISTENER if has_listener else 0)
    mode = ctypes.c_ulong(SECCOMP_SET_MODE_FILTER)
    return _checked(_libc.syscall(number("seccomp"), mode, flags, head), "seccomp")
