"""The example of docs/pytest.md passes on both kinds of server, and the page says what is so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.contracts.projects import failed, missing, outcomes, says

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pytest.md").read_text("utf-8")
SHOWN = "".join(re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)).splitlines()
KINDS = ["library:server", "library_fastmcp:server"]
OPTIONS = ("--mcp-assay", "-v")


@pytest.fixture
def example(pytester: pytest.Pytester) -> pytest.Pytester:
    for path in (ROOT / "examples" / "contracts").iterdir():
        if path.is_file():
            shutil.copy(path, pytester.path / path.name)
    pytester.syspathinsert()
    return pytester


@pytest.mark.parametrize("server", KINDS)
def test_the_example_passes(example: pytest.Pytester, server: str) -> None:
    result = example.runpytest_inprocess(*OPTIONS, "--mcp-assay-server", server)
    found = outcomes(result)
    assert set(found.values()) == {"passed"}
    assert missing(result, (line.split()[0] for line in SHOWN if "PASSED" in line)) == []
    assert found["lend::has-an-error-sample"] == "passed"


@pytest.mark.parametrize("server", KINDS)
def test_a_learned_contract_notices_every_change(example: pytest.Pytester, server: str) -> None:
    named = ("--mcp-assay-server", server)
    assert example.runpytest_inprocess(*OPTIONS, *named, "--mcp-assay-update").ret == 0
    after = example.runpytest_inprocess(*OPTIONS, *named, "--mcp-assay-mutate")
    assert not says(after, "No test noticed these changes:")
    assert after.ret == 0


def test_what_nothing_notices_is_reported_as_the_page_says(example: pytest.Pytester) -> None:
    result = example.runpytest_inprocess(*OPTIONS, "--mcp-assay-mutate")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    shown = (line.strip() for line in SHOWN if "noticed" in line or "/" in line)
    assert missing(result, shown) == []


def test_a_member_that_is_gone_is_reported_as_the_page_says(example: pytest.Pytester) -> None:
    example.runpytest_inprocess(*OPTIONS, "--mcp-assay-update")
    code = example.path / "catalogue.py"
    code.write_text(
        code.read_text().replace('"title":', '"name":').replace('["title"]', '["name"]')
    )
    result = example.runpytest_inprocess(*OPTIONS, "-k", "get_book")
    assert "get_book::answers-keep-the-contract" in failed(result)
    assert missing(result, (line for line in SHOWN if line.startswith("breaking"))) == []


def test_a_genre_that_only_the_code_has_is_reported(example: pytest.Pytester) -> None:
    code = example.path / "catalogue.py"
    code.write_text(code.read_text().replace('ESSAY = "essay"', 'ESSAY = "essay"\n    MAP = "map"'))
    result = example.runpytest_inprocess(*OPTIONS, "-k", "genre-agrees")
    assert says(result, 'The code has "map", which the schema does not list.')
