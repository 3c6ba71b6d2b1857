"""Attempts to get out of a world, run inside it: each says what came of it.

It is a program of its own, for the standard library alone: `python probes.py FACTS`, where FACTS
is JSON about the host. It prints one JSON object: for each attempt the error that it ended with,
or what it found.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

Facts = dict[str, Any]
Probe = Callable[[Facts], object]
PROBES: dict[str, Probe] = {}
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
BUFFER = ctypes.create_string_buffer(4096)
CALLS: dict[str, tuple[int, int, tuple[Any, ...]]] = {
    "mount": (165, 40, (b"none", b"/tmp", b"tmpfs", 0, None)),
    "umount": (166, 39, (b"/proc", 2)),
    "pivot_root": (155, 41, (b"/tmp", b"/tmp")),
    "chroot": (161, 51, (b"/tmp",)),
    "unshare_user": (272, 97, (0x10000000,)),
    "unshare_mounts": (272, 97, (0x00020000,)),
    "unshare_network": (272, 97, (0x40000000,)),
    "unshare_processes": (272, 97, (0x20000000,)),
    "clone_with_user_namespace": (56, 220, (0x10000000 | 17, 0, 0, 0, 0)),
    "clone3": (435, 435, (BUFFER, 88)),
    "setns": (308, 268, (0, 0)),
    "io_setup": (206, 0, (1, BUFFER)),
    "io_uring_setup": (425, 425, (8, BUFFER)),
    "bpf": (321, 280, (0, BUFFER, 64)),
    "keyctl": (250, 219, (0, -3, 1)),
    "add_key": (248, 217, (b"user", b"name", b"value", 5, -3)),
    "request_key": (249, 218, (b"user", b"name", None, -3)),
    "perf_event_open": (298, 241, (BUFFER, 0, -1, -1, 0)),
    "userfaultfd": (323, 282, (0,)),
    "open_by_handle_at": (304, 265, (3, BUFFER, 0)),
    "name_to_handle_at": (303, 264, (-100, b"/", BUFFER, BUFFER, 0)),
    "fanotify_init": (300, 262, (0, 0)),
    "ptrace_the_first": (101, 117, (16, 1, 0, 0)),
    "process_vm_readv": (310, 270, (1, BUFFER, 1, BUFFER, 1, 0)),
    "process_vm_writev": (311, 271, (1, BUFFER, 1, BUFFER, 1, 0)),
    "pidfd_getfd": (438, 438, (3, 0, 0)),
    "kcmp": (312, 272, (1, 2, 0, 0, 0)),
    "init_module": (175, 105, (BUFFER, 1, b"")),
    "finit_module": (313, 273, (0, b"", 0)),
    "delete_module": (176, 106, (b"nothing", 0)),
    "kexec_load": (246, 104, (0, 0, 0, 0)),
    "reboot": (169, 142, (0, 0, 0, 0)),
    "swapon": (167, 224, (b"/tmp", 0)),
    "settimeofday": (164, 170, (BUFFER, None)),
    "clock_settime": (227, 112, (0, BUFFER)),
    "sethostname": (170, 161, (b"gone", 4)),
    "syslog": (103, 116, (3, BUFFER, 10)),
    "acct": (163, 89, (b"/tmp/acct",)),
    "quotactl": (179, 60, (0, b"/", 0, BUFFER)),
    "fsopen": (430, 430, (b"tmpfs", 0)),
    "open_tree": (428, 428, (-100, b"/", 1)),
    "move_mount": (429, 429, (-100, b"/", -100, b"/", 0)),
    "mount_setattr": (442, 442, (-100, b"/", 0, BUFFER, 32)),
    "memfd_secret": (447, 447, (0,)),
    "a_call_of_the_future": (499, 499, ()),
}
"""System calls: their numbers on x86-64 and arm64, and arguments."""


def probe(run: Probe) -> Probe:
    PROBES[run.__name__] = run
    return run


def call(name: str) -> object:
    x86, arm, given = CALLS[name]
    result = LIBC.syscall(x86 if X86 else arm, *given)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    if name.startswith("clone") and result == 0:
        os._exit(0)
    return result


def checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


@probe
def x32_calls(_: Facts) -> object:
    result = LIBC.syscall(0x40000000 + 39) if X86 else -1
    code = ctypes.get_errno() if X86 else errno.ENOSYS
    if result < 0:
        raise OSError(code, os.strerror(code))
    return result


def family(number: int, kind: int = socket.SOCK_RAW, protocol: int = 0) -> object:
    with socket.socket(number, kind, protocol):
        return "made"


@probe
def vsock_socket(_: Facts) -> object:
    return family(40, socket.SOCK_STREAM)


@probe
def packet_socket(_: Facts) -> object:
    return family(17)


@probe
def kernel_crypto_socket(_: Facts) -> object:
    return family(38, socket.SOCK_SEQPACKET)


@probe
def audit_socket(_: Facts) -> object:
    return family(16, socket.SOCK_RAW, 9)


@probe
def key_socket(_: Facts) -> object:
    return family(15, socket.SOCK_RAW, 2)


@probe
def bluetooth_socket(_: Facts) -> object:
    return family(31)


@probe
def xdp_socket(_: Facts) -> object:
    return family(44)


@probe
def raw_icmp(_: Facts) -> object:
    return family(socket.AF_INET, socket.SOCK_RAW, 1)


@probe
def network_settings(_: Facts) -> object:
    """Take the loopback down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        return fcntl.ioctl(asked, 0x8914, struct.pack("16sh22x", b"lo", 0)).hex()


