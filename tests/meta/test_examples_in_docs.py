"""What the guides tell people to type, write down or paste works as it stands there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from mcp_assay.cli.application import application
from mcp_assay.cli.configuration import defaults
from mcp_assay.client.project_config import Configuration
from mcp_assay.fleet.files.fleet_file import read_fleet
from tests.patience import LONGEST
from tools.consoles import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
A_SERVER = "from mcp_assay.demo_server import main\n\nmain()\n"
A_CONFIGURATION = json.dumps(
    {
        "mcpServers": {
            name: {"command": "python", "args": ["my_server.py"]} for name in ("notes", "x")
        }
    }
)
A_TEST = "def test_nothing_else() -> None:\n    pass\n"
A_TRACE = '{"dir": "c2s", "raw": "{}"}\n'
FILES = {
    "my_server.py": A_SERVER,
    "notes_server.py": A_SERVER,
    "mcp.json": A_CONFIGURATION,
    ".vscode/mcp.json": A_CONFIGURATION,
    "claude_desktop_config.json": A_CONFIGURATION,
    "gateway.jsonl": A_TRACE,
    "night.jsonl.gz": A_TRACE,
    "token.txt": "Bearer of-nobody",
    "test_nothing_else.py": A_TEST,
}
"""What the reader of a guide has, in the folder where the commands are typed."""
ELSEWHERE = ".example/"
"""Commands about hosts that do not exist are not run: their options are read."""
SERVING = "mcp-assay ui"
"""This goes on until it is interrupted."""
UNTESTED = ("make ", "pip ")
"""Commands that install or test this project itself."""
WRONG = (2, 4, 127)
"""Exit codes that say that a command was typed wrongly, is not there, or that we are at fault."""
SHELLS = {"sh": ("bash",), "bash": ("bash",), "zsh": ("zsh", "-f"), "fish": ("fish", "--no-config")}
"""Which shell reads a block of that language, without anything of the user's own."""
BEFORE = {"zsh": "autoload -U compinit && compinit -D; "}
"""What the shell has done before it comes to the block."""


class Example(NamedTuple):
    page: str
    language: str
    text: str


EXAMPLES = [
    Example(path.name, language, text)
    for path in PAGES
    for language, text in BLOCK.findall(path.read_text("utf-8"))
]


def commands(text: str) -> list[str]:
    """The commands of a block, each in one line."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith(UNTESTED)]


def named(language: str) -> list[tuple[str, str]]:
    return [(page, text) for page, kind, text in EXAMPLES if kind == language]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("language", "page", "text"),
    [(language, *example) for language in SHELLS for example in named(language)],
)
def test_commands_can_be_typed_one_after_the_other(
    language: str, page: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell, *_ = SHELLS[language]
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: tools/install_debian_packages.sh")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    for line in commands(text):
        if ELSEWHERE in line:
            require_options(line)
        elif line.startswith(SERVING):
            require_served(line)
        else:
            ended = typed(line, language)
            assert ended.returncode not in WRONG, f"{page}: {ended.stderr}"


def typed(line: str, language: str = "sh") -> subprocess.CompletedProcess[str]:
    """A command that was typed in a shell, with our programs first on the path."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        [*SHELLS[language], "-c", BEFORE.get(language, "") + line],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def require_served(line: str) -> None:
    """Begin to serve pages, and end that as people do."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    command = ["bash", "-c", f"exec {line}"]
    environment = {**os.environ, "PATH": path}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert serving.stdout.readline().startswith("http://127.0.0.1:")
        serving.send_signal(signal.SIGINT)
        assert serving.wait(LONGEST) == 0


def require_options(line: str) -> None:
    """Read the options of a command of ours, without running it."""
    _, name, *words = shlex.split(line, comments=True)
    command = application.get_command(click.Context(application), name)
    assert command is not None
    context = command.make_context(name, words)
    assert any(ELSEWHERE in str(value) for value in context.params.values())


@pytest.mark.parametrize(("page", "text"), named("toml"))
def test_a_configuration_or_a_fleet_can_be_used(page: str, text: str, tmp_path: Path) -> None:
    table = tomllib.loads(text)
    if "servers" in table:
        (tmp_path / "fleet.toml").write_text(text, "utf-8")
        assert not read_fleet(str(tmp_path / "fleet.toml")).wrong
        return
    ours = table.get("tool", {}).get("mcp-assay", table)
    assert ours
    defaults(Configuration(page, ours), application)


@pytest.mark.parametrize(("page", "text"), named("json"))
def test_json_can_be_read(page: str, text: str) -> None:
    assert json.loads(text), page


def test_there_are_examples_of_each_kind() -> None:
    assert {"sh", "toml", "json", "console"} <= {example.language for example in EXAMPLES}
    assert sum(len(commands(text)) for _, text in named("sh")) > 10
