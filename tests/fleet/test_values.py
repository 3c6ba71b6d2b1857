"""What a worker gives to a server, and what it keeps to itself."""

from __future__ import annotations

import json
from pathlib import Path

from mcp_assay.fleet.entry import FleetEntry
from mcp_assay.fleet.files.fleet_file import read_fleet
from mcp_assay.fleet.values import values_of, variable_for

TOML = """
[servers.one]
package = "pypi:one"
arguments = ["--as", "${WHO}"]
env = { A = "from the file", B = "to ${WHO}" }

[servers.two]
url = "https://two.example.com/${PLACE}"
headers = ["X-Api-Key"]
"""


def entries(folder: Path, text: str, name: str = "fleet.toml") -> list[FleetEntry]:
    (folder / name).write_text(text, "utf-8")
    return list(read_fleet(str(folder / name)).entries)


def page(folder: Path) -> FleetEntry:
    package = {
        "registryType": "npm",
        "identifier": "one",
        "environmentVariables": [
            {"name": "SECRET_OF_OURS", "isRequired": True},
            {"name": "MODE", "value": "${SECRET_OF_OURS}"},
            {"name": "LEVEL"},
        ],
    }
    server = {"name": "a/one", "version": "1", "packages": [package]}
    return entries(folder, json.dumps({"servers": [{"server": server}]}), "page.json")[0]


def test_values_come_from_the_file_and_from_the_environment(tmp_path: Path) -> None:
    one, two = entries(tmp_path, TOML)
    ours = {"WHO": "Ada", "X_API_KEY": "sesame", "PLACE": "here", "A": "not this"}
    found = values_of(one, environment=ours)
    assert found.environment == {"A": "from the file", "B": "to Ada"}
    assert (found.words, found.missing) == (("--as", "Ada"), ())
    assert values_of(two, environment=ours).headers == {"X-Api-Key": "sesame"}
    assert values_of(two, environment=ours).url == "https://two.example.com/here"


def test_what_is_not_here_is_named(tmp_path: Path) -> None:
    one, two = entries(tmp_path, TOML)
    assert values_of(one, environment={}).missing == ("WHO",)
    assert values_of(two, environment={}).missing == ("X_API_KEY", "PLACE")


def test_of_a_file_that_is_another_one_now_nothing_is_taken(tmp_path: Path) -> None:
    one, _ = entries(tmp_path, TOML)
    (tmp_path / "fleet.toml").write_text(TOML.replace("from the file", "from a thief"), "utf-8")
    found = values_of(one, environment={"B": "of the worker", "WHO": "Ada"})
    assert (found.environment, found.missing) == ({"B": "of the worker"}, ("A",))


def test_without_the_file_the_environment_of_the_worker_has_to_do(tmp_path: Path) -> None:
    one, _ = entries(tmp_path, TOML)
    (tmp_path / "fleet.toml").unlink()
    found = values_of(one, environment={"A": "a", "B": "b", "WHO": "Ada"})
    assert found.environment == {"A": "a", "B": "b"}


def test_a_stranger_gets_nothing_that_the_user_has_not_named(tmp_path: Path) -> None:
    entry, ours = page(tmp_path), {"SECRET_OF_OURS": "swordfish", "LEVEL": "info"}
    alone = values_of(entry, environment=ours)
    assert alone.missing == ("SECRET_OF_OURS",)
    assert "swordfish" not in repr(alone)
    assert alone.environment == {"MODE": "${SECRET_OF_OURS}"}, "a stranger has no placeholders"
    named = values_of(entry, ["SECRET_OF_OURS", "LEVEL"], ours)
    assert named.environment == {
        "SECRET_OF_OURS": "swordfish",
        "MODE": "${SECRET_OF_OURS}",
        "LEVEL": "info",
    }
    assert named.missing == ()


def test_a_header_has_a_variable(tmp_path: Path) -> None:
    assert variable_for("X-Api-Key") == "X_API_KEY"
