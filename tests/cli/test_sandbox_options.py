"""`--sandbox` and what belongs to it: as they are typed, configured, refused and repeated."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.cli.application import application
from mcp_assay.cli.commands import assess, demo, lint, proxy
from mcp_assay.cli.configuration import defaults
from mcp_assay.client.project_config import find_configuration
from mcp_assay.client.sandbox import availability, specification
from tests.cli.conftest import Cli

MARKING = (sys.executable, "-c", "open('started', 'w')")
"""A server that leaves a mark where it is started."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.fixture
def without_worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(availability, "unsupported", lambda: "not_linux")
    availability._tried.cache_clear()
    yield
    availability._tried.cache_clear()


def read(command: Any, *words: str) -> dict[str, Any]:
    context = command().make_context("x", list(words))
    read: dict[str, Any] = context.params
    return read


@pytest.mark.parametrize("command", [assess, lint, proxy], ids=["assess", "lint", "proxy"])
@pytest.mark.parametrize(
    ("words", "value"),
    [
        (("--sandbox",), "auto"),
        (("--sandbox=sudo",), "sudo"),
        (("--sandbox=auto",), "auto"),
        ((), None),
    ],
)
def test_the_value_stands_behind_a_sign_only(
    command: Any, words: tuple[str, ...], value: str | None
) -> None:
    found = read(command, *words, "--", "sudo", "--sandbox")
    assert found["sandbox"] == value
    assert found["server"] == ("sudo", "--sandbox")


def test_the_next_word_is_never_its_value() -> None:
    found = read(assess, "--sandbox", "--seed", "7", "--", "x")
    assert (found["sandbox"], found["seed"]) == ("auto", 7)
    assert read(demo, "--sandbox", "--seed", "7")["sandbox"] == "auto"


def test_help_says_how_it_is_typed(cli: Cli) -> None:
    for command in ("assess", "lint", "proxy", "demo"):
        said = cli(command, "--help").out
        assert "--sandbox[=sudo]" in said
        options = ("sandbox-allow", "sandbox-show", "keep-world", "world DIR")
        assert all(f"--{it}" in said for it in options)


@pytest.mark.parametrize(
    "text", ["https:/x", "a b", "host:", "host:0", "host:70000", "host:x", "", "-x", "a/b"]
)
def test_what_is_no_host_is_refused(cli: Cli, text: str) -> None:
    ended = cli("assess", "--sandbox", f"--sandbox-allow={text}", "--", *MARKING)
    assert ended.code == 2
    assert "is not HOST or HOST:PORT" in ended.err


@pytest.mark.parametrize(
    "option", ["--sandbox-allow=a.example", "--sandbox-show=~/.aws", "--world=."]
)
@pytest.mark.parametrize("command", ["assess", "lint", "proxy"])
def test_what_is_about_a_world_needs_one(cli: Cli, command: str, option: str) -> None:
    ended = cli(command, option, "--", *MARKING)
    assert ended.code == 2
    assert f"{option.partition('=')[0]} needs --sandbox" in ended.err


def test_a_folder_that_cannot_be_made_is_refused(cli: Cli) -> None:
    ended = cli("assess", "--sandbox", "--keep-world", "no/such/folder", "--", *MARKING)
    assert ended.code == 2
    assert "is no folder" in ended.err


def test_a_folder_for_the_world_is_there_and_small(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = cli("assess", "--sandbox", "--world", str(tmp_path / "none"), "--", *MARKING)
    assert (ended.code, "does not exist" in ended.err) == (2, True)
    (tmp_path / "a.txt").write_text("aa")
    (tmp_path / "b.txt").touch()
    monkeypatch.setattr(specification, "LIMITS", {**specification.LIMITS, "copy_files": 1})
    ended = cli("assess", "--sandbox", "--world", str(tmp_path), "--", *MARKING)
    assert ended.code == 2
    assert "has more than 64 MB or 1 files; name a smaller folder" in ended.err


@pytest.mark.parametrize("command", ["assess", "lint", "proxy"])
@pytest.mark.parametrize(
    ("server", "words"),
    [
        (("http://127.0.0.1:9/mcp",), "the server at a URL runs already"),
        (("--", "docker", "run", "-i", "x"), "docker would run the server in a container"),
        (("--", "podman", "run", "-i", "x"), "podman would run the server in a container"),
    ],
    ids=["url", "docker", "podman"],
)
def test_what_cannot_be_inside_gets_one_sentence(
    cli: Cli, command: str, server: tuple[str, ...], words: str
) -> None:
    ended = cli(command, "--sandbox", *server)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.usefixtures("without_worlds")
@pytest.mark.parametrize("command", ["assess", "lint", "proxy"])
def test_where_no_world_can_be_made_nothing_is_started(
    cli: Cli, elsewhere: Path, command: str
) -> None:
    ended = cli(command, "--sandbox", "--", *MARKING)
    assert (ended.code, ended.out) == (2, "")
    assert "no disposable world can be made: a disposable world needs Linux" in ended.err
    assert not (elsewhere / "started").exists()


@pytest.mark.usefixtures("without_worlds")
def test_nor_is_anything_of_a_configuration(cli: Cli, elsewhere: Path) -> None:
    entry = {"command": MARKING[0], "args": list(MARKING[1:])}
    (elsewhere / "mcp.json").write_text(json.dumps({"mcpServers": {"a": entry, "b": entry}}))
    for options in (("--all",), ("--server", "a")):
        ended = cli("assess", "--config", "mcp.json", *options, "--sandbox", "--no-input")
        assert (ended.code, ended.out) == (2, "")
    (elsewhere / "mcp-assay.toml").write_text("sandbox = true")
    assert cli("assess", "--", *MARKING).code == 2
    assert cli("demo").code == 2
    assert not (elsewhere / "started").exists()


@pytest.mark.parametrize(
    ("line", "value"), [("true", "auto"), ("false", None), ('"sudo"', "sudo"), ('"auto"', "auto")]
)
def test_a_configuration_has_the_key(elsewhere: Path, line: str, value: str | None) -> None:
    (elsewhere / "mcp-assay.toml").write_text(f'sandbox = {line}\nsandbox-allow = "a.example"')
    found = defaults(find_configuration(), application)
    for command in ("assess", "lint", "proxy", "demo"):
        assert found[command]["sandbox"] == value
        assert found[command]["sandbox_allow"] == ["a.example"]


def test_another_value_is_refused(cli: Cli, elsewhere: Path) -> None:
    (elsewhere / "mcp-assay.toml").write_text('sandbox = "docker"')
    ended = cli("demo")
    assert ended.code == 2
    assert "sandbox cannot be 'docker'; use one of auto, sudo" in ended.err


def test_a_file_to_lint_has_no_world(cli: Cli, elsewhere: Path) -> None:
    (elsewhere / "tools.json").write_text('{"tools": []}')
    ended = cli("lint", "tools.json", "--sandbox")
    assert ended.code == 2
    assert "name either a server or a file" in ended.err
