"""A client's configuration as a fleet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcp_assay.fleet.entry import Fleet, Program, Remote
from mcp_assay.fleet.files.fleet_file import read_fleet


def read(folder: Path, **servers: Any) -> Fleet:
    path = folder / "mcp.json"
    path.write_text("// ours\n" + json.dumps({"mcpServers": servers}), "utf-8")
    return read_fleet(str(path))


def test_commands_and_addresses_are_read_and_no_value_is(tmp_path: Path) -> None:
    fleet = read(
        tmp_path,
        notes={"command": "notes", "args": ["--key", "${env:KEY}"], "env": {"TOKEN": "swordfish"}},
        far={"url": "https://far.example.com/mcp", "headers": {"X-Key": "sesame"}},
    )
    notes, far = fleet.entries
    assert notes.origin == Program(command=("notes", "--key", "${env:KEY}"))
    assert far.origin == Remote(url="https://far.example.com/mcp")
    assert (notes.variables, far.headers) == (("TOKEN",), ("X-Key",))
    assert "swordfish" not in repr(fleet)
    assert "sesame" not in repr(fleet)


def test_servers_that_are_switched_off_are_left_out_and_wrong_ones_are_rows(
    tmp_path: Path,
) -> None:
    fleet = read(
        tmp_path,
        off={"command": "a", "disabled": True},
        odd={"args": ["b"]},
        worse={"command": "a", "env": {"A B": "c"}},
        good={"command": "c"},
    )
    assert ([entry.name for entry in fleet.entries], fleet.left_out) == (["good"], 1)
    assert [row.name for row in fleet.wrong] == ["odd", "worse"]
    assert "has neither a command nor an http(s) url" in fleet.wrong[0].reason
