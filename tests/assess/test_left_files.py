"""Files that a server left behind in the working folder are named in its report."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from mcp_assay.assess import left_files
from mcp_assay.assess.left_files import WorkingFolder
from mcp_assay.client.target import Command, Endpoint
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.as_text import full_text
from tests.report.test_assessment import report

BARE = Command(command=("server",))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old.txt").touch()
    monkeypatch.chdir(tmp_path)


def leave(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()


def test_new_files_are_found_in_folders_too_but_not_where_programs_keep_their_own() -> None:
    folder = WorkingFolder(BARE)
    leave("shot.png", "out/page.pdf", "node_modules/x.js", ".git/index")
    assert folder.new_files() == ["out/page.pdf", "shot.png"]


def test_nothing_is_said_of_a_server_elsewhere_or_of_a_huge_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = WorkingFolder(Endpoint(url="http://127.0.0.1:1/"))
    monkeypatch.setattr(left_files, "MOST_ENTRIES", 1)
    huge = WorkingFolder(BARE)
    leave("a", "b", "c")
    assert elsewhere.new_files() == huge.new_files() == []


def test_the_report_names_the_first_and_counts_the_others() -> None:
    made = report("pass")
    names = [f"page-{number}.png" for number in range(61)]
    made = replace(made, timing=replace(made.timing, files_left=names))
    words = "61 files left behind in the working folder: page-0.png, page-1.png"
    lines = " ".join("".join(text for text, _ in line).strip() for line in full_text(made))
    assert words in lines
    assert "and 56 more." in lines
    assert "61 files left behind" in to_markdown(made)
