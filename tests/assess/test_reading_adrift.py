"""What cannot be read for want of its dependencies is not called broken."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.reads import ServerReads
from mcp_assay.assess.state import AssessmentState, Listed, context_of
from mcp_assay.client.connection import Connection
from mcp_assay.client.response import Response
from mcp_assay.client.target import Command
from mcp_assay.responses import ResponseValidator
from mcp_assay.rules.definition.surface import Surface

PODS = {"uri": "cluster://pods", "name": "pods"}


class Failing:
    """A connection on which every request fails with the same words."""

    def __init__(self, message: str) -> None:
        self._error = {"code": -32603, "message": message}

    async def ask(self, method: str, params: Any, about: Any) -> Response:
        return Response(ending="answered", error=self._error, seconds=0.1, request=b"")


@pytest.mark.parametrize(
    ("message", "status", "rules"),
    [
        ("connect ECONNREFUSED 192.0.2.1:8080", "unproven", []),
        ("Cannot read properties of undefined (reading 'items')", "broken", ["RES-011"]),
        ("No such resource", "broken", ["RES-011"]),
    ],
)
def test_a_resource_whose_dependencies_fail_is_unproven(
    message: str, status: str, rules: list[str]
) -> None:
    state = AssessmentState(
        context=context_of(Command(command=("server",)), AssessOptions()),
        listed=Listed(surface=Surface(resources=[PODS])),
    )
    connection = cast(Connection, Failing(message))
    reads = ServerReads(state, connection, ResponseValidator.explain_error)
    read = asyncio.run(reads.read_listed())
    assert read.outcomes["resources", PODS["uri"]].status == status
    assert [finding.rule for finding in state.outcomes.tally.kept] == rules
    assert ("RES-011" in state.outcomes.decided) == bool(rules)
