"""The proxy before a server in a disposable world: the same bytes, and nothing lasts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import LONGEST
from tests.worlds import world

__all__ = ["world"]

pytestmark = pytest.mark.usefixtures("world")

SERVER = (sys.executable, str(Path(__file__).parents[1] / "assess" / "folder_server.py"))
PROXY = (sys.executable, "-m", "mcp_assay", "proxy", "--sandbox", "--")


def request(id: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n"


ASKED = "".join(
    (
        request(1, "ping"),
        request(2, "tools/list"),
        request(3, "tools/call", name="read_file", arguments={"name": "tea.txt"}),
        request(4, "tools/call", name="wipe_folder", arguments={}),
    )
)


def talked(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        input=ASKED,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def test_both_sides_see_the_same_and_the_folder_is_as_it_was(tmp_path: Path) -> None:
    tea = tmp_path / "tea.txt"
    tea.write_text("black\n", "utf-8")
    inside = talked(tmp_path, *PROXY, *SERVER)
    assert inside.returncode == 0, inside.stderr
    assert tea.read_text("utf-8") == "black\n"
    bare = talked(tmp_path, *SERVER)
    assert inside.stdout == bare.stdout
    assert "deleted 1 files: tea.txt" in bare.stdout
    assert not tea.exists()


def test_the_exit_code_of_the_server_comes_through(tmp_path: Path) -> None:
    ended = talked(tmp_path, *PROXY, sys.executable, "-c", "raise SystemExit(7)")
    assert ended.returncode == 7
