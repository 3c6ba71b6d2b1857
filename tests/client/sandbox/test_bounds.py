"""A world takes no more of the machine than it may, and says which bound it reached."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.client.sandbox import bounds
from mcp_assay.client.sandbox.bounds import WorldBounds, is_scarce, own_part
from mcp_assay.client.sandbox.disk_watch import DiskWatch, counted
from mcp_assay.client.sandbox.memory_group import MemoryGroup, memory_group, remove_abandoned
from tests.client.sandbox.yards import Yard, everybody, yard

MEBIBYTE = 1 << 20
HOARD = f"""
import time
held = [bytearray({MEBIBYTE}) for _ in range(400)]
time.sleep(60)
"""
SHARED = f"""
import mmap, time
held = [mmap.mmap(-1, {MEBIBYTE}) for _ in range(400)]
for one in held:
    one.write(bytes({MEBIBYTE}))
time.sleep(60)
"""
TOGETHER = f"""
import os, time
held = bytes({48 * MEBIBYTE})
for _ in range(4):
    if os.fork() == 0:
        time.sleep(1.5)
        os._exit(0)
for _ in range(4):
    os.wait()
"""
SEGMENTS = f"""
import ctypes, time
library = ctypes.CDLL(None)
library.shmat.restype = ctypes.c_void_p
for _ in range(15):
    number = library.shmget(0, {8 * MEBIBYTE}, 0o1600)
    place = library.shmat(number, None, 0)
    if number < 0 or place in (None, 2**64 - 1):
        break
    ctypes.memset(place, 1, {8 * MEBIBYTE})
    library.shmdt(ctypes.c_void_p(place))
time.sleep(0.5)
"""
FORKS = """
import os, time
while True:
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError:
        time.sleep(0.01)
"""
BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
FILL = """
import os
try:
    with open("/tmp/full", "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 20))
except OSError as fault:
    print(fault.errno, os.path.getsize("/tmp/full") >> 20, flush=True)
for place in ("work", "/dev/shm/x"):
    try:
        open(place, "w").write("x" * 8192)
    except OSError as fault:
        print(fault.errno, flush=True)
import time
time.sleep(0.5)
"""


@pytest.fixture(scope="module", params=everybody())
def place(request: pytest.FixtureRequest) -> Iterator[Yard]:
    with yard(request.param) as made:
        yield made


@pytest.mark.parametrize("text", [HOARD, SHARED], ids=["own", "shared"])
def test_a_world_that_takes_too_much_memory_is_ended(place: Yard, text: str) -> None:
    program = place.add("hoard.py", text)
    ended = place.run(place.python, program, limits={"memory_bytes": 64 * MEBIBYTE})
    assert ended.event("ended")["limit"] == "memory"
    assert ended.code == -9


def test_memory_that_no_process_holds_is_bounded(place: Yard) -> None:
    program = place.add("segments.py", SEGMENTS)
    ended = place.run(place.python, program, limits={"memory_bytes": 64 * MEBIBYTE})
    is_refused = ended.code == 0  # root's world gets no more than 64 MiB of it at all
    assert is_refused or ended.event("ended")["limit"] == "memory"
    assert place.who.user == 0 or not is_refused


def test_what_processes_hold_together_counts_once(place: Yard) -> None:
    program = place.add("together.py", TOGETHER)
    ended = place.run(place.python, program, limits={"memory_bytes": 128 * MEBIBYTE})
    assert ended.event("ended")["limit"] is None
    assert ended.code == 0


def test_a_process_that_lets_nobody_look_counts_in_full() -> None:
    assert own_part("no-such-process", 7) == 7
    assert 0 < own_part("self", 1 << 40) < 1 << 40


@pytest.mark.parametrize("text", [FORKS, BOMB], ids=["many", "doubling"])
def test_a_world_that_forks_without_end_is_ended(place: Yard, text: str) -> None:
    program = place.add("forks.py", text)
    ended = place.run(place.python, program, limits={"processes": 320})
    assert ended.event("ended")["limit"] == "processes"
    assert ended.code == -9


def test_a_full_disk_is_an_error_for_the_server_alone(place: Yard) -> None:
    before = place.fingerprint()
    program = place.add("fill.py", FILL)
    ended = place.run(place.python, program, limits={"disk_bytes": 24 * MEBIBYTE})
    number, size, *others = ended.output.split()
    assert (number, others) == ("28", ["28", "28"])
    assert int(size) <= 24
    assert ended.event("reached")["limit"] == "disk", "told while the server still runs"
    assert ended.event("ended")["limit"] == "disk"
    assert place.fingerprint() == before


def test_layers_on_disk_are_bounded_too(place: Yard) -> None:
    backing = place.folder / "backing"
    backing.mkdir(exist_ok=True)
    os.chmod(backing, 0o777)
    program = place.add("fill.py", FILL)
    limits = {"disk_bytes": 24 * MEBIBYTE}
    ended = place.run(place.python, program, limits=limits, backing=str(backing))
    assert ended.event("ended")["limit"] == "disk"
    assert ended.code == -9


def test_what_a_folder_holds_is_counted_until_it_is_too_much(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(100_000))
    assert 300_000 <= counted(str(tmp_path), 1 << 30)[0] < 400_000
    assert counted(str(tmp_path / "missing"), 1 << 30)[0] == 0


def test_what_is_too_deep_for_a_path_is_counted(tmp_path: Path) -> None:
    deep = os.open(tmp_path, os.O_PATH)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=deep)
        deep, above = os.open("d" * 200, os.O_PATH, dir_fd=deep), deep
        os.close(above)
    file = os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=deep)
    os.write(file, bytes(300_000))
    for one in (file, deep):
        os.close(one)
    assert counted(str(tmp_path), 1 << 30)[0] >= 300_000
    assert DiskWatch(str(tmp_path), 200_000, lambda: None).is_full()
    assert not DiskWatch(str(tmp_path), 1 << 30, lambda: None).is_full()


@pytest.mark.parametrize(("available", "scarce"), [(100, True), (5000, False)])
def test_a_world_ends_before_the_machine_has_no_memory(
    tmp_path: Path, available: int, scarce: bool
) -> None:
    told = tmp_path / "meminfo"
    told.write_text(f"MemTotal: 100000 kB\nMemFree: 1 kB\nMemAvailable: {available} kB\n")
    assert is_scarce(str(told)) is scarce


def test_who_ran_short_of_memory_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "others", list)
    monkeypatch.setattr(bounds, "is_scarce", lambda: True)
    found = WorldBounds({"processes": 100, "memory_bytes": 1 << 30}, None)
    assert found.is_broken()
    assert found.reached == "scarce"


LIMITS = {"memory_bytes": 4096, "processes": 7}


def group_of(folder: Path, controllers: str = "memory pids") -> None:
    """Make a folder that looks like a control group."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.subtree_control").write_text(controllers)


