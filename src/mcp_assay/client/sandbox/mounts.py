"""The files of a world: the machine's own, seen through layers that are thrown away.

Every folder at the top becomes an overlay, whose changes go into memory; a folder below which
something is mounted is made anew, with an overlay for each thing in it. No folder of the machine
is shown as it is: through an overlay no socket of the machine answers.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from typing import Any

from mcp_assay.client.sandbox import kernel
from mcp_assay.client.sandbox.copies import copy_tree, is_small, lay
from mcp_assay.client.sandbox.layout import is_fresh, layout, mount_points

BASES = ("/tmp", "/var/tmp", "/mnt", "/run")
"""Where the new root is begun, the first that exists; what is there stays visible elsewhere."""
HELD = "/.held"
"""Where the machine and the layers are while the world is made; gone before the server starts."""
DEVICES = ("null", "zero", "full", "random", "urandom")
LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
KERNEL_FILES = """
    kcore keys key-users kmsg kallsyms kpagecount kpageflags kpagecgroup latency_stats timer_list
    timer_stats sched_debug sysrq-trigger vmcore slabinfo vmallocinfo modules iomem ioports
"""
"""What /proc has about the kernel itself, or about other users."""
UNREADABLE = frozenset(KERNEL_FILES.split())
EMPTIED = frozenset({"acpi", "scsi", "fs", "bus", "irq"})
PLAIN = kernel.MS_NOSUID | kernel.MS_NODEV
QUIET = PLAIN | kernel.MS_NOEXEC
OWN_NUMBERS = (6, 14)
SHARED = "/dev/shm"
SHARED_PAGES = 1 << 14
"""What processes may share besides files: 64 MiB, which no limit of files bounds."""
MOST_FILES = "256k"
"""Files take memory of the kernel, however empty they are."""
LARGEST_FILE = 1 << 20
"""A file beside folders that are mounted is copied up to this size."""


class Files:
    """What was made: descriptors for the watcher, and what is to be told of it."""

    def __init__(self) -> None:
        self.descriptors: dict[str, int] = {}
        self.places: list[dict[str, str]] = []
        self.left_out: list[str] = []
        self.hidden: list[str] = []
        self.planted: list[dict[str, str]] = []
        self.store: int | None = None
        """The file system that holds every change, where it has a size of its own."""

    @property
    def told(self) -> dict[str, Any]:
        """What the report says about the files."""
        return {
            "places": self.places,
            "left_out": self.left_out,
            "hidden": self.hidden,
            "planted": self.planted,
        }

    def add(self, path: str, kind: str, folder: str) -> None:
        """Note where the changes of a place are."""
        name = f"place{len(self.places)}"
        self.descriptors[name] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.places.append({"path": path, "kind": kind, "descriptor": name})

    def note_planted(self, path: str) -> None:
        """Note a planted file, so that the watcher can see it being read."""
        name = f"planted{len(self.planted)}"
        self.descriptors[name] = os.open(path, os.O_PATH | os.O_CLOEXEC)
        self.planted.append({"path": path, "descriptor": name})


def make_files(spec: dict[str, Any]) -> Files:
    """Make the files of a world in this mount namespace, and go into it."""
    return FileMaker(spec).make()


class FileMaker:
    """Makes the files of one world."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self._made = Files()
        self._layers = 0
        self._folders: list[str] = []
        self._fault = OSError(0, "nothing to show")
        self._mounted = mount_points()
        self._store = "/store"
        self._new = "/new"

    def make(self) -> Files:
        """Make everything in the order in which one needs the other."""
        self._begin()
        for kind, path in layout("/old", self._mounted, lambda one: is_fresh(one, self._spec)):
            with suppress(OSError):
                self._show(kind, path)
        self._finish_folders()
        if not self._made.places:
            raise OSError(self._fault.errno, "no overlay", "overlay")
        self._make_own()
        self._move_in()
        kept = self._hold_needed()
        copies = self._copy_work()
        for path in (*self._spec["fresh"], SHARED):
            self._put_fresh(path)
        for path, held in {**kept, **copies}.items():
            self._put(held, path)
        self._lay_samples()
        self._hide()
        self._plant()
        self._end()
        return self._made

    def _begin(self) -> None:
        """Have an empty root in memory, with the machine below it."""
        kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        base = next(filter(os.path.isdir, BASES))
        size = self._spec["limits"]["disk_bytes"]
        kernel.mount("world", base, "tmpfs", PLAIN, f"mode=755,size={size},nr_inodes={MOST_FILES}")
        os.chdir(base)
        for name in ("old", "new", "store"):
            os.mkdir(name)
        kernel.pivot_root(".", "old")
        os.chdir("/")
        kernel.mount("root", "/new", "tmpfs", PLAIN, "mode=755,size=16m,nr_inodes=8k")
        if self._spec["backing"]:
            kernel.bind("/old" + self._spec["backing"], self._store)

    def _show(self, kind: str, path: str) -> None:
        """Show one part of the machine in the world."""
        source, target = "/old" + path, self._new + path
        if kind == "link":
            os.symlink(os.readlink(source), target)
        elif kind == "file":
            copy_file(source, target)
        else:
            os.mkdir(target)
            if kind == "overlay":
                self._overlay(path)
            else:
                self._folders.append(path)

    def _finish_folders(self) -> None:
        """Give folders that were made anew the rights of those that they stand for."""
        for path in reversed(self._folders):
            with suppress(OSError):
                like("/old" + path, self._new + path)

    def _leave_out(self, path: str) -> None:
        """Show a closed folder instead of one that cannot be shown; what nobody may read is so."""
        os.chmod(self._new + path, 0)
        if os.access("/old" + path, os.R_OK | os.X_OK):
            self._made.left_out.append(path)

    def _overlay(self, path: str) -> None:
        upper, work = self._layer("u"), f"{self._store}/{self._layers}/w"
        os.mkdir(work)
        lower, target = "/old" + path, self._new + path
        like(lower, upper)
        try:
            os.chdir(lower)  # as the user, who may have less rights than this process
            given = f"lowerdir=.,upperdir={upper},workdir={work},userxattr"
            with kernel.all_file_rights():
                kernel.mount("world", target, "overlay", PLAIN, given)
        except OSError as fault:
            self._fault = fault
            self._leave_out(path)
        else:
            self._made.add(path, "overlay", upper)
        finally:
            os.chdir("/")

    def _layer(self, name: str) -> str:
        self._layers += 1
        folder = f"{self._store}/{self._layers}"
        os.mkdir(folder)
        os.mkdir(f"{folder}/{name}")
        return f"{folder}/{name}"

    def _make_own(self) -> None:
        """Make what every world has of its own: processes, devices, nothing of the hardware."""
        os.makedirs(f"{self._new}/sys", exist_ok=True)
        make_processes(f"{self._new}/proc", self._spec["limits"]["processes"])
        make_devices(f"{self._new}/dev", "/old/dev")

    def _move_in(self) -> None:
        """Make the new root the root; the machine and the layers are below it, for a while."""
        view = self._layer("root")
        kernel.bind(self._new, view)  # shows nothing that is mounted in the world
        self._made.add("/", "fresh", view)
        os.mkdir(self._new + HELD)
        kernel.pivot_root(self._new, self._new + HELD)
        os.chdir("/")
        self._store = HELD + "/store"
        if not self._spec["backing"]:
            self._made.store = os.open(self._store, os.O_PATH | os.O_CLOEXEC)

    def _hold_needed(self) -> dict[str, str]:
        """Hold what the command needs of places that are to be empty."""
        held = {}
        for path in self._spec["needed"]:
            if os.path.isdir(path):
                held[path] = self._layer("held")
                kernel.bind(path, held[path])
            elif os.path.isfile(path):
                held[path] = self._layer("held") + "/file"
                with open(held[path], "wb"):
                    kernel.bind(path, held[path])
        return held

    def _copy_work(self) -> dict[str, str]:
        """Copy the folders that the server works in, where they are small."""
        copies: dict[str, str] = {}
        limits, machine = self._spec["limits"], HELD + "/old"
        for path in self._spec["work"]:
            if any(path.startswith(one + "/") for one in copies):
                continue
            if path in self._spec["prepared"]["work"]:
                copies[path] = self._prepared(path)
                continue
            skipped = {machine + one for one in self._spec["hide"]}
            if not is_small(machine + path, limits["copy_bytes"], limits["copy_files"], skipped):
                continue
            folder = self._layer("copy")
            copy_tree(machine + path, folder, skipped)
            self._made.add(path, "copy", folder)
            copies[path] = folder
        return copies

    def _prepared(self, path: str) -> str:
        """Fill what takes the place of a working folder that is empty."""
        folder = self._layer("prepared")
        lay(self._spec["prepared"], folder, HELD + "/old", self._spec["hide"])
        like(HELD + "/old" + path, folder)
        self._made.add(path, "prepared", folder)
        return folder

    def _lay_samples(self) -> None:
        """Have the same files in a folder of their own, which calls may name."""
        folder = self._spec["prepared"]["folder"]
        with suppress(OSError):
            os.makedirs(folder, mode=0o700)
            lay(self._spec["prepared"], folder, HELD + "/old", self._spec["hide"])

    def _put_fresh(self, path: str) -> None:
        folder = self._layer("fresh")
        os.chmod(folder, 0o1777)
        with suppress(OSError):
            os.makedirs(path, exist_ok=True)
            kernel.bind(folder, path)
            self._made.add(path, "fresh", folder)

    def _put(self, held: str, path: str) -> None:
        if os.path.isdir(held):
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        kernel.bind(held, path)

    def _hide(self) -> None:
        """Take secret places out of sight."""
        for path in self._spec["hide"]:
            if not os.path.lexists(path):
                continue
            self._made.hidden.append(path)
            if os.path.isdir(path) and not os.path.islink(path):
                folder = self._layer("hidden")
                os.chmod(folder, 0o700)
                kernel.bind(folder, path)
                self._made.add(path, "planted", folder)
            else:
                self._hide_file(path)

    def _hide_file(self, path: str) -> None:
        try:
            os.unlink(path)
        except OSError:
            if os.path.islink(path):
                return  # what it leads to is hidden by its own name
            empty = self._layer("hidden") + "/file"
            os.close(os.open(empty, os.O_WRONLY | os.O_CREAT, 0o600))
            kernel.bind(empty, path)

    def _plant(self) -> None:
        """Put secrets of ours where a thief would look."""
        for path, text in self._spec["plant"].items():
            with suppress(OSError):
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                os.write(descriptor, text.encode())
                os.close(descriptor)
                self._made.note_planted(path)

    def _end(self) -> None:
        """Let go of the machine."""
        kernel.unmount(HELD)
        os.rmdir(HELD)
        os.chmod("/", 0o755 if os.access("/", os.W_OK) and os.getuid() == 0 else 0o555)


