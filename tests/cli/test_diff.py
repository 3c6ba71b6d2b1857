"""`mcp-assay diff` on real reports: what differs, in every form, and the exit code."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from mcp_assay.report.as_json import json_text, to_json
from mcp_assay.report.overall import overall, with_files
from tests.assess.running import QUICK, run_of
from tests.cli.conftest import Cli
from tests.drift.small_reports import finding, made

GOOD = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
BAD = b'{"jsonrpc": "2.0", "id": null, "method": "ping"}\n'


class Pair(NamedTuple):
    """Two reports in files."""

    old: Path
    new: Path


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Reports on two versions of a server: the second crashes."""
    folder, options = tmp_path_factory.mktemp("reports"), replace(QUICK, max_calls=3)
    for name in ("both-eras", "missing-option-crash"):
        (folder / name).write_text(to_json(run_of(name, options)))
    return Pair(folder / "both-eras", folder / "missing-option-crash")


@pytest.fixture
def small(tmp_path: Path) -> Pair:
    """Two small reports: the second has a warning more."""
    pair = Pair(tmp_path / "old.json", tmp_path / "new.json")
    pair.old.write_text(to_json(made()))
    pair.new.write_text(to_json(made(finding(severity="warning"))))
    return pair


def test_a_server_that_crashes_now_is_worse(cli: Cli, servers: Pair) -> None:
    ended = cli("diff", *servers)
    assert ended.code == 1
    assert ended.out.startswith("WORSE  ")
    assert "RESP-004" in ended.out
    assert "worse  " in ended.out
    assert cli("diff", servers.new, servers.old).code == 0
    assert cli("diff", *servers, "--fail-on", "never").code == 0


def test_a_run_that_is_repeated_is_the_same(cli: Cli, servers: Pair) -> None:
    ended = cli("diff", servers.new, servers.new)
    assert (ended.code, ended.out.count("\n")) == (0, 1)
    assert ended.out.startswith("SAME  ")


def test_reports_of_validate_are_compared(cli: Cli, tmp_path: Path) -> None:
    for name, text in (("old", GOOD), ("new", BAD)):
        cli("validate", "--report", f"json={tmp_path / name}", stdin=text)
    ended = cli("diff", tmp_path / "old", tmp_path / "new")
    assert ended.code == 1
    assert "JSONRPC-005" in ended.out
    assert "JSONRPC-005" in cli("diff", tmp_path / "new", tmp_path / "old").out


def test_one_report_may_be_packed_and_the_other_standard_input(cli: Cli, small: Pair) -> None:
    packed = small.new.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(small.new.read_bytes()))
    ended = cli("diff", "-", packed, "--fail-on", "warning", stdin=small.old.read_bytes())
    assert ended.code == 1
    assert "1 new warning" in ended.out
    assert cli("diff", "-", packed, stdin=small.old.read_bytes()).code == 0


def test_rules_can_be_chosen(cli: Cli, small: Pair) -> None:
    assert "SAME" in cli("diff", *small, "--ignore", "RESP").out
    assert "CHANGED" in cli("diff", *small, "--select", "RESP-004").out


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_every_form_goes_to_standard_output_or_to_a_file(
    cli: Cli, small: Pair, form: str, tmp_path: Path
) -> None:
    ended = cli("diff", *small, "--format", form, "--report", f"{form}={tmp_path / 'diff'}")
    assert (tmp_path / "diff").read_text() == ended.out
    assert "RESP-004" in ended.out
    if form == "json":
        assert json.loads(ended.out)["old"]["file"] == str(small.old)