def connected(kind: int, address: Any) -> str:
    with socket.socket(kind, socket.SOCK_STREAM) as link:
        link.settimeout(5)
        link.connect(address)
        return "connected"


@probe
def socket_of_the_host_by_path(facts: Facts) -> object:
    return connected(socket.AF_UNIX, facts["socket"])


@probe
def abstract_socket_of_the_host(facts: Facts) -> object:
    return connected(socket.AF_UNIX, "\0" + facts["abstract"])


@probe
def loopback_of_the_host(facts: Facts) -> object:
    return connected(socket.AF_INET, ("127.0.0.1", facts["port"]))


@probe
def an_address_outside(_: Facts) -> object:
    return connected(socket.AF_INET, ("192.0.2.1", 443))


@probe
def an_address_outside_by_ipv6(_: Facts) -> object:
    return connected(socket.AF_INET6, ("2001:db8::1", 443))


def opened(path: str, flags: int) -> str:
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    try:
        return "read " + repr(os.read(descriptor, 40)) if flags == os.O_RDONLY else "opened"
    finally:
        os.close(descriptor)


WRITTEN = {
    "core_pattern": "/proc/sys/kernel/core_pattern",
    "modprobe_path": "/proc/sys/kernel/modprobe",
    "drop_caches": "/proc/sys/vm/drop_caches",
    "sysctl_hostname": "/proc/sys/kernel/hostname",
    "number_of_processes": "/proc/sys/kernel/pid_max",
    "memory_of_the_first": "/proc/1/mem",
    "memory_of_the_machine": "/dev/mem",
    "kernel_log_device": "/dev/kmsg",
    "terminal": "/dev/tty",
    "first_disk": "/dev/vda",
    "loop_control": "/dev/loop-control",
    "fuse": "/dev/fuse",
    "kvm": "/dev/kvm",
    "network_tunnel": "/dev/net/tun",
    "kernel_settings": "/sys/kernel/uevent_helper",
    "control_groups": "/sys/fs/cgroup/cgroup.procs",
    "interrupts": "/proc/irq/0/smp_affinity",
}
READ = {
    "environment_of_the_first": "/proc/1/environ",
    "map_of_the_first": "/proc/1/maps",
    "stack_of_the_first": "/proc/1/stack",
}
EMPTY = {
    "memory_of_the_kernel": "/proc/kcore",
    "keys": "/proc/keys",
    "kernel_log": "/proc/kmsg",
    "kernel_symbols": "/proc/kallsyms",
    "timers": "/proc/timer_list",
}
LISTED = {
    "root_of_the_first": "/proc/1/root",
    "folder_of_the_first": "/proc/1/cwd",
    "the_machine_below_the_world": "/.held",
}


