"""Sockets of this user: found by name, closed to others, and not left behind."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.client.private_folder import private_folder
from mcp_assay.client.private_sockets import (
    NoSocket,
    PrivateListener,
    connected,
    listeners,
    remove_abandoned,
)
from tests.patience import LONGEST
from tests.proxy.feed_reader import short_runtime_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs unix sockets")

LEFT_BEHIND = """
import os, signal
from mcp_assay.client.private_sockets import PrivateListener
print(PrivateListener("made").path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with short_runtime_folder(monkeypatch) as folder:
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
        yield folder


def mode(path: str) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_a_listener_is_found_and_closed_to_others() -> None:
    listener = PrivateListener("made")
    assert listeners("made") == [listener.path]
    assert listeners("other") == []
    assert mode(listener.path) == 0o600
    assert mode(os.path.dirname(listener.path)) == 0o700
    connection = connected(listener.path)
    assert connection is not None
    accepted = listener.accept()
    assert accepted is not None
    assert listener.accept() is None
    connection.close()
    accepted.close()
    listener.close()
    assert listeners("made") == []


def test_a_socket_of_another_user_is_not_talked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = PrivateListener("made")
    connection = connected(listener.path)
    assert connection is not None
    monkeypatch.setattr(os, "getuid", lambda: 4_711)
    assert listener.accept() is None
    assert connection.recv(1) == b""
    monkeypatch.undo()
    connection.close()
    listener.close()


def test_what_a_killed_process_left_is_removed() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LEFT_BEHIND],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    left = ended.stdout.strip()
    assert listeners("made") == [left]
    living = PrivateListener("made")
    assert listeners("made") == [living.path]
    living.close()


def test_a_socket_is_not_taken_for_abandoned_before_anybody_can_listen(runtime: Path) -> None:
    folder = Path(private_folder())
    begun, old, file = (folder / f"made-1-0000000{n}.new" for n in range(3))
    for path in (begun, old):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
            made.bind(str(path))
    file.write_text("no socket", "utf-8")
    for path in (old, file):
        os.utime(path, (0, 0))
    remove_abandoned("made")
    assert sorted(folder.iterdir()) == [begun, file]


def test_what_is_no_socket_of_ours_is_left_alone() -> None:
    folder = Path(private_folder())
    for name in ("made-1-zz.sock", "made.sock", "made-1-00000000.sock.txt", "x" * 50):
        (folder / name).write_text("", "utf-8")
    assert listeners("made") == []
    remove_abandoned("made")
    assert len(list(folder.iterdir())) == 4


def test_a_folder_that_others_may_read_is_not_used(runtime: Path) -> None:
    folder = runtime / "mcp-assay"
    folder.mkdir(mode=0o755)
    (folder / "made-1-00000000.sock").write_text("", "utf-8")
    assert listeners("made") == []
    with pytest.raises(NoSocket, match="is not a folder that only you may open; remove it"):
        PrivateListener("made")


def test_a_folder_that_is_none_is_refused(runtime: Path) -> None:
    (runtime / "elsewhere").mkdir()
    (runtime / "mcp-assay").symlink_to(runtime / "elsewhere")
    with pytest.raises(NoSocket, match="is not a folder that only you may open; remove it"):
        PrivateListener("made")


def test_a_path_too_long_for_a_socket_is_said(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = runtime / ("d" * 120)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    with pytest.raises(NoSocket, match=r"cannot be listened on: .*too long"):
        PrivateListener("made")


def test_who_does_not_know_of_the_runtime_folder_is_found_at_home(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(runtime))
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    at_home = PrivateListener("made")
    assert os.path.dirname(at_home.path) == str(runtime / ".local/state/mcp-assay/private")
    assert mode(os.path.dirname(at_home.path)) == 0o700
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    assert listeners("made") == [at_home.path]
    known = PrivateListener("made")
    assert listeners("made") == sorted([at_home.path, known.path])
    monkeypatch.setenv("XDG_STATE_HOME", str(runtime / "state"))
    assert listeners("made") == [known.path]
    known.close()
    at_home.close()
