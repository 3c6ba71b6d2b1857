"""The filter of system calls in a world: refused, reported to the watcher, or let through."""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable

from mcp_assay.client.sandbox.system_calls import AUDIT_MACHINES, LAST_KNOWN, NUMBERS, machine

ALLOW, NOTIFY, ERROR = 0x7FFF0000, 0x7FC00000, 0x00050000
REFUSED = """
    mount umount2 pivot_root chroot fsopen fsmount fsconfig fspick move_mount open_tree
    open_tree_attr mount_setattr setns swapon swapoff reboot kexec_load kexec_file_load
    init_module finit_module delete_module settimeofday clock_settime adjtimex clock_adjtime
    sethostname setdomainname ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp
    process_madvise process_mrelease keyctl add_key request_key bpf perf_event_open userfaultfd
    open_by_handle_at name_to_handle_at fanotify_init fanotify_mark quotactl quotactl_fd acct
    syslog lookup_dcookie iopl ioperm modify_ldt vhangup nfsservctl _sysctl uselib ustat sysfs
    move_pages migrate_pages memfd_secret
"""
"""No server needs these; each reaches the kernel, other processes, or the world's own walls."""
ATTEMPTS = """
    mount umount2 pivot_root fsopen fsmount fspick move_mount open_tree mount_setattr setns
    kexec_load kexec_file_load init_module finit_module delete_module bpf open_by_handle_at
    process_vm_writev pidfd_getfd
"""
"""Those of them that no honest program makes by the way: who makes one wants to get out. They are
reported, and refused by the listener, never let through."""
MISSING = "io_uring_setup io_uring_enter io_uring_register clone3 io_setup"
"""What programs can do without, where the kernel says that it does not have it: io_uring goes past
every filter, what clone3 asks for lies in memory, where a filter cannot look, and io_setup takes
from what the whole machine has of it."""
FIRST_PROCESS = 1
OF_PROCESSES = {
    "prlimit64": 0,
    "sched_setparam": 0,
    "sched_setscheduler": 0,
    "sched_setattr": 0,
    "sched_setaffinity": 0,
    "setpriority": 1,
    "ioprio_set": 1,
}
"""Calls that change another process of the same user, and which argument is its number: the first
process of the world watches over its bounds, and must not be slowed down or starved."""
OF_USERS = {"setpriority": 2, "ioprio_set": 3}
"""Those that can be meant for all processes of a user, and the first argument that says so."""
RLIMIT_CORE = 4
SUCCESS = 0
NAMESPACES = 0x7E020080
"""The flags of clone and unshare that ask for new namespaces."""
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
"""Nothing but these is bounded by the world's own network."""
PROTOCOLS = (0, 1, 6, 17, 58, 255, 262)
"""ICMP, TCP, UDP, ICMPv6, raw and multipath TCP: what else there is would not be seen."""
KIND_OF_SOCKET, SEQUENCED = 0xF, 5
"""SOCK_SEQPACKET and above stand for other protocols."""
AF_NETLINK, NETLINK_ROUTE = 16, 0
TERMINAL_REQUESTS = (0x5412, 0x541C, 0x5423)
"""TIOCSTI and TIOCLINUX type for somebody else; TIOCSETD loads code into the kernel."""
LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
CALL, MACHINE, ARGUMENTS = 0, 4, 16
"""Where the kernel's record of a call has them."""

Instruction = tuple[int, int, int, int]


def program(notify: Iterable[str] = (), on: str | None = None) -> bytes:
    """The filter for a machine; calls named in `notify` go to the listener before they run."""
    here = on or machine()
    known = NUMBERS[here]
    rules = [*_foreign(here)]
    reported = set(notify).intersection(ATTEMPTS.split(), known)
    for name in sorted(reported):
        rules += [(EQUAL, 0, 1, known[name]), (RETURN, 0, 0, NOTIFY)]
    for names, code in ((REFUSED, errno.EPERM), (MISSING, errno.ENOSYS)):
        rules += [
            one for name in names.split() if name in known for one in _answer(known[name], code)
        ]
    rules += _first_process(known) + _core_dumps(known)
    rules += _new_namespaces(known) + _sockets(known) + _terminals(known)
    for name in notify:
        if name in known and name not in reported:
            rules += _when(known[name], [(RETURN, 0, 0, NOTIFY)])
    rules.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *rule) for rule in rules)


