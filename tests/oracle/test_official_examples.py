"""The official examples have no error, but for the fourteen that are known to be faulty."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.slow import Setting, asked_by, judge, kind_of
from mcp_assay.rules.engine.walk import ShapeContext, walker
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import R2026_07_28, REVISIONS
from mcp_assay.spec.shape import Type, Use
from mcp_assay.spec.shapes import SHAPES
from mcp_assay.wire.reader import Reading
from tests.oracle import SPEC, Unit, needs_spec, official

pytestmark = needs_spec

FRAGMENTS: Final = SPEC / "examples-2026-07-28"
MESSAGES: Final = SPEC / "doc-examples"

OTHER_NAMES: Final = {
    "BlobResourceContents": "ResourceContents",
    "CreateMessageRequest": "SamplingInputRequest",
    "ElicitRequest": "ElicitInputRequest",
    "InternalError": "Error",
    "InvalidParamsError": "Error",
    "ListRootsRequest": "RootsInputRequest",
    "MethodNotFoundError": "Error",
    "ParseError": "Error",
    "TextResourceContents": "ResourceContents",
    "TitledMultiSelectEnumSchema": "TitledMultiSelectSchema",
    "TitledSingleSelectEnumSchema": "TitledEnumSchema",
    "UntitledMultiSelectEnumSchema": "UntitledMultiSelectSchema",
    "UntitledSingleSelectEnumSchema": "EnumSchema",
}
"""What our tables call a definition where that is not its own name."""

MEMBERS: Final = {
    "InputRequests": ("InputRequiredResult", "inputRequests"),
    "InputResponses": ("CallToolRequestParams", "inputResponses"),
}
"""Definitions that are no shape of ours but the type of a field."""

VERBOSE: Final = (
    ("protocolVersion", "initialize"),
    ("supportedVersions", "server/discover"),
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("resourceTemplates", "resources/templates/list"),
    ("contents", "resources/read"),
    ("prompts", "prompts/list"),
    ("messages", "prompts/get"),
    ("completion", "completion/complete"),
    ("roots", "roots/list"),
    ("model", "sampling/createMessage"),
    ("action", "elicitation/create"),
    ("tasks", "tasks/list"),
    ("taskId", "tasks/get"),
    ("task", "tools/call"),
    ("content", "tools/call"),
    ("inputRequests", "tools/call"),
)
"""Members of a result that tell which method it answers, the more telling first."""

ANSWERED: Final = {
    "basic_patterns_subscriptions_3": "subscriptions/listen",
    "basic_utilities_ping_1": "ping",
    "basic_utilities_tasks_7": "tasks/result",
    "basic_utilities_tasks_12": "tasks/cancel",
}
"""The method that a result answers, where its members do not tell."""

NO_META: Final = {"META-007", "META-008"}
"""What the requests break that leave out the members of `_meta` which 2026-07-28 asks for."""

KNOWN_FAULTS: Final = {
    "2026-07-28/basic_index_2.json": NO_META,
    "2026-07-28/basic_patterns_progress_0.json": NO_META,
    "2026-07-28/server_prompts_1.json": NO_META,
    "2026-07-28/server_prompts_3.json": NO_META,
    "2026-07-28/server_resources_2.json": NO_META,
    "2026-07-28/server_resources_4.json": NO_META,
    "2026-07-28/server_resources_6.json": NO_META,
    "2026-07-28/server_tools_1.json": NO_META,
    "2026-07-28/server_tools_3.json": NO_META,
    "2026-07-28/server_tools_6.json": NO_META,
    "2026-07-28/server_utilities_completion_1.json": NO_META,
    "2026-07-28/server_utilities_completion_3.json": NO_META,
    "2026-07-28/server_utilities_pagination_1.json": NO_META,
    "ReadResourceResultResponse/read-resource-result-response.json": {"CACHE-001"},
}
"""The faulty examples, each with the rules that it breaks."""


def test_every_example_that_a_folder_names_fits_its_definition() -> None:
    files = sorted(FRAGMENTS.glob("*/*.json"))
    print(f"{len(files)} examples of {len({file.parent for file in files})} definitions")
    assert len(files) == 129
    assert found_in(files, errors_as_defined) == known_in(FRAGMENTS)


def test_every_example_message_of_the_documentation_has_no_error() -> None:
    files = sorted(MESSAGES.glob("*/*.json"))
    known = Counter(kind_of(read(file)) for file in files if method_of(file))
    unknown = Counter(kind_of(read(file)) for file in files if not method_of(file))
    print(f"method known: {dict(known)}; not known, nor needed: {dict(unknown)}")
    assert len(files) == 255
    assert {file.parent.name for file in files} == set(REVISIONS)
    assert unknown.keys() == {"error"}
    assert found_in(files, errors_in_documentation) == known_in(MESSAGES)


def test_fourteen_examples_are_faulty() -> None:
    assert len(known_in(FRAGMENTS) | known_in(MESSAGES)) == len(KNOWN_FAULTS) == 14


@pytest.mark.parametrize("definition", ["TextContent", "InputResponses", "BlobResourceContents"])
def test_an_example_does_not_fit_another_definition(definition: str) -> None:
    files = sorted((FRAGMENTS / definition).glob("*.json"))
    assert files
    for file in files:
        assert errors_of_fragment(read(file), type_of("Tool"))


def found_in(files: list[Path], errors: Callable[[Path], set[str]]) -> dict[str, set[str]]:
    found = {f"{file.parent.name}/{file.name}": errors(file) for file in files}
    return {name: rules for name, rules in found.items() if rules}


def known_in(folder: Path) -> dict[str, set[str]]:
    return {name: rules for name, rules in KNOWN_FAULTS.items() if (folder / name).is_file()}


def errors_as_defined(file: Path) -> set[str]:
    """The errors of an example, seen as the definition that its folder names."""
    definition, example = file.parent.name, read(file)
    if "jsonrpc" not in example:
        return errors_of_fragment(example, type_of(definition))
    unit = unit_of(definition.removesuffix("Response"))
    assert unit.kind == kind_of(example)
    assert "method" not in example or example["method"] == unit.method
    return errors_of_message(example, R2026_07_28, unit.method)


def errors_in_documentation(file: Path) -> set[str]:
    return errors_of_message(read(file), file.parent.name, method_of(file))


def errors_of_message(message: Any, revision: str, method: str | None) -> set[str]:
    findings = judge(
        Reading(message), Setting(revision=revision, request_of=asked_by(method, revision))
    )
    return {finding.rule for finding in findings if finding.severity == "error"}


def errors_of_fragment(fragment: Any, type: Type) -> set[str]:
    faults = Faults(R2026_07_28)
    walker(type, None, ShapeContext(R2026_07_28, "SCHEMA-001"))(fragment, (), faults)
    return {
        found.rule for found in faults if CATALOGUE[found.rule].severity_of(found.grade) == "error"
    }


def unit_of(definition: str) -> Unit:
    """What a whole message of this definition is; of a result, the definition without envelope."""
    return next(unit for unit in official(R2026_07_28).units() if unit.definition == definition)


def type_of(definition: str) -> Type:
    """Our type for a definition; KeyError where the tables have none."""
    if definition not in MEMBERS:
        return Use(SHAPES[OTHER_NAMES.get(definition, definition)].name)
    shape, name = MEMBERS[definition]
    return next(field.type for field in SHAPES[shape].fields if field.name == name)


def method_of(file: Path) -> str | None:
    """The method of a message or, for a result, the one that it answers."""
    message = read(file)
    if "method" in message:
        return str(message["method"])
    reported = (method for name, method in VERBOSE if name in message.get("result", {}))
    return ANSWERED.get(file.stem) or next(reported, None)


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
