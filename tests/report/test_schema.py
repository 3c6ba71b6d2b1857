"""Every report is valid in the JSON Schema that ships with the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

import mcp_assay.report
from mcp_assay.report.as_json import to_json
from mcp_assay.validate import Options, validate

INPUTS = sorted((Path(__file__).parent.parent / "cli" / "inputs").iterdir())
KEYS = [
    "schema",
    "tool",
    "subject",
    "revision",
    "revisions_offered",
    "options",
    "seed",
    "consent",
    "summary",
    "findings",
    "checks",
    "causes",
    "sessions",
    "tools",
    "resources",
    "templates",
    "prompts",
    "surface",
    "calls",
    "sandbox",
    "limits",
    "baseline",
    "sandbox_hint",
    "likely_hint",
    "timing",
]


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    path = Path(next(iter(mcp_assay.report.__path__))) / "report.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


def document(*files: Path, **options: Any) -> dict[str, Any]:
    report = validate(map(str, files), Options(**options))
    value: dict[str, Any] = json.loads(to_json(report))
    return value


@pytest.mark.parametrize("file", INPUTS, ids=lambda path: path.name)
def test_a_report_is_valid_and_complete(file: Path, schema: Draft202012Validator) -> None:
    value = document(file)
    assert list(schema.iter_errors(value)) == []
    assert list(value) == KEYS


def test_a_report_of_many_files_some_unreadable_is_valid(schema: Draft202012Validator) -> None:
    value = document(*INPUTS, Path("missing"), max_findings=1, select=("JSONRPC",))
    assert list(schema.iter_errors(value)) == []


@pytest.mark.parametrize("key", KEYS)
def test_a_report_that_lacks_a_member_is_invalid(key: str, schema: Draft202012Validator) -> None:
    value = document(INPUTS[0])
    del value[key]
    assert not schema.is_valid(value)
