"""A fleet that a user writes: what may stand in it, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_assay.fleet.entry import Package, Program, Remote
from mcp_assay.fleet.files.content import WrongFleet
from mcp_assay.fleet.files.filters import FleetFilters
from mcp_assay.fleet.files.fleet_file import read_fleet

WHOLE = """
name = "nightly"

[servers.clock]
package = "pypi:mcp-server-time"
version = "2026.10.19"
program = "mcp-server-time"
arguments = ["--local-timezone", "UTC"]
env = ["TZ"]

[servers.notes]
command = "python -m notes 'my folder'"
arguments = ["--quiet"]
env = { TOKEN = "swordfish" }
calls = "all"

[servers.far]
url = "https://mcp.example.com/mcp"
headers = { Authorization = "Bearer ${FAR_TOKEN}" }
"""


def written(folder: Path, text: str, name: str = "fleet.toml") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def reason(folder: Path, table: str) -> str:
    """Why the one server of a file is wrong."""
    fleet = read_fleet(written(folder, f"[servers.one]\n{table}\n"))
    (row,) = fleet.wrong
    assert (row.name, fleet.entries) == ("one", ())
    return row.reason


def test_every_way_to_have_a_server_is_read(tmp_path: Path) -> None:
    fleet = read_fleet(written(tmp_path, WHOLE))
    clock, notes, far = fleet.entries
    assert (fleet.name, fleet.wrong, fleet.left_out) == ("nightly", (), 0)
    assert clock.origin == Package(
        registry="pypi",
        name="mcp-server-time",
        version="2026.10.19",
        program="mcp-server-time",
        arguments=("--local-timezone", "UTC"),
    )
    assert notes.origin == Program(command=("python", "-m", "notes", "my folder", "--quiet"))
    assert far.origin == Remote(url="https://mcp.example.com/mcp")
    assert (clock.variables, notes.calls, far.headers) == (("TZ",), "all", ("Authorization",))
    assert not any(entry.is_foreign for entry in fleet.entries)


def test_no_value_is_in_an_entry(tmp_path: Path) -> None:
    fleet = read_fleet(written(tmp_path, WHOLE))
    assert "swordfish" not in repr(fleet)
    assert "FAR_TOKEN" not in repr(fleet)
    assert fleet.entries[1].values is not None


def test_a_changed_entry_has_another_digest_and_its_neighbours_have_not(tmp_path: Path) -> None:
    before = read_fleet(written(tmp_path, WHOLE)).entries
    after = read_fleet(written(tmp_path, WHOLE.replace("2026.10.19", "2026.10.20"))).entries
    changed = [one.digest != two.digest for one, two in zip(before, after, strict=True)]
    assert changed == [True, False, False]


def test_a_fleet_without_a_name_is_called_by_its_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[servers.a]\ncommand = "a"\n', "ours.toml")
    assert read_fleet(path).name == "ours"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("", "needs one of package, command, url"),
        ('command = "a"\nurl = "https://b.example"', "not several"),
        ('package = "mcp-server-time"', "is none of pypi:NAME, npm:NAME, oci:NAME"),
        ('package = "npm:../../../etc"', "is not the name of a package"),
        ('package = "npm:-g"', "would be read as an option"),
        ('package = "pypi:a @ https://b.example/c.whl"', "is not the name of a package"),
        ('package = "pypi:a"\nversion = ">=1"', "is not one version"),
        ('package = "pypi:a"\nversion = "../.."', "is not one version"),
        ('package = "pypi:a"\nprogram = "../sh"', "is not the name of a program"),
        ('package = "pypi:a"\nenv = ["A-B"]', "'A-B', which is no such name"),
        ('command = "a \'"', "cannot be read as words"),
        ('command = ""', "command is empty"),
        ('command = "a"\nversion = "1"', "belong to a package"),
        ('command = "a"\nheaders = ["X"]', "headers belong to a url"),
        ('url = "file:///etc/passwd"', "is not an http or https address"),
        ('url = "https://user:word@b.example"', "has a user or password in it"),
        ('url = "https://b.example"\nheaders = { X = "a\\nb" }', "has control characters"),
        ('url = "https://b.example"\nenv = ["X"]', "and it has a url"),
        ('command = "a"\ncalls = "some"', "Invalid enum value 'some'"),
        ('command = "a"\ncwd = "/"', "unknown field `cwd`"),
        ("command = 5", "Expected"),
    ],
)
def test_a_wrong_entry_is_a_row_that_says_why(tmp_path: Path, table: str, words: str) -> None:
    assert words in reason(tmp_path, table)


def test_a_wrong_entry_leaves_the_others_alone(tmp_path: Path) -> None:
    fleet = read_fleet(written(tmp_path, WHOLE + "\n[servers.odd]\nurl = 5\n"))
    assert [entry.name for entry in fleet.entries] == ["clock", "notes", "far"]
    assert [row.name for row in fleet.wrong] == ["odd"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[servers", "is not valid TOML"),
        ("", "names no servers; write a table [servers.NAME] for each"),
        ('server = "x"', "'server' is no key of a fleet"),
        ("servers = 5", "names no servers"),
        ("[servers]", "it names no server"),
        ("name = 5\n[servers.a]\n", "name must be a text"),
        ("servers = " + "[" * 20_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_fleet_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(WrongFleet) as why:
        read_fleet(written(tmp_path, text))
    assert words in str(why.value)
    assert str(why.value).count("\n") == 0


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(WrongFleet, match="cannot be read: No such file"):
        read_fleet(str(tmp_path / "none.toml"))
    with pytest.raises(WrongFleet, match="is not the name of a file"):
        read_fleet("a\0b")
    (tmp_path / "odd.toml").write_bytes(b"\xff")
    with pytest.raises(WrongFleet, match="is not UTF-8"):
        read_fleet(str(tmp_path / "odd.toml"))


@pytest.mark.parametrize(
    ("filters", "names", "left_out"),
    [
        (FleetFilters(only=("c*", "far")), ["clock", "far"], 1),
        (FleetFilters(without=("clock",)), ["notes", "far"], 1),
        (FleetFilters(kinds=("pypi", "remote")), ["clock", "far"], 1),
        (FleetFilters(limit=1), ["clock"], 2),
    ],
)
def test_what_is_not_wanted_is_counted(
    tmp_path: Path, filters: FleetFilters, names: list[str], left_out: int
) -> None:
    fleet = read_fleet(written(tmp_path, WHOLE), filters)
    assert ([entry.name for entry in fleet.entries], fleet.left_out) == (names, left_out)


def test_filters_that_leave_nothing_are_said(tmp_path: Path) -> None:
    with pytest.raises(WrongFleet, match="none of its servers is wanted"):
        read_fleet(written(tmp_path, WHOLE), FleetFilters(only=("nobody",)))
