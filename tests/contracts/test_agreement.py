"""Lists that the code has, and that nobody advertises any more."""

from __future__ import annotations

import pytest

from tests.contracts.projects import NOTES, Project, failed, outcomes, says

ENUMS = '[contract.enums]\n{} = "shop:KINDS"'
NAME = "kind-agrees-with-the-code"
FREE = ('kind: Literal["todo", "idea"] | None = None', "kind: str | None = None")
GONE = ('kind: Literal["todo", "idea"] | None = None', "sort: str | None = None")
TITLES = 'TITLES = [{"const": "todo", "title": "To do"}, {"const": "idea"}]'
TITLED = (
    'kind: Literal["todo", "idea"] | None = None',
    'kind: Annotated[str, Field(json_schema_extra={"oneOf": TITLES})] = "todo"',
)


def ran(pytester: pytest.Pytester, key: str, change: tuple[str, str]) -> pytest.RunResult:
    project = Project(pytester)
    assert change[0] in NOTES
    project.write(shop=f"{TITLES}\n{NOTES.replace(*change)}")
    project.configure(ENUMS.format(key))
    return project.run("-v", "-k", "agrees", "--mcp-assay-calls", "none")


@pytest.mark.parametrize(
    ("key", "change", "item", "words"),
    [
        ("kind", FREE, f"list_notes::{NAME}", "list_notes lists no values of 'kind'; the code has"),
        ("kind", GONE, f"the-server::{NAME}", "No tool takes 'kind'; the code has"),
        ('"list_notes.kind"', FREE, f"list_notes::{NAME}", "list_notes lists no values of 'kind'"),
        ('"list_notes.kind"', GONE, f"list_notes::{NAME}", "list_notes no longer takes 'kind'"),
        ('"find.kind"', ("", ""), f"find::{NAME}", "There is no tool find, and so no find.kind"),
    ],
)
def test_a_list_that_nobody_advertises_fails_and_is_named(
    pytester: pytest.Pytester, key: str, change: tuple[str, str], item: str, words: str
) -> None:
    result = ran(pytester, key, change)
    assert failed(result) == {item}
    assert says(result, words, '"todo", "idea"')


@pytest.mark.parametrize("key", ["kind", '"list_notes.kind"'])
def test_values_with_titles_are_a_list(pytester: pytest.Pytester, key: str) -> None:
    assert outcomes(ran(pytester, key, TITLED)) == {f"list_notes::{NAME}": "passed"}


def test_a_field_that_a_tool_had_by_its_contract_fails_when_it_is_gone(
    pytester: pytest.Pytester,
) -> None:
    project = Project(pytester)
    other = NOTES.replace("def get_note(id: str)", f"def get_note(id: str, {FREE[0]})")
    project.write(shop=other)
    project.configure(ENUMS.format("kind"))
    project.run("--mcp-assay-update", "--mcp-assay-calls", "none")
    project.write(shop=NOTES)
    result = project.run("-v", "-k", "agrees", "--mcp-assay-calls", "none")
    assert failed(result) == {f"get_note::{NAME}"}
    assert says(result, "get_note no longer takes 'kind'")


@pytest.mark.parametrize("name", ["²", "0", "a/b"])
def test_any_name_of_a_field_may_have_a_list(pytester: pytest.Pytester, name: str) -> None:
    """A name that Python takes for a number once ended the whole run."""
    project = Project(pytester)
    values = f'{{"properties": {{{name!r}: {{"type": "string", "enum": ["todo", "idea"]}}}}}}'
    schema = f"Annotated[dict[str, str], Field(json_schema_extra={values})]"
    project.write(shop=NOTES.replace(FREE[0], f"given: {schema} = None"))
    result = project.run("-v", "--mcp-assay-calls", "all")
    assert "INTERNALERROR" not in result.stdout.str()
    assert any(item.startswith("list_notes::") for item in outcomes(result))
