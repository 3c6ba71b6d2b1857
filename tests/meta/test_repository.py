"""The repository speaks of the product alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"__pycache__", "node_modules", "build", "dist"}
OURS = {".ci", ".github"}
"""Hidden folders that belong to the project."""
FORBIDDEN = {
    "a path of one machine": re.compile(rf"/root/|{re.escape(str(ROOT.parent))}/"),
    "a package registry": re.compile(r"(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)"),
    "unfinished work": re.compile(r"\b(?:TODO|FIXME)\b"),
}

ANSWERS = ".jsonl"
"""Collections of what tools answer: they may say of themselves that they are unfinished."""


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file of the project, this one left out because it names what is forbidden."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in OURS for part in parts[:-1])
        if hidden or SKIPPED & set(parts) or not path.is_file() or path == Path(__file__):
            continue
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


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
