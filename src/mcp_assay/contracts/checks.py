"""All checks of a server, tool by tool, with those of what was learned in an earlier run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from mcp_assay.contracts.agreement import lost_checks
from mcp_assay.contracts.calls import call_checks
from mcp_assay.contracts.check import Broken, Checks, ContractCheck, check, unique
from mcp_assay.contracts.learned import (
    FORMAT,
    Contract,
    ToolContract,
    answer_drift,
    decisive,
    definition_drift,
    shapes,
)
from mcp_assay.contracts.listed_values import lists_by_name
from mcp_assay.contracts.samples import LeftAlone
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.contracts.whole import speaking_checks, whole_checks
from mcp_assay.drift.comparison import Change
from mcp_assay.model.call import CallResult
from mcp_assay.model.scenario import Plan


def all_checks(server: ServerUnderTest) -> Iterator[ContractCheck]:
    """Every check of every tool that a server lists, or listed when its contract was learned.

    Last comes what the server said meanwhile.
    """
    for tool in server.tools:
        yield from checks_of(tool, server)
    yield from gone_checks(server)
    yield from lost_checks(server)
    yield from speaking_checks()


def checks_of(tool: str, server: ServerUnderTest) -> list[ContractCheck]:
    """The checks of one tool; no call is made to find out which there are."""
    plan = server.samples.planned(tool)
    found = [
        *whole_checks(tool, plan, server),
        *call_checks(tool, plan, is_open=server.samples.permission(tool).allowed),
        *contract_checks(tool, plan, server),
    ]
    names = unique(one.name for one in found)
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]


HINT = "If this is intended, accept it with --mcp-assay-update."


def contract_checks(tool: str, plan: Plan, server: ServerUnderTest) -> Checks:
    """The checks of a tool against its contract, where it has one."""
    known = server.contract.tools.get(tool) if server.contract else None
    if known is None:
        return
    yield ContractCheck(
        tool, "definition-keeps-the-contract", partial(_definition_keeps, tool, known)
    )
    if plan.scenarios and (known.success is not None or known.error is not None):
        yield ContractCheck(tool, "answers-keep-the-contract", partial(_answers_keep, tool, known))


def gone_checks(server: ServerUnderTest) -> Checks:
    """A check for each tool of the contract that is no longer listed."""
    for tool in server.contract.tools if server.contract else ():
        if tool not in server.tools:
            yield check(tool, "is-still-listed", partial(_require_listed, tool))


def _require_listed(tool: str, server: ServerUnderTest) -> None:
    if tool not in server.tools:
        raise Broken(f"The tool {tool} is gone: breaking for clients that use it. {HINT}")


def _definition_keeps(tool: str, known: ToolContract, server: ServerUnderTest) -> list[Change]:
    return _judged(definition_drift(known, server.tools[tool], server.containment), server)


def _answers_keep(tool: str, known: ToolContract, server: ServerUnderTest) -> list[Change]:
    return _judged(answer_drift(known, tool, seen_shapes(server, tool)), server)


def _judged(changes: list[Change], server: ServerUnderTest) -> list[Change]:
    """The changes, unless one of them is too bad."""
    bad = ("breaking", "risky") if server.settings.risky == "fail" else ("breaking",)
    if any(change.grade in bad for change in changes):
        raise Broken("\n".join((*map(said, changes), HINT)))
    return changes


def said(change: Change) -> str:
    """A change in a line."""
    whom = f" For: {change.breaks}." if change.breaks else ""
    return f"{change.grade}: {change.message}{whom}"


def seen_shapes(server: ServerUnderTest, tool: str) -> dict[str, dict[str, Any]]:
    """The shapes of what a tool answers to the calls that always are the same."""
    plan = server.samples.prepared(tool)
    answers: dict[str, list[CallResult]] = {"success": [], "error": []}
    for scenario in decisive(plan.scenarios):
        try:
            call, it = server.tried(scenario)
        except LeftAlone:
            break
        if it.what == "succeeded" and scenario.valid:
            answers["success"].append(call.answer)
        elif it.error is not None:
            answers["error"].append(call.answer)
    return shapes(answers, {**lists_by_name(plan), **_plain_enums(server)})


def _plain_enums(server: ServerUnderTest) -> dict[str, tuple[Any, ...]]:
    return {name: values for name, values in server.settings.enums.items() if "." not in name}


def learn(server: ServerUnderTest) -> Contract:
    """What a server lists and answers today."""
    return Contract(schema=FORMAT, tools={tool: _learned(server, tool) for tool in server.tools})


def _learned(server: ServerUnderTest, tool: str) -> ToolContract:
    seen = seen_shapes(server, tool)
    definition = server.tools[tool]
    return ToolContract(definition=definition, success=seen.get("success"), error=seen.get("error"))