class FilledGroups:
    """Control groups have their files from the start; ordinary folders get them here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._mkdir = os.mkdir
        monkeypatch.setattr(os, "mkdir", self)

    def __call__(self, path: str) -> None:
        self._mkdir(path)
        for name in ("memory.max", "memory.swap.max", "pids.max", "cgroup.procs"):
            Path(path, name).touch()


def test_memory_is_bounded_by_a_group_beside_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group_of(tmp_path, "cpu")
    group_of(tmp_path / "app.slice")
    group_of(tmp_path / "app.slice" / "own.scope", "")
    FilledGroups(monkeypatch)
    assert memory_group(42, LIMITS, str(tmp_path), "/app.slice/own.scope") is not None
    made = tmp_path / "app.slice" / f"mcp-assay-{os.getpid()}"
    told = {path.name: path.read_text() for path in made.iterdir()}
    assert told == {
        "memory.max": "4096",
        "memory.swap.max": "0",
        "pids.max": "7",
        "cgroup.procs": "42",
    }


@pytest.mark.parametrize("controllers", ["", "cpu pids"])
def test_without_a_group_for_memory_there_is_none(tmp_path: Path, controllers: str) -> None:
    group_of(tmp_path, controllers)
    assert memory_group(42, LIMITS, str(tmp_path), "/") is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cgroup.subtree_control"]


def test_a_group_whose_memory_cannot_be_bounded_is_removed(tmp_path: Path) -> None:
    group_of(tmp_path)
    assert memory_group(42, LIMITS, str(tmp_path), "/") is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cgroup.subtree_control"]


def test_groups_of_those_who_were_killed_are_removed(tmp_path: Path) -> None:
    for name in ("mcp-assay-999999999", f"mcp-assay-{os.getpid()}", "mcp-assay-x", "other"):
        (tmp_path / name).mkdir()
    remove_abandoned(str(tmp_path))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f"mcp-assay-{os.getpid()}", "mcp-assay-x", "other"}


def test_a_group_is_removed_once(tmp_path: Path) -> None:
    (tmp_path / "group").mkdir()
    group = MemoryGroup(str(tmp_path / "group"))
    group.remove()
    group.remove()
    assert not (tmp_path / "group").exists()
