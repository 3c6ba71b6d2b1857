"""The table of the catalogue is whole and in order."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import get_args

import pytest

from mcp_assay.model.verdict import ToolStatus
from mcp_assay.spec.catalogue import CATALOGUE
from tests.patience import LONGEST
from tests.servers.base import Server
from tests.servers.catalogue import catalogue
from tests.servers.checking import faults
from tests.servers.raw_client import RUNNER

ALL = catalogue()
OWN_FAMILIES = ("RESP-", "SCEN-", "DRIFT-", "LEAK-", "LINT-1")
EXIT_CODES = (None, 0, 1, 3)


def test_the_catalogue_is_large() -> None:
    correct = sum(planted.correct for planted in ALL)
    assert correct >= 10
    assert len(ALL) - correct >= 60


def test_no_name_occurs_twice() -> None:
    assert [name for name, times in Counter(one.name for one in ALL).items() if times > 1] == []


def test_an_entry_is_whole() -> None:
    for one in ALL:
        assert one.truth.endswith("."), one.name
        assert one.exit_code in EXIT_CODES, one.name
        assert set(one.tools.values()) <= set(get_args(ToolStatus)), one.name
        known = [rule in CATALOGUE or rule.startswith(OWN_FAMILIES) for rule in one.rules]
        assert all(known), one.name
        shows_somewhere = one.rules or one.tools or one.exit_code is not None
        assert one.correct or shows_somewhere or one.limits, one.name


def test_expected_statuses_are_of_tools_that_exist() -> None:
    for one in ALL:
        server = one.make()
        tools = (*(server.tools or ()), *server.to_come) if isinstance(server, Server) else ()
        assert one.over_http or set(one.tools) <= {tool.name for tool in tools}, one.name


def test_the_runner_lists_all_with_their_truths() -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(RUNNER)],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONGEST,
    )
    assert done.stdout.splitlines() == [f"{one.family:14} {one.name:30} {one.truth}" for one in ALL]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [1, 2.0], [True, 1.5, "1", None]),
        ({"type": ["string", "null"]}, ["", None], [0]),
        ({"enum": [1, "a"]}, [1, "a"], [True, "b"]),
        ({"minimum": 1, "exclusiveMaximum": 3}, [1, 2.9, "x"], [0, 3]),
        ({"multipleOf": 4}, [0, 8], [3]),
        ({"minLength": 1, "maxLength": 2}, ["é", "ab", 7], ["", "abc"]),
        ({"pattern": "^a"}, ["ab"], ["ba"]),
        (
            {"items": {"type": "null"}, "uniqueItems": True, "maxItems": 2},
            [[None]],
            [[1], [None] * 2],
        ),
        ({"properties": {"a": False}, "additionalProperties": False}, [{}], [{"a": 1}, {"b": 1}]),
        ({"required": ["a"]}, [{"a": 1}, []], [{}]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, [1, 3.5], [4, 1.5]),
        ({"anyOf": [{"const": 1}, {"const": 2}], "allOf": [{"minimum": 2}]}, [2], [1, 3]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, ["x"], [1]),
    ],
)
def test_servers_check_what_their_schemas_say(
    schema: dict[str, object], good: list[object], bad: list[object]
) -> None:
    assert [value for value in good if faults(schema, value)] == []
    assert [value for value in bad if not faults(schema, value)] == []
