"""Changes are reported in files of their own, which fit, and become a section of the changelog."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_assay import __version__
from tools.changelog import (
    LONGEST_LINE,
    NotReleased,
    fragments,
    main,
    release,
    released,
    require_fit,
    section,
)

CHANGELOG = "# Changelog\n\nWhat changes for users.\n\n## 0.1.0\n\n- It begins.\n"
NEXT = """\
## 9.9.9

### Added

- A second sentence, and
  it goes on here.
- Another.

### Fixed

- `lint` says what it means.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    changes = tmp_path / "changes"
    changes.mkdir()
    (changes / "README.md").write_text("# How\n", "utf-8")
    return tmp_path


def add(root: Path, name: str, text: str = "Something.\n") -> None:
    (root / "changes" / name).write_text(text, "utf-8")


def test_the_files_of_this_project_fit() -> None:
    require_fit()


def test_the_changelog_of_this_project_has_versions() -> None:
    assert "0.1.0" in released()


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("Shell.added.md", "Something.", "is not named NAME.KIND.md"),
        ("shell_completion.added.md", "Something.", "is not named NAME.KIND.md"),
        ("shell.improved.md", "Something.", "with KIND one of added, changed, fixed, removed"),
        ("shell.md", "Something.", "is not named NAME.KIND.md"),
        ("shell.added.txt", "Something.", "is not named NAME.KIND.md"),
        ("shell.added.md", " \n", "is empty"),
        ("shell.added.md", "# Shell\n", "begins with a heading or a bullet"),
        ("shell.added.md", "- Something.\n", "begins with a heading or a bullet"),
        ("shell.added.md", "x" * (LONGEST_LINE + 1), "has lines of more than"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    root: Path, name: str, text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    add(root, "good.fixed.md")
    add(root, name, text)
    assert main(["--check"], root) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"changes/{name}: ")
    assert complaint in said
    with pytest.raises(NotReleased, match="changes/"):
        release("9.9.9", root)
    assert (root / "CHANGELOG.md").read_text("utf-8") == CHANGELOG


def test_files_that_fit_are_taken(root: Path) -> None:
    add(root, "shell-completion-2.removed.md", "x" * LONGEST_LINE + "\n")
    assert main(["--check"], root) == 0


def several(root: Path) -> None:
    add(root, "lint.fixed.md", "`lint` says what it means.\n")
    add(root, "second.added.md", "Another.\n\n")
    add(root, "first.added.md", "A second sentence, and\nit goes on here.\n")


def test_the_files_become_a_section_by_kind(root: Path) -> None:
    several(root)
    assert section("9.9.9", root) == NEXT


def test_a_release_puts_the_section_before_the_others_and_removes_the_files(root: Path) -> None:
    several(root)
    release("9.9.9", root)
    head, older = CHANGELOG.split("## 0.1.0")
    assert (root / "CHANGELOG.md").read_text("utf-8") == f"{head}{NEXT}\n## 0.1.0{older}"
    assert released(root) == ["9.9.9", "0.1.0"]
    assert fragments(root) == []
    assert (root / "changes" / "README.md").exists()


def test_a_version_is_released_once(root: Path) -> None:
    add(root, "shell.added.md")
    with pytest.raises(NotReleased, match=r"has 0\.1\.0 already"):
        release("0.1.0", root)
    assert fragments(root)


def test_nothing_is_not_released(root: Path) -> None:
    with pytest.raises(NotReleased, match="nothing to release"):
        release("9.9.9", root)


@pytest.mark.parametrize(("released_as", "title"), [("0.0.1", __version__), (__version__, "Unrel")])
def test_what_is_coming_is_shown(
    root: Path, released_as: str, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CHANGELOG.replace("0.1.0", released_as)
    (root / "CHANGELOG.md").write_text(text, "utf-8")
    add(root, "shell.added.md")
    assert main([], root) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"## {title}")
    assert shown.endswith("### Added\n\n- Something.\n")
    assert (root / "CHANGELOG.md").read_text("utf-8") == text


def test_a_release_is_of_our_version(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG.replace("0.1.0", "0.0.1"), "utf-8")
    add(root, "shell.added.md")
    assert main(["--release"], root) == 0
    assert released(root) == [__version__, "0.0.1"]
    assert main(["--release"], root) == 1