@probe
def descriptors_of_the_first(_: Facts) -> object:
    """Root may count them, and nobody may look at one or use it."""
    numbers = os.listdir("/proc/1/fd")
    ways: list[Callable[[str], object]] = [os.readlink, lambda path: os.open(path, os.O_RDWR)]
    ends = [run(partial(way, f"/proc/1/fd/{one}")) for one in numbers for way in ways]
    return sorted(set(map(str, ends)))


@probe
def sysrq(_: Facts) -> object:
    """Ask the kernel for help, which is written to its log and changes nothing."""
    return Path("/proc/sysrq-trigger").write_text("h")


@probe
def hardware(_: Facts) -> object:
    return os.listdir("/sys")


@probe
def kill_the_first(_: Facts) -> object:
    os.kill(1, signal.SIGKILL)
    os.kill(1, signal.SIGSTOP)
    os.kill(1, signal.SIGTERM)
    return "sent"


@probe
def interrupt_the_first(_: Facts) -> object:
    """Send it every signal; where it ends by one, so does whoever sent it."""
    for number in sorted(signal.valid_signals() - {signal.SIGCHLD}):
        os.kill(1, number)
    return Path("/proc/1/stat").read_text().rpartition(")")[2].split()[0] in "SR"


@probe
def starve_the_first(_: Facts) -> object:
    """Let the first process have less of the machine: it watches over what the world takes."""
    none = resource.RLIMIT_NOFILE, (3, 3)
    ways: list[Callable[[], object]] = [
        lambda: resource.prlimit(1, *none),
        lambda: os.sched_setaffinity(1, os.sched_getaffinity(0)),
        lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        lambda: os.setpriority(os.PRIO_PGRP, 1, 19),
        lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19),
        lambda: checked(LIBC.syscall(251 if X86 else 30, 1, 1, 3 << 13)),
        lambda: checked(LIBC.syscall(251 if X86 else 30, 3, os.getuid(), 3 << 13)),
    ]
    return sorted({str(run(way)) for way in ways})


@probe
def join_the_group_of_the_first(_: Facts) -> object:
    child = os.fork()
    if child == 0:
        os._exit(0 if run(lambda: os.setpgid(0, 1)) == "EPERM" else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@probe
def slow_down_the_session(_: Facts) -> object:
    """Whoever is in the session of this process gets less of the processor, for good."""
    return Path("/proc/self/autogroup").write_text("19")


@probe
def dump_memory_to_the_host(_: Facts) -> object:
    """With a limit of 0 the kernel would hand dumps to the host's collector; with 1 it does not."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return resource.getrlimit(resource.RLIMIT_CORE)


@probe
def ahead_of_others(_: Facts) -> object:
    return [resource.getrlimit(one) for one in (resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO)]


@probe
def let_others_go_first(_: Facts) -> object:
    """Not be the first to be ended where the machine has no memory left."""
    return Path("/proc/self/oom_score_adj").write_text("0")


@probe
def change_a_device(_: Facts) -> object:
    """Give the devices of the host the permissions that they have: others could be given too."""
    ways = [
        lambda path: os.chmod(path, os.stat(path).st_mode & 0o7777),
        lambda path: os.utime(path, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns)),
    ]
    places = ("/dev/null", "/dev/full", "/dev/urandom", "/proc/kcore", "/proc/keys")
    found = filter(os.path.exists, places)
    return sorted({str(run(partial(way, one))) for one in found for way in ways})


@probe
def use_the_devices(_: Facts) -> object:
    with open("/dev/null", "w") as nothing, open("/dev/zero", "rb") as zeros:
        return nothing.write("x"), zeros.read(1).hex()


@probe
def kill_a_process_of_the_host(facts: Facts) -> object:
    os.kill(facts["pid"], signal.SIGKILL)
    return "sent"


@probe
def kill_the_own_group(_: Facts) -> object:
    """A group that reaches out of the world would take the launcher along."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.kill(0, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@probe
def processes_seen(_: Facts) -> object:
    return len([name for name in os.listdir("/proc") if name.isdigit()]) <= 4


@probe
def a_process_of_the_host_seen(facts: Facts) -> object:
    return any(
        facts["mark"].encode() in Path(f"/proc/{name}/cmdline").read_bytes()
        for name in os.listdir("/proc")
        if name.isdigit() and name not in ("1", str(os.getpid()))
    )


@probe
def group_of_the_server(_: Facts) -> object:
    return os.getpgid(0) == os.getpid(), os.getpgid(1)


@probe
def descriptors(_: Facts) -> object:
    """Which descriptors the server was started with; the fourth lists them."""
    return sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1]


