"""Checks of lists that are kept twice: in the code, and in what a server advertises and answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from mcp_assay.contracts.book import Book
from mcp_assay.contracts.calls import differing
from mcp_assay.contracts.check import Broken, Check, Checks, Open, check
from mcp_assay.contracts.learned import telling
from mcp_assay.contracts.listed import (
    governed,
    name_of,
    property_names,
    strangers,
    value_at,
    vocabulary,
)
from mcp_assay.contracts.naming import SERVER, field_slug, slug
from mcp_assay.contracts.reading import shown
from mcp_assay.model.call import Call
from mcp_assay.model.scenario import Plan

PIN = "Name it as TOOL.FIELD where only some tools list it."


def agreement_checks(tool: str, plan: Plan, book: Book) -> Checks:
    """The checks of a tool's lists against those of the code."""
    for pointer in vocabulary(plan):
        if _code(book, tool, name_of(pointer)) is not None:
            yield _check(tool, field_slug(pointer), partial(_agrees, tool, pointer))
    for field in _unlisted(tool, plan, book):
        yield _check(tool, slug(field), partial(_lists_none, tool, field))


def lost_checks(book: Book) -> Checks:
    """A check for each list of the code that no tool has a place for."""
    fields = {name for tool in book.tools for name in _names(book, tool)}
    for key in book.settings.enums:
        tool, _, field = key.rpartition(".")
        if key in fields or any(key.startswith(f"{known}.") for known in book.tools):
            continue
        if tool:
            yield _check(tool, slug(field), partial(_has_no_tool, tool, key))
        else:
            yield _check(SERVER, slug(key), partial(_has_no_field, key))


def _check(tool: str, field: str, test: Any) -> Check:
    return check(tool, f"{field}-agrees-with-the-code", test)


def _code(book: Book, tool: str, field: str) -> tuple[Any, ...] | None:
    """What the user's code takes for an argument, where the user says so."""
    enums = book.settings.enums
    return enums.get(f"{tool}.{field}", enums.get(field))


def _unlisted(tool: str, plan: Plan, book: Book) -> Iterator[str]:
    """The fields of which the code has a list, and the tool should have one, and has none."""
    listed = {name_of(pointer) for pointer in vocabulary(plan)}
    for key in book.settings.enums:
        field = key.removeprefix(f"{tool}.")
        if field not in listed and (field != key or field in _names(book, tool)):
            yield field


def _names(book: Book, tool: str) -> set[str]:
    """The arguments that a tool has, or had when its contract was learned."""
    known = book.contract.tools.get(tool) if book.contract else None
    before = known.definition.get("inputSchema") if known else None
    return property_names(book.tools[tool].get("inputSchema")) | property_names(before)


def _lists_none(tool: str, field: str, book: Book) -> None:
    values = shown_all(_code(book, tool, field) or ())
    schema = book.tools[tool].get("inputSchema")
    if field not in property_names(schema):
        raise Broken(f"{tool} takes no {field!r} any more; the code has {values}.")
    places = book.samples.planned(tool).places
    if field in governed(schema) and not any(name_of(it.pointer) == field for it in places):
        raise Open(f"what {tool} lists for {field!r} stands too deep to be compared.")
    raise Broken(f"{tool} lists no values of {field!r}; the code has {values}. {PIN}")


def _has_no_tool(tool: str, key: str, book: Book) -> None:
    values = shown_all(book.settings.enums[key])
    raise Broken(f"There is no tool {tool}, and so no {key}; the code has {values}.")


def _has_no_field(field: str, book: Book) -> None:
    values = shown_all(book.settings.enums[field])
    raise Broken(f"No tool takes {field!r}; the code has {values}.")


def _agrees(tool: str, pointer: str, book: Book) -> None:
    """Code, advertised schema and observed answers, each against the code."""
    name = name_of(pointer)
    code = list(_code(book, tool, name) or ())
    listed = vocabulary(book.samples.prepared(tool)).get(pointer, [])
    found = differing(listed, code, "the schema lists", "the code has")
    observed = strangers(_answered(book, tool), {name: tuple(code)}).get(name, [])
    if observed:
        found.append(f"Answers hold {shown_all(observed)}, which the code does not have.")
    found += _refused_by_the_tool(book, tool, pointer, code)
    if found:
        raise Broken(f"{tool}, {name}: {' '.join(found)}")


def succeeded(book: Book, tool: str) -> list[Call]:
    """Calls of a tool that succeeded, of those that show its answers best."""
    valid = [one for one in telling(book.samples.prepared(tool).scenarios) if one.valid]
    tried = [book.tried(one) for one in valid]
    return [call for call, it in tried if it.what == "succeeded"]


def _answered(book: Book, tool: str) -> list[Any]:
    may_call = bool(book.samples.planned(tool).scenarios)
    return [call.answer for call in succeeded(book, tool)] if may_call else []


def _refused_by_the_tool(book: Book, tool: str, pointer: str, code: list[Any]) -> list[str]:
    """Values that the code has, and that the tool took no call with while it took others."""
    taken, refused = list[Any](), list[Any]()
    for call in book.samples.made(tool):
        value, what = value_at(call.scenario.arguments, pointer), book.outcome(call).what
        if call.scenario.valid and value in code:
            (taken if what == "succeeded" else refused).append(value)
    only = [value for value in code if value in refused and value not in taken]
    return [f"The tool refuses {shown_all(only)}, which the code has."] if only and taken else []


def shown_all(values: Any) -> str:
    """Values in a row."""
    return ", ".join(shown(value) for value in values)
