"""The filter of system calls, run by a small machine of our own: for both processors."""

from __future__ import annotations

import errno
import struct

import pytest

from mcp_assay.client.sandbox import filter as calls
from mcp_assay.client.sandbox.filter import (
    ALLOW,
    ATTEMPTS,
    ERROR,
    MISSING,
    NOTIFY,
    REFUSED,
    program,
)
from mcp_assay.client.sandbox.system_calls import AUDIT_MACHINES, LAST_KNOWN, NUMBERS

BOTH = pytest.mark.parametrize("on", sorted(NUMBERS))


def decided(text: bytes, number: int, *given: int, machine: int) -> int:
    """What a filter says about a call."""
    data = struct.pack("=IIQ6Q", number, machine, 0, *(*given, 0, 0, 0, 0, 0, 0)[:6])
    rules = list(struct.iter_unpack("=HBBI", text))
    at, value = 0, 0
    while True:
        code, yes, no, operand = rules[at]
        at += 1
        if code == calls.LOAD:
            value = struct.unpack_from("=I", data, operand)[0]
        elif code == calls.RETURN:
            return int(operand)
        elif code == calls.EQUAL:
            at += yes if value == operand else no
        elif code == calls.AT_LEAST:
            at += yes if value >= operand else no
        elif code == calls.AND:
            value &= operand
        else:
            assert code == calls.ANY_BIT
            at += yes if value & operand else no


def decide(on: str, name: str, *given: int, notify: tuple[str, ...] = ()) -> int:
    """What the filter of a processor says about a call of this name."""
    machine = AUDIT_MACHINES[on]
    return decided(program(notify, on), NUMBERS[on][name], *given, machine=machine)


@BOTH
def test_what_no_server_needs_is_refused(on: str) -> None:
    for name in set(REFUSED.split()) & set(NUMBERS[on]):
        assert decide(on, name) == ERROR | errno.EPERM, name


@BOTH
def test_attempts_to_leave_are_reported_where_somebody_hears_of_them(on: str) -> None:
    names = tuple(ATTEMPTS.split())
    for name in set(names) & set(NUMBERS[on]):
        assert name in REFUSED.split()  # so nothing lets it through where nobody does
        assert decide(on, name, notify=names) == NOTIFY, name
    assert decide(on, "ptrace", notify=(*names, "ptrace")) == ERROR | errno.EPERM


@BOTH
def test_what_goes_past_filters_does_not_exist(on: str) -> None:
    for name in MISSING.split():
        assert decide(on, name) == ERROR | errno.ENOSYS, name


@BOTH
@pytest.mark.parametrize("name", ["openat", "execve", "connect", "kill", "memfd_create"])
def test_what_servers_do_is_let_through_or_reported(on: str, name: str) -> None:
    assert decide(on, name) == ALLOW
    assert decide(on, name, notify=(name,)) == NOTIFY


@BOTH
@pytest.mark.parametrize("name", ["clone", "unshare"])
def test_namespaces_are_refused_and_threads_are_not(on: str, name: str) -> None:
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(on, name, flag | 0x11) == ERROR | errno.EPERM
    assert decide(on, name, 0x3D0F00) == ALLOW
    assert decide(on, name, 0x3D0F00, notify=(name,)) == NOTIFY


@BOTH
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((1, 1, 0), ALLOW),
        ((2, 1, 0), ALLOW),
        ((10, 2, 0), ALLOW),
        ((16, 3, 0), ALLOW),
        ((16, 3, 9), ERROR | errno.EAFNOSUPPORT),
        ((17, 3, 0), ERROR | errno.EAFNOSUPPORT),
        ((40, 1, 0), ERROR | errno.EAFNOSUPPORT),
    ],
)
def test_only_families_that_a_namespace_bounds_are_there(
    on: str, given: tuple[int, ...], said: int
) -> None:
    assert decide(on, "socket", *given) == said


@BOTH
@pytest.mark.parametrize("name", sorted(calls.OF_PROCESSES))
def test_nobody_changes_the_first_process(on: str, name: str) -> None:
    at = calls.OF_PROCESSES[name]
    assert decide(on, name, *[0] * at, 1) == ERROR | errno.EPERM
    assert decide(on, name, *[0] * at, 2) == ALLOW
    assert decide(on, name, *[0] * at, 0) == ALLOW


@BOTH
def test_nobody_changes_all_processes_of_a_user(on: str) -> None:
    assert decide(on, "setpriority", 2, 0, 19) == ERROR | errno.EPERM
    assert decide(on, "ioprio_set", 3, 1000, 0) == ERROR | errno.EPERM
    assert decide(on, "ioprio_set", 2, 0, 0) == ALLOW


@BOTH
@pytest.mark.parametrize("new", [8, 1 << 32, 0x7FFF00000000])
def test_a_limit_of_core_dumps_is_asked_for_and_never_set(on: str, new: int) -> None:
    assert decide(on, "prlimit64", 0, 4, new) == ERROR
    assert decide(on, "prlimit64", 0, 4, 0, 8) == ALLOW
    assert decide(on, "prlimit64", 0, 7, new) == ALLOW
    assert decide(on, "setrlimit", 4, new) == ERROR
    assert decide(on, "setrlimit", 7, new) == ALLOW


@BOTH
def test_nobody_types_for_somebody_else(on: str) -> None:
    assert decide(on, "ioctl", 0, 0x5412) == ERROR | errno.EPERM
    assert decide(on, "ioctl", 0, 0x5401) == ALLOW


@BOTH
def test_calls_of_the_future_and_of_other_machines_do_not_exist(on: str) -> None:
    missing, machine = ERROR | errno.ENOSYS, AUDIT_MACHINES[on]
    for number in (LAST_KNOWN + 1, 0x40000000, 0xFFFFFFFF):
        assert decided(program(on=on), number, machine=machine) == missing
    assert decided(program(on=on), 0, machine=0x40000003) == missing


@BOTH
def test_every_refused_call_has_a_number_on_some_machine(on: str) -> None:
    everywhere = set(NUMBERS["x86_64"]) | set(NUMBERS["aarch64"])
    assert {*REFUSED.split(), *MISSING.split()} <= everywhere
    assert max(NUMBERS[on].values()) <= LAST_KNOWN


@BOTH
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((2, 1 | 0o2000000, 0), ALLOW),
        ((10, 2 | 0o4000, 17), ALLOW),
        ((2, 1, 262), ALLOW),
        ((1, 5, 0), ALLOW),
        ((2, 1, 132), ERROR | errno.EPROTONOSUPPORT),
        ((2, 2, 136), ERROR | errno.EPROTONOSUPPORT),
        ((10, 5, 0), ERROR | errno.EPROTONOSUPPORT),
        ((2, 6 | 0o4000, 0), ERROR | errno.EPROTONOSUPPORT),
        ((30, 1, 0), ERROR | errno.EAFNOSUPPORT),
    ],
)
def test_only_protocols_that_are_seen_can_be_spoken(
    on: str, given: tuple[int, ...], wanted: int
) -> None:
    assert decide(on, "socket", *given) == wanted


@BOTH
def test_pairs_of_sockets_are_local(on: str) -> None:
    assert decide(on, "socketpair", 1, 1, 0) == ALLOW
    assert decide(on, "socketpair", 30, 1, 0) == ERROR | errno.EAFNOSUPPORT
