"""Why there is no world here, as a kind, and the one command that would help."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.client.links import NotReached

REASONS: Final[Mapping[str, tuple[str, str]]] = {
    "not_linux": (
        "a disposable world needs Linux",
        "run mcp-assay on Linux or in a virtual machine with it",
    ),
    "processor": (
        "there is no filter of system calls for this processor",
        "run mcp-assay on x86-64 or arm64",
    ),
    "switched_off": (
        "user namespaces are switched off (user.max_user_namespaces is 0)",
        "sudo sysctl -w user.max_user_namespaces=15000",
    ),
    "apparmor": (
        (
            "AppArmor lets no ordinary program make a sandbox "
            "(kernel.apparmor_restrict_unprivileged_userns is 1)"
        ),
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "only_root": (
        "only root may make user namespaces (kernel.unprivileged_userns_clone is 0)",
        "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    ),
    "container": (
        "this container forbids new namespaces",
        (
            "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined"
        ),
    ),
    "forbidden": (
        "new namespaces are forbidden here, by a container or by another sandbox",
        "run mcp-assay outside of it",
    ),
    "masked_proc": (
        "/proc is partly covered here, as in most containers, so a world gets none of its own",
        "docker run --security-opt systempaths=unconfined",
    ),
    "no_overlay": (
        "the kernel has no overlays for user namespaces (Linux 5.11 or newer has them)",
        "run mcp-assay on a newer kernel",
    ),
    "no_filter": (
        "the kernel has no filter of system calls (CONFIG_SECCOMP_FILTER)",
        "run mcp-assay on a kernel that has it",
    ),
    "no_sudo": ("sudo is not installed", "use --sandbox"),
    "sudo_password": ("sudo wants a password", "sudo -v"),
    "sudo_python": (
        "there is no Python 3.10 or newer that only root can change",
        "sudo apt-get install python3",
    ),
    "no_bwrap": ("bwrap is not installed", "sudo apt-get install bubblewrap"),
    "old_bwrap": (
        "bwrap is older than 0.11 and has no overlays",
        "install bubblewrap 0.11 or newer",
    ),
    "bwrap_failed": ("bwrap could not make a sandbox", "bwrap --bind / / --unshare-all true"),
    "failed": ("a step failed", "mcp-assay sandbox --format json"),
}
"""What keeps a world from being made, and the command that changes it."""
CONTAINER_MARKS: Final = ("/.dockerenv", "/run/.containerenv")
NAMESPACE_STEPS: Final = ("user", "map", "namespaces")
SWITCHES: Final[Mapping[str, tuple[str, str]]] = {
    "apparmor": ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
    "only_root": ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
}


class NoSandbox(NotReached):
    """No world can be made, so nothing was started; the text says why and what to do."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"no disposable world can be made: {sentence(why, detail)}")
        self.why: Final = why
        """One of REASONS."""


def sentence(why: str, detail: str = "") -> str:
    """Why there is no world, and what would help."""
    reason, remedy = REASONS[why]
    return f"{reason}{f' ({detail})' if detail else ''}; try: {remedy}"


def detail_of(said: Mapping[str, Any]) -> str:
    """What the launcher could not do, for those who look for the cause."""
    code = errno.errorcode.get(int(said.get("errno") or 0), "")
    return " ".join(part for part in (said["step"], str(said.get("what", "")), code) if part)


def kind_of(said: Mapping[str, Any]) -> str:
    """Which of REASONS a step of the launcher failed for."""
    step, code = said["step"], said.get("errno")
    what = str(said.get("what", ""))
    if step == "bwrap":
        return "bwrap_failed"
    if step == "rights" or what == "seccomp":
        return "no_filter"
    if step == "user" and code in (errno.ENOSPC, errno.EUSERS):
        return "switched_off"
    if step in (*NAMESPACE_STEPS, "files") and code in (errno.EPERM, errno.EACCES):
        return _who_forbids(step, what)
    return "no_overlay" if what == "overlay" else "failed"


def _who_forbids(step: str, what: str) -> str:
    for kind, (path, value) in SWITCHES.items():
        if os.geteuid() and _setting(path) == value:
            return kind
    if step == "files" and what.endswith("/proc"):
        return "masked_proc"
    return "container" if any(map(os.path.exists, CONTAINER_MARKS)) else "forbidden"


def _setting(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def unsupported() -> str | None:
    """Why this system can have no world at all, where it cannot."""
    if sys.platform != "linux":
        return "not_linux"
    from mcp_assay.client.sandbox.system_calls import NUMBERS, machine  # noqa: PLC0415

    return None if machine() in NUMBERS else "processor"
