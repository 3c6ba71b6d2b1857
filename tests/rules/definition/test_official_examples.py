"""The definitions in the examples of the specification are not found fault with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.rules.definition.linter import lint
from mcp_assay.rules.definition.surface import LISTS, Surface, surface_of
from mcp_assay.spec.revisions import R2026_07_28, REVISIONS

SPEC = Path(__file__).parents[4] / "shared" / "spec"
FOLDERS = {f"doc-examples/{revision}": revision for revision in REVISIONS}
RECOMMENDED = {"TOOL-019"}
"""What is recommended, and what the examples do not always do."""


def surfaces(value: Any) -> Iterator[Surface]:
    if isinstance(value, dict):
        if any(isinstance(value.get(name), list) for name in LISTS):
            yield surface_of(value)
        elif "inputSchema" in value:
            yield Surface(tools=[value])
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from surfaces(inner)


@pytest.mark.parametrize(
    ("folder", "revision"), [*FOLDERS.items(), ("examples-2026-07-28", R2026_07_28)]
)
def test_the_examples_of_the_specification_are_well_defined(folder: str, revision: str) -> None:
    if not (SPEC / folder).is_dir():
        pytest.skip(f"../shared/spec/{folder} is absent")
    values = [json.loads(path.read_text("utf-8")) for path in (SPEC / folder).rglob("*.json")]
    listed = [surface for value in values for surface in surfaces(value)]
    assert listed
    found = [one for surface in listed for one in lint(surface, revision)]
    assert {one.rule for one in found if one.severity != "info"} <= RECOMMENDED
