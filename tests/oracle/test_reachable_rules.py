"""The ledger knows every place of the official schema, and notices what is left out."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28, REVISIONS
from tests.oracle import (
    coverage,
    needs_spec,
    official,
    paths,
    required_tags,
    systematic,
    unit_paths,
)
from tests.oracle.shapes import BOUNDS, STRUCTURE

pytestmark = needs_spec
every_revision = pytest.mark.parametrize("revision", REVISIONS)


@every_revision
def test_the_schema_uses_no_keyword_that_is_not_understood(revision: str) -> None:
    definitions = official(revision).unpatched.values()
    used = {keyword for schema in definitions for keyword in keywords(schema)}
    assert {"$ref", "properties"} < used
    assert used - {*BOUNDS, *STRUCTURE, "description"} == set()


def keywords(schema: Any) -> set[str]:
    if not isinstance(schema, dict):
        return set()
    inner = [*schema.get("properties", {}).values()]
    inner += [schema.get("items"), schema.get("additionalProperties")]
    inner += [*schema.get("anyOf", ()), *schema.get("allOf", ())]
    return set(schema).union(*(keywords(part) for part in inner))


@every_revision
def test_the_decided_rules_knows_every_definition_that_a_message_can_reach(revision: str) -> None:
    oracle = official(revision)
    reached = {name for unit in oracle.units() for name in (unit.envelope, unit.definition)}
    while more := referred_by(oracle.definitions, reached) - reached:
        reached |= more
    properties = {
        (name, key) for name in reached for key in oracle.definitions[name].get("properties", {})
    }
    assert properties <= {(owner, key) for owner, key, _ in required_tags(oracle)}


def referred_by(definitions: dict[str, Any], names: set[str]) -> set[str]:
    text = json.dumps([definitions[name] for name in names])
    return set(re.findall(r'"\$ref": "#/(?:\$defs|definitions)/(\w+)"', text))


def test_coverage_falls_when_the_cases_of_one_definition_are_left_out() -> None:
    rest = [
        case
        for case in systematic(official(R2025_11_25))
        if all(tag[0] != "Icon" for tag in case.tags)
    ]
    reached = coverage(rest, official(R2025_11_25))
    icon = {tag for tag in reached.required if tag[0] == "Icon"}
    assert ("Icon", "src", "out-of-bounds") in icon
    assert icon <= set(reached.missing)


def test_paths_name_what_each_revision_has() -> None:
    task = (("request", "tools/call"), ("params", "task", "ttl"))
    token = (("request", "tools/call"), ("params", "_meta", "progressToken"))
    block = (("result", "tools/call"), ("result", "content", "[]", "annotations", "priority"))
    answer = (("request", "tools/call"), ("params", "inputResponses", "{}", "roots", "[]", "uri"))
    envelope = (("notification", "notifications/progress"), ("jsonrpc",))
    found = {revision: paths(revision) for revision in REVISIONS}
    assert all({token, block, envelope} <= found[revision] for revision in REVISIONS)
    assert [revision for revision in REVISIONS if task in found[revision]] == [R2025_11_25]
    assert [revision for revision in REVISIONS if answer in found[revision]] == [R2026_07_28]


def test_the_variants_of_a_result_share_their_paths_in_the_whole() -> None:
    variants = [
        official(R2026_07_28).unit("result", "prompts/get", variant)
        for variant in ("complete", "input_required")
    ]
    complete, asking = (unit_paths(official(R2026_07_28), unit) for unit in variants)
    together = {path for key, path in paths(R2026_07_28) if key == ("result", "prompts/get")}
    assert ("result", "messages") in complete - asking
    assert ("result", "inputRequests") in asking - complete
    assert together == complete | asking


@every_revision
def test_every_path_occurs_in_a_valid_message(revision: str) -> None:
    wanted = {path for path in paths(revision) if "{}" not in path[1]}
    found = {
        (case.unit.key, path)
        for case in systematic(official(revision))
        if case.valid
        for path in paths_in(case.message)
    }
    assert wanted
    assert wanted - found == set()


def paths_in(value: Any, above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    parts = value.items() if isinstance(value, dict) else [("[]", item) for item in listed(value)]
    inner = [path for key, part in parts for path in paths_in(part, (*above, key))]
    return {above, *inner} - {()}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
