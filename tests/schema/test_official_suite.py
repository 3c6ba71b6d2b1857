"""The required tests of JSON-Schema-Test-Suite, through all of our limits and the worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from mcp_assay.client.schema_worker import SchemaWorker
from mcp_assay.schema.checker import Schemas

CORPUS: Final = Path(__file__).parents[3] / "shared/corpora/JSON-Schema-Test-Suite/tests"
DIALECTS: Final = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="../shared/corpora/JSON-Schema-Test-Suite is absent"
)

REMOTE: Final[dict[str, list[str]]] = {
    "draft7/refRemote": [
        "remote ref",
        "fragment within remote ref",
        "ref within remote ref",
        "base URI change",
        "base URI change - change folder",
        "base URI change - change folder in subschema",
        "root ref in remote ref",
        "remote ref with ref to definitions",
        "Location-independent identifier in remote ref",
        "retrieved nested refs resolve relative to their URI not $id",
        "$ref to $ref finds location-independent $id",
    ],
    "draft2020-12/dynamicRef": [
        "strict-tree schema, guards against misspelled properties",
        "tests for implementation dynamic anchor and reference link",
        "$ref and $dynamicAnchor are independent of order - $defs first",
        "$ref and $dynamicAnchor are independent of order - $ref first",
        "$ref to $dynamicRef finds detached $dynamicAnchor",
    ],
    "draft2020-12/refRemote": [
        "remote ref",
        "fragment within remote ref",
        "anchor within remote ref",
        "ref within remote ref",
        "base URI change",
        "base URI change - change folder",
        "base URI change - change folder in subschema",
        "root ref in remote ref",
        "remote ref with ref to defs",
        "Location-independent identifier in remote ref",
        "retrieved nested refs resolve relative to their URI not $id",
        "remote HTTP ref with different $id",
        "remote HTTP ref with different URN $id",
        "remote HTTP ref with nested absolute ref",
        "$ref to $ref finds detached $anchor",
    ],
    "draft2020-12/vocabulary": [
        "schema that uses custom metaschema with with no validation vocabulary",
        "ignore unrecognized optional vocabulary",
    ],
}
"""The cases that need a document from elsewhere: their schemas are refused."""


def files() -> list[str]:
    found = (path for dialect in DIALECTS for path in (CORPUS / dialect).glob("*.json"))
    return sorted(str(path.relative_to(CORPUS).with_suffix("")) for path in found)


def cases(file: str) -> Iterator[dict[str, Any]]:
    """The cases of a file, each schema with the name of its dialect."""
    dialect = {"$schema": DIALECTS[file.partition("/")[0]]}
    for case in orjson.loads((CORPUS / f"{file}.json").read_bytes()):
        schema = case["schema"]
        yield {**case, "schema": dialect | schema if isinstance(schema, dict) else schema}


@pytest.fixture(scope="module")
def schemas() -> Iterator[Schemas]:
    with SchemaWorker() as worker:
        yield Schemas(worker)


def test_the_whole_suite_is_there() -> None:
    tests = {
        dialect: sum(
            len(case["tests"])
            for file in files()
            if file.startswith(dialect)
            for case in cases(file)
        )
        for dialect in DIALECTS
    }
    assert tests == {"draft7": 927, "draft2020-12": 1_299}


@pytest.mark.parametrize("file", files())
def test_every_verdict_is_that_of_the_suite(file: str, schemas: Schemas) -> None:
    wrong, refused = [], []
    for case in cases(file):
        prepared = schemas.prepare(case["schema"])
        if prepared.sort == "refused":
            refused.append(case["description"])
            assert {prepared.check(test["data"]).outcome for test in case["tests"]} == {"undecided"}
            continue
        for test in case["tests"]:
            expected = "valid" if test["valid"] else "invalid"
            if prepared.check(test["data"]).outcome != expected:
                wrong.append((case["description"], test["description"]))
    assert wrong == []
    assert refused == REMOTE.get(file, [])
