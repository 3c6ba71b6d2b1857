"""The documentation is true: generated pages are fresh and every example runs."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tools.consoles import ROOT, blocks, played
from tools.make_docs import generated, stale, with_consoles

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLES = [(path, block) for path in with_consoles() for block in blocks(path.read_text("utf-8"))]
WITH_PYTHON = [path for path in PAGES if ">>> " in path.read_text("utf-8")]


def test_generated_files_are_fresh() -> None:
    assert stale(generated()) == []


@pytest.mark.parametrize(
    ("path", "block"), CONSOLES, ids=[f"{path.name}-{n}" for n, (path, _) in enumerate(CONSOLES)]
)
def test_a_console_example_shows_the_real_output(path: Path, block: str) -> None:
    assert played(block) == block


@pytest.mark.parametrize("path", WITH_PYTHON, ids=lambda path: path.name)
def test_python_examples_do_what_they_say(path: Path) -> None:
    failed, attempted = doctest.testfile(
        str(path), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert attempted > 0
    assert failed == 0


def test_the_guides_have_examples() -> None:
    assert {path.name for path, _ in CONSOLES} >= {"README.md", "validate.md"}
    assert {path.name for path in WITH_PYTHON} >= {"README.md", "envelope.md", "python-api.md"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    targets = [part.split(")")[0].split("#")[0] for part in text.split("](")[1:]]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_the_architecture_fits_on_a_page() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()) <= 60