def like(model: str, path: str) -> None:
    """Give a new folder the rights of another one, as far as this user can."""
    about = os.stat(model)
    mode = stat.S_IMODE(about.st_mode)
    try:
        os.chown(path, about.st_uid, about.st_gid)
    except OSError:
        can_write = os.access(model, os.W_OK)
        mode = mode | 0o700 if can_write else (mode | 0o500) & ~0o200
    os.chmod(path, mode)


def copy_file(source: str, target: str) -> None:
    """Copy a file that is not large; a larger one is not there."""
    about = os.stat(source)
    if about.st_size > LARGEST_FILE:
        return
    with open(source, "rb") as file:
        text = file.read(LARGEST_FILE)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT, stat.S_IMODE(about.st_mode))
    os.write(descriptor, text)
    os.close(descriptor)


def bound_numbers(path: str, processes: int) -> None:
    """Bound the processes of the world by their numbers: other bounds do not hold for root.

    Every world has numbers of its own since Linux 6.14; before, these are the machine's.
    """
    version = re.findall(r"\d+", os.uname().release)
    if tuple(map(int, version[:2])) < OWN_NUMBERS:
        return
    write_setting(path, processes)


def write_setting(path: str, value: int) -> None:
    """Write a setting, where this process may."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY)
        os.write(descriptor, str(value).encode())
        os.close(descriptor)


def make_processes(folder: str, processes: int) -> None:
    """Show the world's own processes; nothing of the kernel can be changed through them."""
    os.mkdir(folder)
    kernel.mount("proc", folder, "proc", QUIET)
    bound_numbers(f"{folder}/sys/kernel/pid_max", processes)
    write_setting(f"{folder}/sys/kernel/shmall", SHARED_PAGES)  # of this namespace of its own
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if name.isdigit() or os.path.islink(path):
            continue
        if name in EMPTIED:
            kernel.mount("none", path, "tmpfs", QUIET | kernel.MS_RDONLY, "size=4k")
        elif name in UNREADABLE:
            show_device("/old/dev/null", path)
        elif os.path.isdir(path) or os.lstat(path).st_mode & 0o222:
            kernel.bind(path, path)
            kernel.keep_from_change(path)


def show_device(device: str, path: str) -> None:
    """Show a device of the machine: root owns it, and could change its permissions for all."""
    kernel.bind(device, path)
    kernel.keep_from_change(path)


def make_devices(folder: str, machine: str) -> None:
    """Make the few devices that every program may need."""
    os.mkdir(folder)
    kernel.mount("devices", folder, "tmpfs", kernel.MS_NOSUID, "mode=755,size=64k,nr_inodes=64")
    for name in DEVICES:
        os.close(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT, 0o600))
        show_device(f"{machine}/{name}", f"{folder}/{name}")
    for name, target in LINKS.items():
        os.symlink(target, f"{folder}/{name}")
    os.mkdir(f"{folder}/shm")
    os.mkdir(f"{folder}/pts")
    with suppress(OSError):
        given = "newinstance,ptmxmode=0666,mode=620"
        kernel.mount("devpts", f"{folder}/pts", "devpts", QUIET & ~kernel.MS_NODEV, given)
        os.symlink("pts/ptmx", f"{folder}/ptmx")
