"""The numbers of system calls that the sandbox makes, refuses or reports, by machine."""

from __future__ import annotations

import platform

LAST_KNOWN = 469
"""What is newer than this table is refused: nobody has thought about it yet."""
AUDIT_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How the kernel calls a machine, where it tells a filter which one a call came from."""
# fmt: off
NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        "_sysctl": 156, "acct": 163, "add_key": 248, "adjtimex": 159, "bind": 49, "bpf": 321,
        "capget": 125, "capset": 126, "chmod": 90, "chown": 92, "chroot": 161, "clock_adjtime": 305,
        "clock_settime": 227, "clone": 56, "clone3": 435, "connect": 42, "creat": 85,
        "delete_module": 176, "execve": 59, "execveat": 322, "fallocate": 285, "fanotify_init": 300,
        "fanotify_mark": 301, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "fchown": 93,
        "fchownat": 260, "file_setattr": 469, "finit_module": 313, "fork": 57, "fremovexattr": 199,
        "fsconfig": 431, "fsetxattr": 190, "fsmount": 432, "fsopen": 430, "fspick": 433,
        "ftruncate": 77, "gettid": 186, "init_module": 175, "io_setup": 206, "io_uring_enter": 426,
        "io_uring_register": 427, "io_uring_setup": 425, "ioctl": 16, "ioperm": 173, "iopl": 172,
        "ioprio_set": 251, "kcmp": 312, "kexec_file_load": 320, "kexec_load": 246, "keyctl": 250,
        "kill": 62, "lchown": 94, "link": 86, "linkat": 265, "lookup_dcookie": 212,
        "lremovexattr": 198, "lsetxattr": 189, "mbind": 237, "memfd_create": 319,
        "memfd_secret": 447, "migrate_pages": 256, "mkdir": 83, "mkdirat": 258, "mknod": 133,
        "mknodat": 259, "modify_ldt": 154, "mount": 165, "mount_setattr": 442, "move_mount": 429,
        "move_pages": 279, "name_to_handle_at": 303, "nfsservctl": 180, "open": 2,
        "open_by_handle_at": 304, "open_tree": 428, "open_tree_attr": 467, "openat": 257,
        "openat2": 437, "perf_event_open": 298, "personality": 135, "pidfd_getfd": 438,
        "pidfd_open": 434, "pidfd_send_signal": 424, "pivot_root": 155, "prctl": 157,
        "prlimit64": 302, "process_madvise": 440, "process_mrelease": 448, "process_vm_readv": 310,
        "process_vm_writev": 311, "ptrace": 101, "quotactl": 179, "quotactl_fd": 443, "reboot": 169,
        "removexattr": 197, "rename": 82, "renameat": 264, "renameat2": 316, "request_key": 249,
        "rmdir": 84, "sched_setaffinity": 203, "sched_setattr": 314, "sched_setparam": 142,
        "sched_setscheduler": 144, "seccomp": 317, "sendmmsg": 307, "sendmsg": 46, "sendto": 44,
        "set_mempolicy": 238, "set_mempolicy_home_node": 450, "setdomainname": 171,
        "sethostname": 170, "setns": 308, "setpriority": 141, "setrlimit": 160, "settimeofday": 164,
        "setxattr": 188, "setxattrat": 463, "socket": 41, "socketpair": 53, "swapoff": 168,
        "swapon": 167, "symlink": 88, "symlinkat": 266, "sysfs": 139, "syslog": 103, "tgkill": 234,
        "tkill": 200, "truncate": 76, "umount2": 166, "unlink": 87, "unlinkat": 263, "unshare": 272,
        "uselib": 134, "userfaultfd": 323, "ustat": 136, "utimensat": 280, "vfork": 58,
        "vhangup": 153,
    },
    "aarch64": {
        "acct": 89, "add_key": 217, "adjtimex": 171, "bind": 200, "bpf": 280, "capget": 90,
        "capset": 91, "chroot": 51, "clock_adjtime": 266, "clock_settime": 112, "clone": 220,
        "clone3": 435, "connect": 203, "delete_module": 106, "execve": 221, "execveat": 281,
        "fallocate": 47, "fanotify_init": 262, "fanotify_mark": 263, "fchmod": 52, "fchmodat": 53,
        "fchmodat2": 452, "fchown": 55, "fchownat": 54, "file_setattr": 469, "finit_module": 273,
        "fremovexattr": 16, "fsconfig": 431, "fsetxattr": 7, "fsmount": 432, "fsopen": 430,
        "fspick": 433, "ftruncate": 46, "gettid": 178, "init_module": 105, "io_setup": 0,
        "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioctl": 29,
        "ioprio_set": 30, "kcmp": 272, "kexec_file_load": 294, "kexec_load": 104, "keyctl": 219,
        "kill": 129, "linkat": 37, "lookup_dcookie": 18, "lremovexattr": 15, "lsetxattr": 6,
        "mbind": 235, "memfd_create": 279, "memfd_secret": 447, "migrate_pages": 238, "mkdirat": 34,
        "mknodat": 33, "mount": 40, "mount_setattr": 442, "move_mount": 429, "move_pages": 239,
        "nfsservctl": 42, "open_tree": 428, "open_tree_attr": 467, "openat": 56, "openat2": 437,
        "perf_event_open": 241, "personality": 92, "pidfd_getfd": 438, "pidfd_open": 434,
        "pidfd_send_signal": 424, "pivot_root": 41, "prctl": 167, "prlimit64": 261,
        "process_madvise": 440, "process_mrelease": 448, "process_vm_readv": 270,
        "process_vm_writev": 271, "ptrace": 117, "quotactl": 60, "quotactl_fd": 443, "reboot": 142,
        "removexattr": 14, "renameat": 38, "renameat2": 276, "request_key": 218,
        "sched_setaffinity": 122, "sched_setattr": 274, "sched_setparam": 118,
        "sched_setscheduler": 119, "seccomp": 277, "sendmmsg": 269, "sendmsg": 211, "sendto": 206,
        "set_mempolicy": 237, "set_mempolicy_home_node": 450, "setdomainname": 162,
        "sethostname": 161, "setns": 268, "setpriority": 140, "setrlimit": 164, "settimeofday": 170,
        "setxattr": 5, "setxattrat": 463, "socket": 198, "socketpair": 199, "swapoff": 225,
        "swapon": 224, "symlinkat": 36, "syslog": 116, "tgkill": 131, "tkill": 130, "truncate": 45,
        "umount2": 39, "unlinkat": 35, "unshare": 97, "userfaultfd": 282, "utimensat": 88,
        "vhangup": 58,
    },
}
# fmt: on


def machine() -> str:
    """The kernel's name for the machine that this process runs on."""
    return platform.machine()


def number(name: str) -> int:
    """The number of a system call here; raises KeyError where it is not known."""
    return NUMBERS[machine()][name]
