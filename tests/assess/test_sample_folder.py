"""Which places tools may be given, and that nothing of ours is left behind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess.sample_folder import known_places
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.specification import SAMPLES
from mcp_assay.client.target import Command, Endpoint
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.path_values import KnownPlaces
from mcp_assay.scenario.prepared_folder import prepared_files


def tool(name: str, argument: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {argument: {"type": "string"}}}
    return {"name": name, "inputSchema": schema}


TOOLS = [tool("read_file", "path"), tool("delete_file", "path")]
SERVER = Command(command=("python", "server.py"))


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_samples_are_there_during_the_run_and_gone_after_it(tmp_path: Path) -> None:
    with known_places(SERVER, TOOLS) as places:
        assert sorted(os.listdir(places.samples)) == sorted(
            {one.partition("/")[0] for one in prepared_files()}
        )
        assert places.work == str(tmp_path)
        with known_places(SERVER, TOOLS) as again:
            assert again == places
        assert os.path.isdir(places.samples)
    assert not os.listdir(tmp_path)


def test_only_tools_that_read_get_the_work_folder_outside_of_a_world() -> None:
    with known_places(SERVER, TOOLS) as places:
        known = Values(places=places)
        assert places.work in known.of_field("read_file", "/path", "path")
        for one in known.of_field("delete_file", "/path", "path"):
            assert one.startswith(places.samples)


def test_in_a_world_all_tools_get_it_and_the_samples_lie_in_the_world() -> None:
    inside = Command(command=SERVER.command, sandbox=SandboxOptions())
    with known_places(inside, TOOLS) as places:
        assert places.samples == SAMPLES
        assert places.trusted == {"read_file", "delete_file"}


def test_a_few_plain_files_of_the_work_folder_are_known(tmp_path: Path) -> None:
    for name in ("d.py", "a.py", "c.md", "b.txt", ".env", "LICENSE"):
        (tmp_path / name).touch()
    (tmp_path / "folder.d").mkdir()
    (tmp_path / "0.txt").symlink_to("/etc/passwd")
    with known_places(SERVER, TOOLS) as places:
        named = ("a.py", "b.txt", "c.md", "d.py", "LICENSE")
        assert places.own_files == tuple(str(tmp_path / it) for it in named)


def test_nothing_is_made_where_nothing_needs_it(tmp_path: Path) -> None:
    for target, tools in ((SERVER, [tool("find", "query")]), (Endpoint(url="http://x"), TOOLS)):
        with known_places(target, tools) as places:
            assert places == KnownPlaces()
            assert not os.listdir(tmp_path)


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    with known_places(SERVER, TOOLS) as places:
        name = places.samples
    os.symlink("/", name)
    with known_places(SERVER, TOOLS) as places:
        assert places.samples == ""
    assert os.path.islink(name)
