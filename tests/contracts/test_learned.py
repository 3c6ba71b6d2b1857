"""The learned contract: written once, compared from then on."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from tests.contracts.projects import NOTES, Project, failed, outcomes, says
from tools.make_docs import CONTRACT_SCHEMA

CONTRACT = "mcp-assay-contract.json"
LEARNED: list[str] = []
"""The contract, once it was learned."""


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    project = Project(pytester)
    project.write(shop=NOTES)
    if not LEARNED:
        assert project.run("--mcp-assay-update").ret == 0
        LEARNED.append(project.read(CONTRACT))
    project.put(CONTRACT, LEARNED[0])
    return project


def changed(project: Project, old: str, new: str) -> None:
    assert old in NOTES
    project.write(shop=NOTES.replace(old, new))


def test_the_file_holds_definitions_and_shapes(project: Project) -> None:
    contract = json.loads(project.read(CONTRACT))
    assert contract["schema"] == "mcp-assay/contract/1"
    note = contract["tools"]["get_note"]["success"]
    assert note["required"] == ["id", "kind", "text"]
    assert contract["tools"]["list_notes"]["success"]["properties"]["notes"]["items"]["properties"][
        "kind"
    ]["enum"] == ["todo", "idea"]
    assert "success" not in contract["tools"]["delete_note"]
    jsonschema_rs.validate(json.loads(CONTRACT_SCHEMA.read_text()), contract)


def test_the_file_is_the_same_when_nothing_changed(project: Project) -> None:
    before = project.read(CONTRACT)
    project.run("--mcp-assay-update")
    assert project.read(CONTRACT) == before


def test_nothing_changed_passes(project: Project) -> None:
    result = project.ran("-v")
    assert failed(result) == set()
    assert outcomes(result)["get_note::answers-keep-the-contract"] == "passed"
    assert outcomes(result)["delete_note::definition-keeps-the-contract"] == "passed"


@pytest.mark.parametrize(
    ("old", "new", "check", "words"),
    [
        (
            '"text": "sea"}]',
            '"text": "sea"}]\nfor note in NOTES: note["text"] = 1',
            "get_note::answers-keep-the-contract",
            "clients that read it",
        ),
        (
            "def get_note(id: str)",
            'def get_note(kind: Literal["todo"], id: str)',
            "get_note::definition-keeps-the-contract",
            "clients that call it as before",
        ),
        (
            '"todo", "idea"] | None',
            '"todo"] | None',
            "list_notes::definition-keeps-the-contract",
            "clients that call it as before",
        ),
        ("def delete_note", "def remove_note", "delete_note::is-still-listed", "is gone"),
    ],
)
def test_a_breaking_change_fails(
    project: Project, old: str, new: str, check: str, words: str
) -> None:
    changed(project, old, new)
    result = project.run("-v")
    assert check in failed(result)
    assert says(result, "breaking", words)


def test_a_member_that_is_gone_breaks(project: Project) -> None:
    project.write(shop=NOTES.replace('"text"', '"body"'))
    result = project.run("-v")
    assert "get_note::answers-keep-the-contract" in failed(result)
    assert says(result, "breaking: The member 'text' of the answer is gone.", "clients that read")


NULL = ('"text": "sea"}', '"text": None}')


def test_a_risky_change_is_reported_and_passes(project: Project) -> None:
    changed(project, *NULL)
    result = project.run("-v")
    assert failed(result) == set()
    assert says(result, "changes since the contract was learned", "risky", "may now be null")


def test_a_risky_change_fails_where_that_is_wanted(project: Project) -> None:
    changed(project, *NULL)
    project.configure('[contract]\nrisky = "fail"')
    assert "list_notes::answers-keep-the-contract" in failed(project.run("-v"))


def test_a_cosmetic_change_is_reported_only(project: Project) -> None:
    changed(project, '"text": "tea"}', '"text": "tea", "more": 1}')
    result = project.run("-v")
    assert failed(result) == set()
    assert says(result, "cosmetic: The member 'notes.*.more' of the answer is new.")


def test_accepting_the_change_ends_the_failure(project: Project) -> None:
    changed(project, '"text"', '"body"')
    project.run("--mcp-assay-update")
    assert failed(project.run("-v")) == set()


def test_a_broken_file_is_a_usage_error(project: Project) -> None:
    project.put(CONTRACT, "{")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*mcp-assay-contract.json cannot be read*--mcp-assay-update*"])
