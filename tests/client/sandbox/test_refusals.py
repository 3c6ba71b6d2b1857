"""Where no world can be made, it is said why, and nothing of the server is started."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.children import NotStarted, ServerProcess
from mcp_assay.client.connection import connect
from mcp_assay.client.sandbox import availability, refusal
from mcp_assay.client.sandbox.availability import Availability, TriedBackend
from mcp_assay.client.sandbox.backends import Backend
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import REASONS, NoSandbox, kind_of
from mcp_assay.client.target import Command
from tests.client.sandbox.yards import Yard, everybody, yard

OUTSIDE = """
import ctypes, os, sys
libc, user, group = ctypes.CDLL(None, use_errno=True), os.geteuid(), os.getegid()
def enter(flags):
    assert libc.unshare(flags) == 0, ctypes.get_errno()
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                       ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
"""
SWITCHED_OFF = (
    OUTSIDE
    + """
enter(0x10000000)
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
os.execv(sys.argv[1], sys.argv[1:])
"""
)
NESTED = OUTSIDE + "enter(0x10020000)\nos.execv(sys.argv[1], sys.argv[1:])\n"
FILTERED = """
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[0]) + "/launcher")
import entry
entry.prepare(os.path.dirname(sys.argv[0]) + "/launcher")
from mcp_assay.client.sandbox import filter, kernel
kernel.install_filter(filter.program(), False)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture(scope="module", params=everybody())
def place(request: pytest.FixtureRequest) -> Iterator[Yard]:
    with yard(request.param) as made:
        yield made


def first_said(place: Yard, surroundings: str) -> dict[str, Any]:
    """What a launcher says in other surroundings, of a server that would leave a mark."""
    mark = place.folder / "mark"
    program = place.add("surroundings.py", surroundings)
    spec = place.spec("/usr/bin/touch", str(mark))
    with place.started(spec, place.python, program) as world:
        ended = world.end()
    assert not mark.exists()
    assert ended.said, ended.output
    return ended.first


def test_without_user_namespaces_nothing_is_started(place: Yard) -> None:
    said = first_said(place, SWITCHED_OFF)
    assert (said["event"], said["step"], said["errno"]) == ("refused", "user", errno.ENOSPC)
    assert kind_of(said) == "switched_off"


def test_behind_a_filter_nothing_is_started(place: Yard) -> None:
    said = first_said(place, FILTERED)
    assert (said["event"], said["step"], said["errno"]) == ("refused", "user", errno.EPERM)
    assert kind_of(said) in ("container", "forbidden", "apparmor", "only_root")


def test_in_a_user_namespace_of_others_a_world_can_be_made(place: Yard) -> None:
    assert first_said(place, NESTED)["event"] == "started"


@pytest.fixture
def no_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def failed(backend: Backend) -> TriedBackend:
        return TriedBackend(backend=backend, works=False, why="switched_off")

    monkeypatch.setattr(availability, "attempt", failed)
    availability._tried.cache_clear()
    yield
    availability._tried.cache_clear()


@pytest.mark.usefixtures("no_world")
def test_a_client_starts_nothing_without_the_world_it_wants(tmp_path: Path) -> None:
    touch = ("/usr/bin/touch", str(tmp_path / "mark"))
    with pytest.raises(NoSandbox, match=r"max_user_namespaces.*sudo sysctl") as caught:
        asyncio.run(connect(Command(command=touch, sandbox=SandboxOptions())))
    assert caught.value.why == "switched_off"
    with pytest.raises(NotStarted, match="max_user_namespaces"):
        ServerProcess(touch, {}, SandboxOptions())
    assert not (tmp_path / "mark").exists()


def test_the_command_says_why_and_what_would_help(tmp_path: Path) -> None:
    script = tmp_path / "switched_off.py"
    script.write_text(SWITCHED_OFF)
    own = [sys.executable, "-m", "mcp_assay"]
    done = subprocess.run(
        [sys.executable, script, *own, "sandbox"], capture_output=True, text=True, check=False
    )
    if "AssertionError" in done.stderr:
        pytest.skip("user namespaces are switched off here already")
    assert done.returncode == 2, done
    assert "user.max_user_namespaces is 0" in done.stdout
    assert "sudo sysctl -w user.max_user_namespaces" in done.stdout


@pytest.mark.parametrize(
    ("said", "settings", "kind"),
    [
        ({"step": "user", "errno": errno.ENOSPC}, {}, "switched_off"),
        ({"step": "map", "errno": errno.EPERM}, {"apparmor": "1"}, "apparmor"),
        ({"step": "files", "errno": errno.EACCES}, {"apparmor": "1"}, "apparmor"),
        ({"step": "user", "errno": errno.EPERM}, {"only_root": "0"}, "only_root"),
        ({"step": "user", "errno": errno.EPERM}, {}, "forbidden"),
        ({"step": "files", "errno": errno.EPERM, "what": "/new/proc"}, {}, "masked_proc"),
        ({"step": "files", "errno": errno.EINVAL, "what": "overlay"}, {}, "no_overlay"),
        ({"step": "command", "errno": errno.EINVAL, "what": "seccomp"}, {}, "no_filter"),
        ({"step": "network", "errno": errno.EPERM}, {}, "failed"),
        ({"step": "bwrap"}, {}, "bwrap_failed"),
        ({"step": "lost"}, {}, "failed"),
    ],
)
def test_a_step_that_fails_has_its_reason(
    said: dict[str, Any], settings: dict[str, str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {refusal.SWITCHES[name][0]: value for name, value in settings.items()}
    monkeypatch.setattr(refusal, "_setting", lambda path: values.get(path, ""))
    monkeypatch.setattr(refusal, "CONTAINER_MARKS", ())
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert kind_of(said) == kind


def test_a_container_is_named_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".dockerenv").touch()
    monkeypatch.setattr(refusal, "CONTAINER_MARKS", (str(tmp_path / ".dockerenv"),))
    monkeypatch.setattr(refusal, "_setting", lambda _: "")
    assert kind_of({"step": "user", "errno": errno.EPERM}) == "container"


@pytest.mark.parametrize("why", sorted(REASONS))
def test_every_reason_has_a_sentence_and_a_remedy(why: str) -> None:
    text = str(NoSandbox(why, "detail"))
    assert text.startswith("no disposable world can be made: ")
    assert "(detail); try: " in text


@pytest.mark.parametrize(("platform", "kind"), [("darwin", "not_linux"), ("win32", "not_linux")])
def test_other_systems_are_told_so(
    platform: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert availability.attempt("namespaces").why == kind


def test_other_processors_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_assay.client.sandbox.system_calls.machine", lambda: "riscv64")
    assert availability.attempt("namespaces").why == "processor"


def test_the_first_that_works_is_taken() -> None:
    failed = TriedBackend(backend="namespaces", works=False, why="apparmor", detail="map EPERM")
    works = TriedBackend(backend="bwrap", works=True)
    assert Availability(attempts=(failed, works)).required() == "bwrap"
    with pytest.raises(NoSandbox, match="AppArmor"):
        Availability(attempts=(failed,)).required()
