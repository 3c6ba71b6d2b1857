"""Checks against the learned contract, and how it is learned."""

from __future__ import annotations

from functools import partial
from typing import Any

from mcp_assay.contracts.book import Book
from mcp_assay.contracts.check import Broken, Check, Checks, check
from mcp_assay.contracts.learned import (
    FORMAT,
    Contract,
    ToolContract,
    answer_drift,
    definition_drift,
    shapes,
    telling,
)
from mcp_assay.contracts.listed import lists_by_name
from mcp_assay.contracts.samples import LeftAlone
from mcp_assay.drift.change import Change
from mcp_assay.model.call import Answer
from mcp_assay.model.scenario import Plan

HINT = "If that is meant, accept it with --mcp-assay-update."


def contract_checks(tool: str, plan: Plan, book: Book) -> Checks:
    """The checks of a tool against its contract, where it has one."""
    known = book.contract.tools.get(tool) if book.contract else None
    if known is None:
        return
    yield Check(tool, "definition-keeps-the-contract", partial(_definition_keeps, tool, known))
    if plan.scenarios and (known.success is not None or known.error is not None):
        yield Check(tool, "answers-keep-the-contract", partial(_answers_keep, tool, known))


def gone_checks(book: Book) -> Checks:
    """A check for each tool of the contract that is no longer listed."""
    for tool in book.contract.tools if book.contract else ():
        if tool not in book.tools:
            yield check(tool, "is-still-listed", partial(_is_still_listed, tool))


def _is_still_listed(tool: str, book: Book) -> None:
    if tool not in book.tools:
        raise Broken(f"The tool {tool} is gone: breaking for clients that use it. {HINT}")


def _definition_keeps(tool: str, known: ToolContract, book: Book) -> list[Change]:
    return _judged(definition_drift(known, book.tools[tool], book.containment), book)


def _answers_keep(tool: str, known: ToolContract, book: Book) -> list[Change]:
    return _judged(answer_drift(known, tool, seen_shapes(book, tool)), book)


def _judged(changes: list[Change], book: Book) -> list[Change]:
    """The changes, unless one of them is too bad."""
    bad = ("breaking", "risky") if book.settings.risky == "fail" else ("breaking",)
    if any(change.grade in bad for change in changes):
        raise Broken("\n".join((*map(said, changes), HINT)))
    return changes


def said(change: Change) -> str:
    """A change in a line."""
    whom = f" For: {change.breaks}." if change.breaks else ""
    return f"{change.grade}: {change.message}{whom}"


def seen_shapes(book: Book, tool: str) -> dict[str, dict[str, Any]]:
    """The shapes of what a tool answers to the calls that always are the same."""
    plan = book.samples.prepared(tool)
    answers: dict[str, list[Answer]] = {"success": [], "error": []}
    for scenario in telling(plan.scenarios):
        try:
            call, it = book.tried(scenario)
        except LeftAlone:
            break
        if it.what == "succeeded" and scenario.valid:
            answers["success"].append(call.answer)
        elif it.told is not None:
            answers["error"].append(call.answer)
    return shapes(answers, {**lists_by_name(plan), **_plain_enums(book)})


def _plain_enums(book: Book) -> dict[str, tuple[Any, ...]]:
    return {name: values for name, values in book.settings.enums.items() if "." not in name}


def learn(book: Book) -> Contract:
    """What a server lists and answers today."""
    return Contract(schema=FORMAT, tools={tool: _learned(book, tool) for tool in book.tools})


def _learned(book: Book, tool: str) -> ToolContract:
    seen = seen_shapes(book, tool)
    definition = book.tools[tool]
    return ToolContract(definition=definition, success=seen.get("success"), error=seen.get("error"))
