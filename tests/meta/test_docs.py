"""The documentation is true: generated pages are fresh and every example runs."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tools.consoles import ROOT, blocks, has_worlds, needs_world, played, without_rule_counts
from tools.make_docs import generated, stale, with_consoles

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
DESIGN = sorted((ROOT / "docs" / "design").glob("*.md"))
CONSOLES = [(path, block) for path in with_consoles() for block in blocks(path.read_text("utf-8"))]
WITH_PYTHON = [path for path in PAGES if ">>> " in path.read_text("utf-8")]


def test_generated_files_are_fresh() -> None:
    assert stale(generated()) == []


@pytest.mark.parametrize(
    ("path", "block"), CONSOLES, ids=[f"{path.name}-{n}" for n, (path, _) in enumerate(CONSOLES)]
)
def test_a_console_example_shows_the_real_output(path: Path, block: str) -> None:
    if needs_world(block) and not has_worlds():
        pytest.skip("no disposable world can be made here")
    assert without_rule_counts(played(block)) == without_rule_counts(block)


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


@pytest.mark.parametrize("path", [*LINKED, *DESIGN], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    targets = [part.split(")")[0].split("#")[0] for part in text.split("](")[1:]]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DESIGN, ids=lambda path: path.name)
def test_a_page_on_design_is_short_and_in_the_index(path: Path) -> None:
    index = path.with_name("README.md")
    assert len(path.read_text("utf-8").splitlines()) <= 90
    assert path == index or f"]({path.name})" in index.read_text("utf-8")


def test_the_architecture_is_short_and_so_is_its_glossary() -> None:
    page, glossary = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## Glossary")
    assert len(page.splitlines()) <= 106
    assert len(glossary.splitlines()) <= 43
