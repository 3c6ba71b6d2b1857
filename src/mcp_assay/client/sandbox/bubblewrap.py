"""A world made by bwrap, where this process may make none: the same files, on disk, no packets.

bwrap gives no rights inside, so nobody there can look at packets or answer for names.
"""

from __future__ import annotations

import os
from typing import Any

from mcp_assay.client.sandbox.copies import copy_tree, is_small, lay
from mcp_assay.client.sandbox.layout import layout, mount_points
from mcp_assay.client.sandbox.mounts import EMPTIED, UNREADABLE

ALONE = (
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--as-pid-1",
    "--hostname",
    "sandbox",
    "--cap-drop",
    "ALL",
)
OWN = ("--proc", "/proc", "--dev", "/dev", "--perms", "0755", "--dir", "/sys")


class BubbleWrap:
    """The arguments for one bwrap, and the folders that hold what changes in its world."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self._store: str = spec["backing"]
        self._layers = 0
        self.arguments: list[str] = [*ALONE]
        self.places: list[dict[str, str]] = []
        self.descriptors: dict[str, int] = {}
        self.hidden: list[str] = []
        self._planted: dict[str, str] = {}
        """The folder in the store, by the folder of the world that it is shown at."""

    def prepare(self) -> None:
        """Put together what the world shows, in the order in which bwrap has to mount it."""
        for kind, path in layout("", mount_points(), self._spec["fresh"].__contains__):
            self._show(kind, path)
        self.arguments += OWN
        self._cover_processes()
        for path in self._spec["fresh"]:
            self._put_fresh(path)
        for path in self._spec["needed"]:
            self._need(path)
        self._copy_work()
        self._prepare_folder(self._spec["prepared"]["folder"], "fresh")
        self._hide()
        self._plant()

    def _cover_processes(self) -> None:
        """Cover what /proc has of the kernel: bwrap leaves it to root to change it."""
        for name in os.listdir("/proc"):
            path = f"/proc/{name}"
            if name.isdigit() or os.path.islink(path):
                continue
            if name in EMPTIED:
                self.arguments += ("--tmpfs", path, "--remount-ro", path)
            elif os.path.isdir(path):
                self.arguments += ("--ro-bind", path, path)
            elif name in UNREADABLE or os.stat(path).st_mode & 0o222:
                self.arguments += ("--ro-bind", "/dev/null", path)

    @property
    def told(self) -> dict[str, Any]:
        """What the report says about the files."""
        return {"places": self.places, "left_out": [], "hidden": self.hidden, "planted": []}

    def _layer(self, name: str) -> str:
        self._layers += 1
        folder = f"{self._store}/{self._layers}/{name}"
        os.makedirs(folder)
        return folder

    def _add(self, path: str, kind: str, folder: str) -> None:
        name = f"place{len(self.places)}"
        self.descriptors[name] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.places.append({"path": path, "kind": kind, "descriptor": name})

    def _show(self, kind: str, path: str) -> None:
        if kind == "link":
            self.arguments += ("--symlink", os.readlink(path), path)
        elif kind == "folder":
            self.arguments += ("--perms", "0755", "--dir", path)
        elif kind == "overlay" and os.access(path, os.R_OK | os.X_OK):
            self._overlay(path)
        elif kind == "overlay":
            self.arguments += ("--perms", "0000", "--dir", path)

    def _overlay(self, path: str) -> None:
        upper = self._layer("u")
        work = os.path.dirname(upper) + "/w"
        os.mkdir(work)
        os.chmod(upper, 0o755 if os.access(path, os.W_OK) else 0o555)
        self.arguments += ("--overlay-src", path, "--overlay", upper, work, path)
        self._add(path, "overlay", upper)

    def _put(self, folder: str, path: str, kind: str) -> None:
        self.arguments += ("--bind", folder, path)
        self._add(path, kind, folder)

    def _put_fresh(self, path: str) -> None:
        folder = self._layer("fresh")
        os.chmod(folder, 0o1777)
        self._put(folder, path, "fresh")

    def _need(self, path: str) -> None:
        if os.path.isdir(path):
            self._overlay(path)
        elif os.path.isfile(path):
            folder = self._layer("file")
            copy = f"{folder}/{os.path.basename(path)}"
            with open(path, "rb") as source, open(copy, "wb") as target:
                target.write(source.read())
            os.chmod(copy, os.stat(path).st_mode & 0o777)
            self.arguments += ("--bind", copy, path)

    def _copy_work(self) -> None:
        limits, copied = self._spec["limits"], list[str]()
        skipped = set(self._spec["hide"])
        for path in self._spec["work"]:
            within = any(path.startswith(one + "/") for one in copied)
            if path in self._spec["prepared"]["work"]:
                self._prepare_folder(path, "prepared")
                continue
            if within or not is_small(path, limits["copy_bytes"], limits["copy_files"], skipped):
                continue
            folder = self._layer("copy")
            copy_tree(path, folder, skipped)
            self._put(folder, path, "copy")
            copied.append(path)

    def _prepare_folder(self, path: str, kind: str) -> None:
        """Show a folder with the prepared files."""
        folder = self._layer("prepared")
        lay(self._spec["prepared"], folder, "", self._spec["hide"])
        self._put(folder, path, kind)

    def _hide(self) -> None:
        for path in self._spec["hide"]:
            if not os.path.lexists(path) or os.path.islink(path):
                continue  # what a link leads to is hidden by its own name
            self.hidden.append(path)
            if os.path.isdir(path):
                self._planted[path] = self._layer("hidden")
                self._put(self._planted[path], path, "planted")
            else:
                self._put_file(path, "")

    def _put_file(self, path: str, text: str) -> None:
        file = self._layer("file") + "/file"
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(descriptor, text.encode())
        os.close(descriptor)
        self.arguments += ("--bind", file, path)

    def _plant(self) -> None:
        for path, text in self._spec["plant"].items():
            folder = os.path.dirname(path)
            if not os.path.isdir(folder) and folder not in self._planted:
                self._planted[folder] = self._layer("planted")
                self._put(self._planted[folder], folder, "planted")
            if folder in self._planted:
                with open(f"{self._planted[folder]}/{os.path.basename(path)}", "w") as file:
                    file.write(text)
            elif not os.path.exists(path) or path in self.hidden:
                self._put_file(path, text)
