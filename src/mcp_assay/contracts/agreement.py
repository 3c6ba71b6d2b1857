"""Checks of lists that are kept twice: in the code, and in what a server advertises and answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from mcp_assay.contracts.calls import differing
from mcp_assay.contracts.check import (
    SERVER,
    Broken,
    Checks,
    ContractCheck,
    Undecided,
    check,
    field_slug,
    slug,
)
from mcp_assay.contracts.conventions import shown
from mcp_assay.contracts.learned import decisive
from mcp_assay.contracts.listed_values import (
    governed,
    name_of,
    property_names,
    strangers,
    value_at,
    vocabulary,
)
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.model.call import Call
from mcp_assay.model.scenario import Plan

PIN = "Name it as TOOL.FIELD where only some tools list it."


def agreement_checks(tool: str, plan: Plan, server: ServerUnderTest) -> Checks:
    """The checks of a tool's lists against those of the code."""
    for pointer in vocabulary(plan):
        if _code(server, tool, name_of(pointer)) is not None:
            yield _check(tool, field_slug(pointer), partial(_agrees, tool, pointer))
    for field in _unlisted(tool, plan, server):
        yield _check(tool, slug(field), partial(_lists_none, tool, field))


def lost_checks(server: ServerUnderTest) -> Checks:
    """A check for each list of the code that no tool has a place for."""
    fields = {name for tool in server.tools for name in _names(server, tool)}
    for key in server.settings.enums:
        tool, _, field = key.rpartition(".")
        if key in fields or any(key.startswith(f"{known}.") for known in server.tools):
            continue
        if tool:
            yield _check(tool, slug(field), partial(_forbid_tool, tool, key))
        else:
            yield _check(SERVER, slug(key), partial(_forbid_field, key))


def _check(tool: str, field: str, test: Any) -> ContractCheck:
    return check(tool, f"{field}-agrees-with-the-code", test)


def _code(server: ServerUnderTest, tool: str, field: str) -> tuple[Any, ...] | None:
    """What the user's code takes for an argument, where the user says so."""
    enums = server.settings.enums
    return enums.get(f"{tool}.{field}", enums.get(field))


def _unlisted(tool: str, plan: Plan, server: ServerUnderTest) -> Iterator[str]:
    """The fields of which the code has a list, and the tool should have one, and has none."""
    listed = {name_of(pointer) for pointer in vocabulary(plan)}
    for key in server.settings.enums:
        field = key.removeprefix(f"{tool}.")
        if field not in listed and (field != key or field in _names(server, tool)):
            yield field


def _names(server: ServerUnderTest, tool: str) -> set[str]:
    """The arguments that a tool has, or had when its contract was learned."""
    known = server.contract.tools.get(tool) if server.contract else None
    before = known.definition.get("inputSchema") if known else None
    return property_names(server.tools[tool].get("inputSchema")) | property_names(before)


def _lists_none(tool: str, field: str, server: ServerUnderTest) -> None:
    values = shown_all(_code(server, tool, field) or ())
    schema = server.tools[tool].get("inputSchema")
    if field not in property_names(schema):
        raise Broken(f"{tool} no longer takes {field!r}; the code has {values}.")
    places = server.samples.planned(tool).places
    if field in governed(schema) and not any(name_of(it.pointer) == field for it in places):
        raise Undecided(f"what {tool} lists for {field!r} is nested too deeply to compare.")
    raise Broken(f"{tool} lists no values of {field!r}; the code has {values}. {PIN}")


def _forbid_tool(tool: str, key: str, server: ServerUnderTest) -> None:
    values = shown_all(server.settings.enums[key])
    raise Broken(f"There is no tool {tool}, and so no {key}; the code has {values}.")


def _forbid_field(field: str, server: ServerUnderTest) -> None:
    values = shown_all(server.settings.enums[field])
    raise Broken(f"No tool takes {field!r}; the code has {values}.")


def _agrees(tool: str, pointer: str, server: ServerUnderTest) -> None:
    """Code, advertised schema and observed answers, each against the code."""
    name = name_of(pointer)
    code = list(_code(server, tool, name) or ())
    listed = vocabulary(server.samples.prepared(tool)).get(pointer, [])
    found = differing(listed, code, "the schema lists", "the code has")
    observed = strangers(_answered(server, tool), {name: tuple(code)}).get(name, [])
    if observed:
        found.append(f"Results contain {shown_all(observed)}, which the code does not have.")
    found += _refused_by_the_tool(server, tool, pointer, code)
    if found:
        raise Broken(f"{tool}, {name}: {' '.join(found)}")


def succeeded(server: ServerUnderTest, tool: str) -> list[Call]:
    """Calls of a tool that succeeded, of those that show its answers best."""
    valid = [one for one in decisive(server.samples.prepared(tool).scenarios) if one.valid]
    tried = [server.tried(one) for one in valid]
    return [call for call, it in tried if it.what == "succeeded"]


def _answered(server: ServerUnderTest, tool: str) -> list[Any]:
    may_call = bool(server.samples.planned(tool).scenarios)
    return [call.answer for call in succeeded(server, tool)] if may_call else []


def _refused_by_the_tool(
    server: ServerUnderTest, tool: str, pointer: str, code: list[Any]
) -> list[str]:
    """Values that the code has, and that the tool took no call with while it took others."""
    taken, refused = list[Any](), list[Any]()
    for call in server.samples.made(tool):
        value, what = value_at(call.scenario.arguments, pointer), server.outcome(call).what
        if call.scenario.valid and value in code:
            (taken if what == "succeeded" else refused).append(value)
    only = [value for value in code if value in refused and value not in taken]
    return [f"The tool rejects {shown_all(only)}, which the code has."] if only and taken else []


def shown_all(values: Any) -> str:
    """Values in a row."""
    return ", ".join(shown(value) for value in values)