@probe
def capabilities(_: Facts) -> object:
    lines = Path("/proc/self/status").read_text().splitlines()
    return {line.split()[1] for line in lines if line.startswith("Cap")} == {"0" * 16}


@probe
def no_new_rights(_: Facts) -> object:
    lines = Path("/proc/self/status").read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith(("NoNewPrivs", "Seccomp:"))]


@probe
def raise_capabilities(_: Facts) -> object:
    header = struct.pack("=Ii", 0x20080522, 0)
    data = struct.pack("=6I", *(0xFFFFFFFF,) * 6)
    if LIBC.syscall(126 if X86 else 91, header, data) < 0:
        raise OSError(ctypes.get_errno(), "capset")
    return "raised"


@probe
def become_root(_: Facts) -> object:
    os.setuid(0)
    return os.getuid()


@probe
def become_another_user(_: Facts) -> object:
    os.setuid(12345)
    return os.getuid()


@probe
def program_with_the_rights_of_its_owner(facts: Facts) -> object:
    """A copy of a program with the set-user-id bit, made here; and one that the host has."""
    copied = Path(facts["work"]) / "copied"
    copied.write_bytes(Path("/usr/bin/id").read_bytes())
    copied.chmod(0o6755)
    told = subprocess.run([copied, "-u"], capture_output=True, text=True, check=False).stdout
    return int(told) == os.getuid()


@probe
def mount_by_a_privileged_program(_: Facts) -> object:
    done = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "x", "/tmp"], capture_output=True, check=False
    )
    return done.returncode != 0


@probe
def device_node(facts: Facts) -> object:
    os.mknod(facts["work"] + "/disk", 0o60660, os.makedev(254, 0))
    return "made"


@probe
def type_for_a_terminal(_: Facts) -> object:
    controller, terminal = os.openpty()
    try:
        return fcntl.ioctl(terminal, 0x5412, b"x").hex()
    finally:
        os.close(controller)
        os.close(terminal)


@probe
def run_from_memory(_: Facts) -> object:
    """A program without a file is still in the world."""
    made = os.memfd_create("program", 0)
    os.write(made, Path("/usr/bin/id").read_bytes())
    child = os.fork()
    if child == 0:
        os.execve(made, ["id"], {})
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@probe
def change_the_own_program(facts: Facts) -> object:
    """Write through the link to the interpreter: the host's must stay as it is."""
    target = os.path.realpath("/proc/self/exe")
    try:
        os.unlink(target)
        Path(target).write_text("gone")
    except OSError as fault:
        return errno.errorcode[fault.errno or 0] in ("EACCES", "EPERM", "EROFS", "EOVERFLOW")
    return True


