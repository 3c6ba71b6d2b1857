"""A baseline on the command line: written, reviewed, used, and outgrown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

BAD = b'{"jsonrpc": "2.0", "id": null, "method": "ping"}\n'
GOOD = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'


@pytest.fixture
def accepted(cli: Cli, tmp_path: Path) -> Path:
    """A baseline that accepts what is wrong with BAD."""
    path = tmp_path / "baseline.json"
    ended = cli("validate", "--baseline", path, "--update-baseline", stdin=BAD)
    assert (ended.code, "1 finding accepted" in ended.out) == (0, True)
    return path


def test_what_is_accepted_no_longer_fails_and_is_not_lost(cli: Cli, accepted: Path) -> None:
    assert cli("validate", "--baseline", accepted, stdin=BAD).code == 0
    report = json.loads(cli("validate", "--baseline", accepted, "--format", "json", stdin=BAD).out)
    assert report["findings"] == []
    assert [it["rule"] for it in report["baseline"]["accepted"]] == ["JSONRPC-005"]


def test_an_entry_that_is_mended_fails_the_run_and_says_what_to_do(
    cli: Cli, accepted: Path
) -> None:
    ended = cli("validate", "--baseline", accepted, stdin=GOOD)
    assert ended.code == 1
    assert "JSONRPC-005 no longer occurs" in ended.out
    assert ended.out.startswith(
        "FAIL  0 errors, 0 warnings in 1 message · 1 outdated in the baseline"
    )
    assert cli("validate", "--baseline", accepted, "--update-baseline", stdin=GOOD).code == 0
    assert json.loads(accepted.read_text())["entries"] == []


def test_an_entry_expires(cli: Cli, accepted: Path) -> None:
    known = json.loads(accepted.read_text())
    known["entries"][0] |= {"expires": "2020-01-01", "reason": "old client"}
    accepted.write_text(json.dumps(known))
    ended = cli("validate", "--baseline", accepted, stdin=BAD)
    assert ended.code == 1
    assert "was accepted until 2020-01-01" in ended.out


def test_other_rules_left_out_do_not_make_an_entry_stale(cli: Cli, accepted: Path) -> None:
    assert cli("validate", "--baseline", accepted, "--select", "PING", stdin=GOOD).code == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--update-baseline",), "--update-baseline needs --baseline FILE"),
        (("--baseline", "no-such-file.json"), "does not exist; --update-baseline writes it"),
        (("--baseline", __file__), "is not an mcp-assay baseline"),
        (("--baseline", "no/folder/b.json", "--update-baseline"), "b.json cannot be written"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_refused_before_anything_is_judged(
    cli: Cli, options: tuple[str, ...], sentence: str
) -> None:
    ended = cli("validate", *options, stdin=GOOD)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err


@pytest.mark.parametrize("form", ["junit", "sarif", "markdown", "json"])
def test_every_form_goes_to_standard_output_or_to_a_file(
    cli: Cli, form: str, tmp_path: Path
) -> None:
    path = tmp_path / "report"
    ended = cli("validate", "--format", form, "--report", f"{form}={path}", stdin=BAD)
    assert ended.code == 1
    assert "JSONRPC-005" in ended.out
    assert "JSONRPC-005" in path.read_text()


def test_an_incomplete_run_leaves_the_baseline_and_still_reports(cli: Cli, accepted: Path) -> None:
    before = accepted.read_text()
    server = ("--", "python", "-c", "raise SystemExit(7)")
    ended = cli("assess", "--no-input", "--baseline", accepted, "--update-baseline", *server)
    assert ended.code == 3
    assert f"the run is incomplete; {accepted} was not updated" in ended.err
    assert ended.out.startswith("INCOMPLETE")
    assert accepted.read_text() == before
