"""Patterns that users add in their configuration."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mcp_assay.client.project_config import WrongConfiguration
from mcp_assay.responses import Judge, ValidationContext

ROOT = Path(__file__).resolve().parents[3]
WAREHOUSE = ROOT / "examples" / "warehouse"


def kind(judge: Judge, text: str) -> str:
    response = {"isError": True, "content": [{"type": "text", "text": text}]}
    return judge.explain_error(ValidationContext({"name": "x"}, {}, response)).kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tote is upside down", "business"),
        ("Lane 7 runs backwards", "business"),
        ("picker brain fault", "failure"),
        ("The conveyor is silent.", "environment"),
        ("Not found, code 17", "unclear"),
        ("TypeError: x is undefined, tote is upside down", "business"),
        ("Acme gateway says: tote is upside down", "business"),
    ],
)
def test_patterns_of_a_configuration_decide(text: str, expected: str) -> None:
    assert kind(Judge.configured(str(WAREHOUSE)), text) == expected


def test_without_a_configuration_only_the_known_patterns_are_used(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    judge = Judge.configured(str(tmp_path))
    assert kind(judge, "Tote is upside down") == "unclear"
    assert kind(judge, "Tote not found") == "business"


def test_words_to_ignore_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "mcp-assay.toml").write_text('[errors]\nignore = ["timeout wrapper"]')
    judge = Judge.configured(str(tmp_path))
    assert kind(judge, "Timeout wrapper: tote not found") == "business"
    assert kind(judge, "Timeout wrapper") == "unclear"


def test_nothing_that_we_know_hides_a_pattern_of_the_users(tmp_path: Path) -> None:
    (tmp_path / "mcp-assay.toml").write_text('[errors]\nfailure = ["not found", "lane...jammed"]')
    judge = Judge.configured(str(tmp_path))
    assert kind(judge, "File not found") == "failure"
    assert kind(judge, "Lane 7 is jammed") == "failure"


def test_a_pattern_of_the_users_is_louder_than_ours(tmp_path: Path) -> None:
    (tmp_path / "mcp-assay.toml").write_text('[errors]\nbusiness = ["tote is upside down"]')
    judge = Judge.configured(str(tmp_path))
    assert kind(judge, "Output validation error: tote is upside down") == "business"


def test_an_own_pattern_is_a_factor_that_names_its_source(tmp_path: Path) -> None:
    (tmp_path / "mcp-assay.toml").write_text('[errors]\nfailure = ["brain fault"]')
    response = {"isError": True, "content": [{"type": "text", "text": "Brain fault"}]}
    judge = Judge.configured(str(tmp_path))
    (factor,) = judge.explain_error(ValidationContext({}, {}, response)).factors
    assert (factor.name, factor.text, factor.source) == (
        "own pattern",
        "Brain fault",
        "configuration",
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("errors = 7", "errors must be a table."),
        ("[errors]\nbusines = []", "errors.busines is unknown; use one of business, failure,"),
        ("[errors]\nfailure = 7", "errors.failure must be a list of phrases."),
        ('[errors]\nfailure = ["ok", 7]', "errors.failure[1] must be a phrase, or a table"),
        ('[errors]\nfailure = [{ strength = "fair" }]', "must be a phrase, or a table"),
        ('[errors]\nfailure = [""]', "must be a phrase of 2 to 200 characters."),
        ('[errors]\nfailure = [{ phrase = "ab", strength = ["x"] }]', "has an unknown strength"),
        ('[errors]\nfailure = ["ab … cd … ef"]', 'may have one "…" between words'),
        ('[errors]\nfailure = ["lane …"]', 'may have one "…" between words'),
        ('[errors]\nfailure = ["*lane"]', 'one "*" at its end'),
        (
            '[errors]\nfailure = [{ phrase = "abc", strength = "loud" }]',
            "errors.failure[0] has an unknown strength; use one of certain, strong, fair, faint.",
        ),
    ],
)
def test_a_wrong_pattern_gets_one_sentence_with_its_place(
    tmp_path: Path, content: str, sentence: str
) -> None:
    (tmp_path / "mcp-assay.toml").write_text(content)
    with pytest.raises(WrongConfiguration) as refusal:
        Judge.configured(str(tmp_path))
    assert str(refusal.value).startswith(str(tmp_path / "mcp-assay.toml"))
    assert sentence in str(refusal.value)


def test_the_guide_shows_the_example_that_is_tested() -> None:
    guide = (ROOT / "docs" / "responses.md").read_text("utf-8")
    shown = guide.partition("```toml\n")[2].partition("```")[0]
    example = (WAREHOUSE / "mcp-assay.toml").read_text("utf-8")
    assert tomllib.loads(shown) == tomllib.loads(example)