@probe
def real_secret(facts: Facts) -> object:
    return facts["secret"] in Path(facts["home"], ".ssh/id_rsa").read_text()


@probe
def other_real_secrets(facts: Facts) -> object:
    """Whether what the user has in other secret places is there."""
    texts = [path.read_bytes() for path in Path(facts["home"]).rglob("*") if path.is_file()]
    return any(facts["secret"].encode() in text for text in texts)


@probe
def hashes_of_passwords(_: Facts) -> object:
    return bool(Path("/etc/shadow").read_bytes()) if os.path.exists("/etc/shadow") else False


@probe
def pipe_of_the_host(facts: Facts) -> object:
    """Somebody reads the other end of this pipe on the host; here nobody does."""
    return opened(facts["pipe"], os.O_WRONLY)


@probe
def shared_memory_of_the_host(facts: Facts) -> object:
    return os.path.exists("/dev/shm/" + facts["shared"])


@probe
def name_of_the_machine(_: Facts) -> object:
    return os.uname().nodename


@probe
def environment_of_the_launcher(_: Facts) -> object:
    return "LAUNCHER_SECRET" in os.environ


@probe
def swap_a_descriptor(facts: Facts) -> object:
    """Put another descriptor in place of standard output and back: the host sees no difference."""
    kept, other = os.dup(1), os.open(facts["work"] + "/swapped", os.O_RDWR | os.O_CREAT)
    os.dup2(other, 1)
    os.dup2(kept, 1)
    return "swapped"


@probe
def climb_out_by_folders(facts: Facts) -> object:
    """Go up further than there is."""
    root = os.open("/", os.O_PATH)
    for _ in range(50):
        root = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=root)
    return os.path.samestat(os.fstat(root), os.stat("/"))


@probe
def change_everything(facts: Facts) -> object:
    """Change and delete what belongs to the user, and what root can write."""
    home, work = Path(facts["home"]), Path(facts["work"])
    (home / "kept.txt").write_text("changed")
    (work / "kept.txt").unlink()
    (work / "new.txt").write_text("new")
    (work / "folder").rename(work / "moved")
    os.symlink("/etc/passwd", home / "link")
    for path in (
        "/etc/passwd",
        "/etc/mark-of-a-world",
        "/usr/bin/mark-of-a-world",
        "/mark-of-a-world",
    ):
        try:
            Path(path).write_text("changed")
        except OSError:
            continue
    return "changed"


@probe
def deep_and_odd_names(facts: Facts) -> object:
    """What a scan must survive: 1500 folders in each other, names that a terminal would obey."""
    place = os.open(facts["work"], os.O_PATH)
    for _ in range(1500):
        os.mkdir("d", dir_fd=place)
        below = os.open("d", os.O_PATH, dir_fd=place)
        os.close(place)
        place = below
    for name in (b"\x1b[2J", b"\xff\xfe", "\u202etxt.exe".encode(), b"a\nb"):
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.mkfifo("pipe", dir_fd=place)
    return "made"


def run(attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except OSError as fault:
        return errno.errorcode.get(fault.errno or 0, "?")


def main() -> None:
    facts = json.loads(sys.argv[1])
    found: dict[str, object] = {}
    for name in CALLS:
        found[name] = run(partial(call, name))
    for name, attempt in PROBES.items():
        if not name.startswith("become"):
            found[name] = run(partial(attempt, facts))
    for flags, places in ((os.O_WRONLY, WRITTEN), (os.O_RDONLY, READ | EMPTY)):
        for name, path in places.items():
            found[name] = run(partial(opened, path, flags))
    for name, path in LISTED.items():
        found[name] = run(partial(os.listdir, path))
    for name in ("become_another_user", "become_root"):
        found[name] = run(partial(PROBES[name], facts))
    print(json.dumps(found, default=str))


if __name__ == "__main__":
    main()
