"""What is asked most often, help, completion and the version, loads next to nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import click
import pytest

from mcp_assay.cli import commands
from mcp_assay.cli.application import COMMANDS
from mcp_assay.cli.main import PAGE_END
from mcp_assay.model.entry import Direction
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.tool import Calls
from mcp_assay.report.diff_formats import DIFF_WRITERS, DIFFS_WRITERS
from mcp_assay.report.formats import DIFF_FORMATS, TEXT
from mcp_assay.spec.dialects import Dialect
from mcp_assay.validate.options import Profile
from tests.cli.conftest import Cli
from tools import help_pages
from tools.loaded_modules import loaded_modules

MOST_MODULES = 60
HEAVY = ("msgspec", "orjson", "jsonschema_rs", "aiohttp", "asyncio", "rich", "mcp_assay.rules")
NARROW = 60


@pytest.mark.parametrize("arguments", [["--help"], ["assess", "--help"], ["validate", "-h"]])
def test_help_that_is_stored_needs_no_command(arguments: list[str]) -> None:
    loaded = loaded_modules(arguments)
    assert "mcp_assay.cli.main" in loaded
    assert "mcp_assay.cli.application" not in loaded


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
    pages = help_pages.pages().split(PAGE_END)
    assert len(pages) == 1 + len(COMMANDS)
    for name, page in zip(["", *COMMANDS], pages, strict=True):
        assert cli(*name.split(), "--help").out == page


def test_a_narrow_terminal_gets_narrow_help(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(NARROW))
    ended = cli("completion", "--help")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) < NARROW


@pytest.mark.parametrize(
    ("command", "name", "kind"),
    [
        (commands.assess, "calls", Calls),
        (commands.validate, "profile", Profile),
        (commands.validate, "direction", Direction),
        (commands.validate, "dialect", Dialect),
        (commands.validate, "fail_on", FailOn),
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
