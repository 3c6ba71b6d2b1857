"""What cannot be read for want of its surroundings is not called broken."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.reading import Reading
from mcp_assay.drive.answer import Answer
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.target import Command
from mcp_assay.responses import ResponseValidator
from mcp_assay.rules.definitions.surface import Surface

PODS = {"uri": "cluster://pods", "name": "pods"}


class Failing:
    """A connection on which every request fails with the same words."""

    def __init__(self, message: str) -> None:
        self._error = {"code": -32603, "message": message}

    async def ask(self, method: str, params: Any, about: Any) -> Answer:
        return Answer(ending="answered", error=self._error, seconds=0.1, request=b"")


@pytest.mark.parametrize(
    ("message", "status", "rules"),
    [
        ("connect ECONNREFUSED 192.0.2.1:8080", "unproven", []),
        ("Cannot read properties of undefined (reading 'items')", "broken", ["RES-011"]),
        ("No such resource", "broken", ["RES-011"]),
    ],
)
def test_a_resource_whose_surroundings_fail_is_unproven(
    message: str, status: str, rules: list[str]
) -> None:
    dossier = Dossier(Command(command=("server",)), AssessOptions())
    dossier.surface = Surface(resources=[PODS])
    connection = cast(Connection, Failing(message))
    reading = Reading(dossier, connection, ResponseValidator.explain_error)
    asyncio.run(reading.read_listed())
    assert dossier.had["resources", PODS["uri"]].status == status
    assert [finding.rule for finding in dossier.tally.kept] == rules
    assert ("RES-011" in dossier.decided) == bool(rules)
