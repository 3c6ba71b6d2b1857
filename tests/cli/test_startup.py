"""What is asked most often loads next to nothing, and no command loads what it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import click
import pytest

from mcp_assay.cli import commands
from mcp_assay.cli.application import COMMANDS
from mcp_assay.cli.parameters import HELP_OPTIONS
from mcp_assay.cli.stored_pages import PAGE_END, unpainted
from mcp_assay.model.entry import Direction
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.tool import Calls
from mcp_assay.report.diff_formats import DIFF_WRITERS, DIFFS_WRITERS
from mcp_assay.report.formats import DIFF_FORMATS, TEXT
from mcp_assay.spec.dialects import Dialect
from mcp_assay.spec.selection import KNOWN_RULES
from mcp_assay.validate.options import Profile
from tests.cli.conftest import Cli
from tools import stored_pages
from tools.loaded_modules import COMMANDS as MEASURED
from tools.loaded_modules import all_loaded_modules, loaded_modules

MOST_MODULES = 60
HEAVY = ("msgspec", "orjson", "jsonschema_rs", "aiohttp", "asyncio", "rich", "mcp_assay.rules")
NARROW = 60
OF_SERVERS = {"aiohttp", "asyncio", "socket", "subprocess"}
UNNEEDED = {
    "version": {"click", "msgspec", "typing", *HEAVY},
    "--help": {"click", "msgspec", "typing", *HEAVY},
    "rules": {"click", "msgspec", "typing", *HEAVY},
    "explain RULE": {"click", "msgspec", "typing", *HEAVY},
    "validate MESSAGE": {"hashlib", "jsonschema_rs", "rich", "tomllib", *OF_SERVERS},
    "lint FILE": {"aiohttp", "asyncio", "hashlib", "rich", "tomllib"},
}
"""What takes long to load, and what these commands get along without."""


@pytest.mark.parametrize("arguments", [["--help"], ["assess", "--help"], ["validate", "-h"]])
def test_help_that_is_stored_needs_no_command(arguments: list[str]) -> None:
    loaded = loaded_modules(arguments)
    assert "mcp_assay.cli.main" in loaded
    assert "mcp_assay.cli.application" not in loaded


@pytest.mark.parametrize("name", UNNEEDED)
def test_a_command_loads_nothing_slow_that_it_does_not_need(name: str) -> None:
    assert UNNEEDED[name].isdisjoint(all_loaded_modules(MEASURED[name]))


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_that_is_made_anew_loads_nothing_heavy(name: str) -> None:
    arguments = [*name.split(), "--help"]
    script = (
        "import sys; from mcp_assay.cli.main import main; "
        f"assert main({arguments!r}) == 0; print(*sys.modules, sep='\\n')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env={"COLUMNS": str(NARROW), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    shown, _, _ = ended.stdout.partition("\nsys\n")
    assert "Usage: mcp-assay" in shown
    loaded = set(ended.stdout.splitlines())
    assert "click" in loaded
    assert not loaded & set(HEAVY)
    assert sum(name.startswith("mcp_assay") for name in loaded) <= MOST_MODULES


def test_stored_help_is_what_the_commands_say(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    pages = stored_pages.help_pages().split(PAGE_END)
    assert len(pages) == 1 + len(COMMANDS)
    for name, page in zip(["", *COMMANDS], pages, strict=True):
        assert cli(*name.split(), "--help").out == page


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_made_without_the_application_has_the_same_help(name: str) -> None:
    command: click.Command = getattr(commands, name)()
    alone = command.get_help_option(click.Context(command))
    assert alone is not None
    assert alone.opts == list(HELP_OPTIONS)


def test_stored_rules_are_what_the_application_shows(cli: Cli) -> None:
    rules, *stories = stored_pages.rule_pages().split(PAGE_END)
    assert unpainted(rules) == cli("rules", "--no-color").out == cli("rules").out
    assert len(stories) == len(KNOWN_RULES)
    for id, story in zip(KNOWN_RULES, stories, strict=True):
        names, _, page = story.partition("\n")
        assert names.split()[0] == id
        assert unpainted(page) == cli("explain", id, "--no-color").out


@pytest.mark.parametrize("name", ["jsonrpc-005", " NULL-request-id ", "JSONRPC-005"])
def test_a_stored_rule_is_found_by_every_name(cli: Cli, name: str) -> None:
    ended = cli("explain", name)
    assert ended.code == 0
    assert ended.out == cli("explain", name, "--no-color").out


@pytest.mark.parametrize("name", ["JSONRPC", "rules", "", "no-such-rule"])
def test_what_no_stored_page_answers_is_left_to_the_application(cli: Cli, name: str) -> None:
    assert cli("explain", name) == cli("explain", name, "--no-color")


def test_a_configuration_goes_before_stored_pages(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mcp-assay.toml").write_text('format = "json"\n', "utf-8")
    assert cli("rules").out == cli("rules", "--format", "json").out


def test_a_narrow_terminal_gets_narrow_help(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(NARROW))
    ended = cli("completion", "--help")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) < NARROW


@pytest.mark.parametrize(
    ("command", "name", "kind"),
    [
        (commands.assess(), "calls", Calls),
        (commands.validate(), "profile", Profile),
        (commands.validate(), "direction", Direction),
        (commands.validate(), "dialect", Dialect),
        (commands.validate(), "fail_on", FailOn),
    ],
)
def test_what_an_option_offers_is_what_the_library_takes(
    command: click.Command, name: str, kind: object
) -> None:
    option = next(one for one in command.params if one.name == name)
    assert isinstance(option.type, click.Choice)
    assert set(option.type.choices) == set(get_args(kind))


def test_every_form_of_a_comparison_has_a_writer() -> None:
    assert set(DIFF_FORMATS) == {TEXT, *DIFF_WRITERS} == {TEXT, *DIFFS_WRITERS}