def _foreign(here: str) -> list[Instruction]:
    """Calls of another machine, of the future or of x32 do not exist."""
    return [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, AUDIT_MACHINES[here]),
        (RETURN, 0, 0, ERROR | errno.ENOSYS),
        (LOAD, 0, 0, CALL),
        (AT_LEAST, 0, 1, LAST_KNOWN + 1),
        (RETURN, 0, 0, ERROR | errno.ENOSYS),
    ]


def _answer(number: int, code: int) -> list[Instruction]:
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | code)]


def _when(number: int, body: list[Instruction]) -> list[Instruction]:
    """Run the body for one call alone; where it falls through, the call's number is loaded anew."""
    again: Instruction = (LOAD, 0, 0, CALL)
    return [(EQUAL, 0, len(body) + 1, number), *body, again]


def _argument(index: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * index)


def _upper_half(index: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * index + 4)


def _first_process(known: dict[str, int]) -> list[Instruction]:
    """Nobody changes what the first process may have of the machine."""
    refuse: Instruction = (RETURN, 0, 0, ERROR | errno.EPERM)
    rules = []
    for name, index in OF_PROCESSES.items():
        body = [_argument(index), (EQUAL, 0, 1, FIRST_PROCESS), refuse]
        if name in OF_USERS:
            body += [_argument(0), (EQUAL, 0, 1, OF_USERS[name]), refuse]
        rules += _when(known[name], body)
    return rules


def _core_dumps(known: dict[str, int]) -> list[Instruction]:
    """The limit of core dumps stays as it is, and programs that want none go on."""
    kept: Instruction = (RETURN, 0, 0, ERROR | SUCCESS)
    is_asked_only = [_argument(2), (EQUAL, 0, 2, 0), _upper_half(2), (EQUAL, 1, 0, 0)]
    either = [_argument(1), (EQUAL, 0, 5, RLIMIT_CORE), *is_asked_only, kept]
    rules = _when(known["prlimit64"], either)
    if "setrlimit" in known:
        rules += _when(known["setrlimit"], [_argument(0), (EQUAL, 0, 1, RLIMIT_CORE), kept])
    return rules


def _new_namespaces(known: dict[str, int]) -> list[Instruction]:
    refuse = [(ANY_BIT, 0, 1, NAMESPACES), (RETURN, 0, 0, ERROR | errno.EPERM)]
    return [
        one for name in ("clone", "unshare") for one in _when(known[name], [_argument(0), *refuse])
    ]


def _sockets(known: dict[str, int]) -> list[Instruction]:
    allow: Instruction = (RETURN, 0, 0, ALLOW)
    other: Instruction = (RETURN, 0, 0, ERROR | errno.EAFNOSUPPORT)
    protocols = [one for it in PROTOCOLS for one in ((EQUAL, 0, 1, it), allow)]
    wrong: Instruction = (RETURN, 0, 0, ERROR | errno.EPROTONOSUPPORT)
    body = [_argument(0), (EQUAL, 0, 1, AF_UNIX), allow]
    body += [(EQUAL, 0, 3, AF_NETLINK), _argument(2), (EQUAL, 0, 1, NETLINK_ROUTE), allow]
    body += [_argument(0), (EQUAL, 2, 0, AF_INET), (EQUAL, 1, 0, AF_INET6), other]
    body += [_argument(1), (AND, 0, 0, KIND_OF_SOCKET), (AT_LEAST, 0, 1, SEQUENCED), wrong]
    body += [_argument(2), *protocols, wrong]
    pairs = [_argument(0), (EQUAL, 1, 0, AF_UNIX), other, allow]
    return _when(known["socket"], body) + _when(known["socketpair"], pairs)


def _terminals(known: dict[str, int]) -> list[Instruction]:
    body = [_argument(1)]
    for request in TERMINAL_REQUESTS:
        body += [(EQUAL, 0, 1, request), (RETURN, 0, 0, ERROR | errno.EPERM)]
    return _when(known["ioctl"], body)
