"""Every way to go wrong ends with one clear sentence and the right exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcp_assay import __version__
from mcp_assay.cli import application
from tests.cli.conftest import Cli

COMMAND = (sys.executable, "-m", "mcp_assay")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            [],
            "name a command: assess, completion, demo, diff, explain, fleet,",
        ),
        (["valdate"], "unknown command 'valdate'; did you mean validate?"),
        (
            ["x"],
            "unknown command 'x'; choose one of assess, completion, demo, diff, explain, fleet,",
        ),
        (["--wrong"], "--wrong"),
        (["validate", "--formt", "json"], "Did you mean"),
        (["validate", "--revision", "2023-01-01"], "'2023-01-01' is not one of"),
        (["validate", "--direction", "up"], "'up' is not one of"),
        (["validate", "--select", "JSONRCP-005"], "did you mean JSONRPC-005"),
        (["validate", "--ignore", "JSONRPC-999"], "there is no rule 'JSONRPC-999'"),
        (["validate", "--select", ""], "there is no rule ''"),
        (["validate", "--report", "xml=out"], "'xml=out' is not FORMAT=PATH"),
        (["validate", "--report", "json=no/such/folder/x"], "name a file in a folder that exists"),
        (["validate", "--max-findings", "-1"], "-1"),
        (["validate", "--quiet", "--verbose"], "--quiet and --verbose exclude each other"),
        (["validate", "--jobs", "0"], "0 is not in the range"),
        (["validate", "--map", "direction=/d"], "there is no member 'direction'"),
        (["validate", "--map", "dir"], "is not a JSON Pointer"),
        (["validate", "no-such-file"], "no-such-file does not exist; check the path"),
        (["validate", "--sample", "5", "x"], "'5' is not a share like 5%"),
        (["validate", "a", "b"], "a does not exist; check the path; b does not exist"),
        (["validate"], "no message was found in <stdin>"),
        (["explain"], "RULE"),
        (["explain", "NOPE-1"], "there is no rule 'NOPE-1'"),
        (["explain", "JSONRPC-05"], "did you mean JSONRPC-005"),
        (["rules", "--revision", "latest"], "'latest' is not one of"),
        (["version", "extra"], "extra"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_sentence(
    cli: Cli, arguments: list[str], sentence: str
) -> None:
    ended = cli(*arguments)
    assert ended.code == 2
    assert sentence in ended.err
    assert ended.err.startswith("mcp-assay: ")
    assert ended.err.count("\n") == 1


def test_a_binary_file_alone_ends_with_2(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "image.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00")
    ended = cli("validate", file)
    assert (ended.code, ended.out) == (2, "")
    assert "is not text" in ended.err


def test_our_own_fault_ends_with_4_and_an_apology(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp_assay.cli.rules", None)
    ended = cli("rules", "--format", "json")
    assert ended.code == 4
    assert "internal error in the command: ModuleNotFoundError" in ended.err
    assert "Please report this line" in ended.err
    assert "Traceback" not in ended.err


def test_help_ends_with_0(cli: Cli) -> None:
    ended = cli("--help")
    assert (ended.code, ended.err) == (0, "")
    assert all(name in ended.out for name in application.COMMANDS)


@pytest.mark.parametrize("arguments", [["version"], ["--version"], ["version", "--help"]])
def test_version_ends_with_0(cli: Cli, arguments: list[str]) -> None:
    ended = cli(*arguments)
    assert ended.code == 0
    assert "version" in ended.out or ended.out == f"mcp-assay {__version__}\n"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with subprocess.Popen(
        [*COMMAND, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_report_that_cannot_be_written_ends_with_2() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [*COMMAND, "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 2
    assert ended.stderr.startswith("mcp-assay: the report could not be written")
    assert ended.stderr.count("\n") == 1


def test_a_pipe_is_read_as_standard_input() -> None:
    ended = subprocess.run(
        [*COMMAND, "validate", "--quiet"],
        input=b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert ended.stdout.startswith(b"<stdin>:1:23 error JSONRPC-005 ")
