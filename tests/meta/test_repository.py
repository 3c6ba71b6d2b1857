"""The repository speaks of the product alone."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"__pycache__", "node_modules", "build", "dist"}
OURS = {".ci", ".github"}
"""Hidden folders that belong to the project."""
PLACE = ROOT if ROOT.parent == Path(tempfile.gettempdir()) else ROOT.parent
"""The folder around the project, or the project itself where everybody's files are around it."""
FORBIDDEN = {
    "a path of one machine": re.compile(rf"/root/|{re.escape(str(PLACE))}/"),
    "a package registry": re.compile(r"(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)"),
    "unfinished work": re.compile(r"\b(?:TODO|FIXME)\b"),
}

ANSWERS = ".jsonl"
"""Collections of what tools answer: they may say of themselves that they are unfinished."""


@cache
def texts() -> list[tuple[Path, str]]:
    """Every text file of the project, this one left out because it names what is forbidden."""
    paths = (path for path in paths_below(ROOT) if path != Path(__file__))
    return [(path, text) for path in paths if (text := text_of(path)) is not None]


def paths_below(root: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if is_ours(name)]
        yield from (Path(folder) / name for name in names)


def is_ours(folder: str) -> bool:
    """Whether what lies in a folder belongs to the project."""
    return folder not in SKIPPED and (folder in OURS or not folder.startswith("."))


def text_of(path: Path) -> str | None:
    """What a file says; None where it is no text."""
    try:
        return path.read_text("utf-8") if path.is_file() else None
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in texts()
        for match in FORBIDDEN[what].finditer(text)
        if not (what == "unfinished work" and path.suffix == ANSWERS)
    ]
    assert found == []


def test_the_forbidden_would_be_found() -> None:
    assert FORBIDDEN["a path of one machine"].search(f"in {ROOT}/src")
    owner = "npmjs"
    assert FORBIDDEN["a package registry"].search(f"registry.{owner}.org")
    assert FORBIDDEN["unfinished work"].search("# TODO: this")


def test_the_whole_project_is_looked_at() -> None:
    seen = {path.relative_to(ROOT).parts[0] for path, _ in texts()}
    assert {"src", "tests", "docs", "tools", "README.md", "pyproject.toml", *OURS} <= seen