def test_a_configured_report_is_not_overwritten_with_a_diff(
    cli: Cli, small: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.old.parent)
    Path("mcp-assay.toml").write_text('report = ["json=new.json"]\nformat = "junit"\n')
    before = small.new.read_text()
    assert cli("diff", *small).code == 0
    assert small.new.read_text() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("old.json",), "missing argument 'NEW'"),
        (("-", "-"), "only one of OLD and NEW can be stdin"),
        (("old.json", "none.json"), "none.json does not exist; check the path"),
        (("old.json", "."), ". is a folder"),
        (("old.json", "trace.jsonl"), "trace.jsonl is not an mcp-assay JSON report"),
        (("old.json", "cut.gz"), "cut.gz is incomplete: its compressed data is truncated"),
        (("old.json", "bomb.gz"), "bomb.gz is longer than the 100,000 bytes"),
        (("old.json", "new.json", "--format", "sarif"), "'sarif' is not one of"),
        (("old.json", "new.json", "--report", "html=x"), "FORMAT is text or json or markdown"),
        (("old.json", "new.json", "--quiet", "--verbose"), "exclude each other"),
        (("old.json", "new.json", "--select", "NONSENSE"), "there is no rule 'NONSENSE'"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    cli: Cli,
    small: Pair,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(small.old.parent)
    monkeypatch.setattr("mcp_assay.compare.LARGEST", 100_000)
    Path("trace.jsonl").write_bytes(GOOD)
    Path("cut.gz").write_bytes(gzip.compress(GOOD)[:-9])
    Path("bomb.gz").write_bytes(gzip.compress(bytes(1_000_000)))
    ended = cli("diff", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


def on_all(path: Path, *names: str, is_faulty: bool = False, **files: str) -> Path:
    """A file with a report on several servers; `files` hold those on some of them."""
    reports = {name: made(*([finding()] if is_faulty else [])) for name in (*names, *files)}
    whole = overall(
        "mcp.json",
        reports,
        tool=made().tool,
        command="assess",
        options={},
        skipped=(),
        timing=made().timing,
    )
    path.write_text(json_text(msgspec.to_builtins(with_files(whole, files))))
    return path


def test_reports_on_several_servers_are_compared_server_by_server(cli: Cli, tmp_path: Path) -> None:
    old = on_all(tmp_path / "old", "books", "notes")
    new = on_all(tmp_path / "new", "books", "diary", is_faulty=True)
    ended = cli("diff", old, new)
    assert ended.code == 1
    assert ended.out.startswith("WORSE  1 server: 1 worse; 1 added; 1 removed\n")
    assert cli("diff", old, new, "--fail-on", "never").code == 0
    assert cli("diff", new, old).code == 0
    document = json.loads(cli("diff", old, new, "--format", "json").out)
    assert [(one["name"], one["change"]) for one in document["servers"]] == [
        ("books", "compared"),
        ("diary", "added"),
        ("notes", "removed"),
    ]
    assert (document["old"], document["new"]) == (str(old), str(new))
    assert cli("diff", old, old).out == "SAME  2 servers: 2 the same\n"
    assert cli("diff", "-", old, stdin=old.read_bytes()).code == 0


def test_reports_that_are_in_files_of_their_own_are_read(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "each").mkdir()
    (tmp_path / "each" / "books.json").write_text(to_json(made(finding())))
    new = on_all(tmp_path / "new", "notes", books="each/books.json")
    ended = cli("diff", on_all(tmp_path / "old", "notes", "books"), new)
    assert ended.code == 1
    assert "books  worse  1 new error" in ended.out


@pytest.mark.parametrize("file", ["none.json", "/dev/zero", "each", "", "new"])
def test_a_report_that_is_not_where_it_should_be_is_said(
    cli: Cli, tmp_path: Path, file: str
) -> None:
    (tmp_path / "each").mkdir()
    new = on_all(tmp_path / "new", books=file)
    ended = cli("diff", on_all(tmp_path / "old", "books"), new)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "the report on 'books'" in ended.err or "is not an mcp-assay JSON report" in ended.err


def test_a_report_in_another_folder_is_not_opened(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "books.json").write_text(to_json(made()))
    new = on_all(tmp_path / "inside" / "new", books="../books.json")
    ended = cli("diff", on_all(tmp_path / "old", "books"), new)
    assert (ended.code, ended.out) == (2, "")
    assert "'../books.json', which is no file there" in ended.err


def test_one_server_is_not_held_against_several(cli: Cli, small: Pair) -> None:
    several = on_all(small.old.with_name("several.json"), "books")
    for arguments in ((small.old, several), (several, small.old)):
        ended = cli("diff", *arguments)
        assert ended.code == 2
        assert "several.json one on several; compare two of the same kind." in ended.err
