"""What an entry of a registry's page wants: arguments, variables, headers, parts of addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from mcp_assay.fleet.files.content import WrongServer

Members: TypeAlias = Mapping[str, Any]
VARIABLE_PART: Final = r"\{([A-Za-z_][A-Za-z0-9_]*)\}"
INSTEAD: Final = "write the server into a fleet of your own (TOML) with it"


def member(table: Members, name: str) -> Any:
    """A member by its name, or by the name that it had in pages of 2025-07: snake_case."""
    if name in table:
        return table[name]
    return table.get(re.sub("([A-Z])", lambda found: "_" + found[0].lower(), name))


def tables(value: object) -> list[Members]:
    """The objects of a list; nothing of what is none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(table: Members, name: str) -> str:
    """A member that is a text, empty where it is none."""
    found = member(table, name)
    return found if isinstance(found, str) else ""


def argument_words(arguments: object) -> tuple[str, ...]:
    """The words of a command line; raises WrongServer where only a user could know one."""
    return tuple(word for one in tables(arguments) for word in _words_of(one))


def _words_of(argument: Members) -> Iterator[str]:
    name = text(argument, "name") if argument.get("type") == "named" else ""
    value = value_of(argument)
    if value is None and member(argument, "isRequired") is not True:
        return
    if value is None and not (name and argument.get("format") == "boolean"):
        called = name or text(argument, "valueHint") or "one of its arguments"
        raise WrongServer(f"needs a value for {called}, which only you know; {INSTEAD}")
    yield from filter(None, (name, value))


def value_of(table: Members) -> str | None:
    """What is given where nobody chooses; None where there is nothing, or it is still open."""
    for key in ("value", "default"):
        found = table.get(key)
        if isinstance(found, str | int | float) and found != "":
            shown = found if isinstance(found, str) else str(found).lower()
            return _filled(shown, table.get("variables"))
    return None


def _filled(template: str, variables: object) -> str | None:
    """The text with its parts in braces filled; None where one of them has to be chosen."""
    known = variables if isinstance(variables, dict) else {}
    filled = {}
    for name in re.findall(VARIABLE_PART, template):
        if name in known:
            described = known[name] if isinstance(known[name], dict) else {}
            value = value_of({**described, "variables": None})
            if value is None:
                return None
            filled[name] = value
    return re.sub(VARIABLE_PART, lambda part: filled.get(part[1], part[0]), template)


def filled_url(remote: Members) -> str:
    """The address of a remote; raises WrongServer where a part of it has to be chosen."""
    url = _filled(text(remote, "url"), remote.get("variables"))
    if url is None or re.search(VARIABLE_PART, url):
        raise WrongServer(f"its url has parts that only you know; {INSTEAD}")
    return url


def values_in(inputs: object) -> dict[str, str]:
    """The variables or headers whose values the page says itself."""
    found = ((text(one, "name"), value_of(one)) for one in tables(inputs))
    return {name: value for name, value in found if name and value is not None}


def asked_for(inputs: object) -> tuple[list[str], list[str]]:
    """The names that a server needs, and those that it does without."""
    needed, optional = list[str](), list[str]()
    for one in tables(inputs):
        is_needed = member(one, "isRequired") is True or one.get("value") is not None
        (needed if is_needed else optional).append(text(one, "name"))
    return needed, optional


def first_reason(reasons: Iterable[str]) -> str:
    """Why a server cannot be had, by the first way that was tried."""
    return next(iter(reasons), "has neither packages nor remotes")
