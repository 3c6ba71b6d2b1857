"""A server that dies at its start: what its last words say to do."""

from __future__ import annotations

import http.server
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

VALUE = "value-that-nobody-must-see"
NEEDS_KEY = "import os; os.environ['OUR_API_KEY']"


def dying(words: str) -> tuple[str, ...]:
    return ("assess", "--no-input", "--", sys.executable, "-c", words)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which nothing tells how Python is run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_variable_that_was_held_back_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_API_KEY", VALUE)
    ended = cli(*dying(NEEDS_KEY))
    assert ended.code == 3
    assert "add --env OUR_API_KEY." in ended.err
    assert VALUE not in ended.err
    linted = cli("lint", *dying(NEEDS_KEY)[1:])
    assert (linted.code, "add --env OUR_API_KEY." in linted.err) == (3, True)


@pytest.mark.parametrize("is_passed", [True, False])
def test_a_variable_is_not_named_where_that_would_not_help(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, is_passed: bool
) -> None:
    monkeypatch.delenv("OUR_API_KEY", raising=False)
    option = ("--env", "OUR_API_KEY=x-y-z") if is_passed else ()
    words = "raise SystemExit('OUR_API_KEY is wrong')"
    ended = cli("assess", *option, *dying(words)[1:])
    assert ended.code == 3
    assert "OUR_API_KEY is wrong" in ended.err
    assert "--env" not in ended.err


@pytest.mark.parametrize(
    ("mark", "hint"),
    [
        (None, "(uv run python or .venv/bin/python)"),
        (".venv/bin/python", "(.venv/bin/python)"),
        ("uv.lock", "(uv run python)"),
    ],
)
def test_a_missing_module_is_named_with_the_interpreter_that_may_have_it(
    cli: Cli, folder: Path, mark: str | None, hint: str
) -> None:
    if mark:
        (folder / mark).parent.mkdir(parents=True, exist_ok=True)
        (folder / mark).touch()
    ended = cli(*dying("import no_such_module.inside"))
    assert ended.code == 3
    assert "The module no_such_module is missing: run the server with the project's" in ended.err
    assert hint in ended.err


def test_a_missing_module_of_node_is_named(cli: Cli) -> None:
    ended = cli(*dying("raise SystemExit(\"Error: Cannot find module '@scope/thing'\")"))
    assert "The module @scope/thing is missing: install it where the server runs." in ended.err


def test_last_words_without_advice_get_none(cli: Cli) -> None:
    ended = cli(*dying("raise SystemExit('Bad luck')"))
    assert ended.err.splitlines()[-1].endswith("Bad luck")


class Closed(http.server.BaseHTTPRequestHandler):
    """Lets nobody in."""

    def do_POST(self) -> None:
        """Refuse."""
        self.send_response(401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def closed_url() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Closed) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


def test_a_server_that_lets_nobody_in_says_what_to_add(cli: Cli, closed_url: str) -> None:
    ended = cli("assess", "--no-input", closed_url)
    assert ended.code == 3
    assert 'add --header "Authorization: Bearer TOKEN"' in ended.err


@pytest.mark.parametrize(
    "advice",
    [
        "mcp 2 renamed it: pin mcp<2 to keep it.",
        "Run `pip install notes-server[all]` first.",
        "This server requires node >= 20.",
        "please upgrade to mcp@2",
    ],
)
def test_what_a_dead_server_advises_itself_is_repeated_and_nothing_else(
    cli: Cli, advice: str
) -> None:
    words = f"No module named 'mcp.server.fastmcp'\\n{advice}"
    ended = cli(*dying(f"raise SystemExit({words!r}.replace(chr(92) + 'n', chr(10)))"))
    assert f'The server says what to do: "{advice}"' in ended.err
    assert "project's own interpreter" not in ended.err


def test_the_last_words_of_a_server_stay_apart_line_by_line(cli: Cli) -> None:
    ended = cli(*dying("raise SystemExit('no key' + chr(10) + 'no luck')"))
    assert "no key | no luck" in " ".join(ended.out.split())
