"""What the user knows about a server: arguments for its tools, answers to what it asks.

It stands in tables of the configuration, or in a file of its own in TOML or JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from mcp_assay.client.project_config import WrongConfiguration, parsed_toml

__all__ = ["TABLES", "Examples", "examples_in", "read_examples", "require_examples"]


class Key(NamedTuple):
    """What may stand under a key of a table, and what it says."""

    type: type
    meaning: str


TOOL_KEYS: Final[Mapping[str, Key]] = {
    "valid": Key(list, "Arguments with which a call must succeed; the first calls are made so."),
    "invalid": Key(list, "Arguments that the tool must refuse."),
    "values": Key(dict, "For each field the values to use for it."),
    "reset": Key(str, "The tool that is called before each call of this one, to put things back."),
    "no_error": Key(str, "Why the tool refuses nothing: no refused call is asked for."),
}
"""What may be said about a tool."""
ANSWER_KEYS: Final[Mapping[str, Mapping[str, Key]]] = {
    "sampling": {
        "text": Key(str, "What the model is to have written."),
        "model": Key(str, "The name of that model."),
        "result": Key(dict, "The whole result, in place of the others."),
    },
    "elicitation": {
        "action": Key(str, "`accept` (the default), `decline` or `cancel`."),
        "content": Key(dict, "What the user is to have filled in."),
        "result": Key(dict, "The whole result, in place of the others."),
    },
    "roots": {
        "uris": Key(list, "The URIs of the roots."),
        "result": Key(dict, "The whole result, in place of the others."),
    },
}
"""What may be said about each kind of request that a server sends."""
TABLES: Final = ("tools", *ANSWER_KEYS)
ACTIONS: Final = ("accept", "decline", "cancel")
A_MODEL: Final = "mcp-assay"
WORDS: Final[Mapping[type, str]] = {list: "a list", dict: "a table", str: "a text"}


class Examples(Struct, frozen=True, kw_only=True):
    """What the user knows about a server, in the form in which an assessment takes it."""

    tools: Mapping[str, Any] = {}
    answers: Mapping[str, Any] = {}
    """Results for what the server may ask, by method."""


def read_examples(path: str) -> dict[str, Any]:
    """The tables of a file; raises WrongConfiguration."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as fault:
        raise WrongConfiguration(f"{path} cannot be read: {fault.strerror}.") from None
    is_json = os.path.splitext(path)[1].lower() == ".json"
    table = _parsed_json(path, content) if is_json else parsed_toml(path, content)
    try:
        _require_keys(table, dict.fromkeys(TABLES, Key(dict, "")), "")
        require_examples(table)
    except WrongConfiguration as refusal:
        raise WrongConfiguration(f"{path}: {refusal}") from None
    return table


def require_examples(table: Mapping[str, Any]) -> None:
    """Refuse tables that hold what nobody reads; raises WrongConfiguration."""
    for name, entry in table.get("tools", {}).items():
        _require_keys(entry, TOOL_KEYS, f"tools.{name}")
    for name, keys in ANSWER_KEYS.items():
        _require_keys(table.get(name, {}), keys, name)
    _require_arguments(table.get("tools", {}))
    action = table.get("elicitation", {}).get("action", ACTIONS[0])
    if action not in ACTIONS:
        words = f"elicitation.action cannot be {action!r}; use one of {', '.join(ACTIONS)}."
        raise WrongConfiguration(words)


def examples_in(table: Mapping[str, Any], more: Mapping[str, Any]) -> Examples:
    """What two sets of tables say together; `more` wins, key by key."""
    tools = dict(table.get("tools", {}))
    for name, entry in more.get("tools", {}).items():
        tools[name] = {**tools.get(name, {}), **entry}
    answers = {
        method: result
        for method, (kind, answer) in ANSWERS.items()
        if (result := _result(answer, {**table.get(kind, {}), **more.get(kind, {})})) is not None
    }
    return Examples(tools=tools, answers=answers)


def _result(answer: Callable[[dict[str, Any]], Any], entry: dict[str, Any]) -> Any:
    if not entry:
        return None
    return entry["result"] if "result" in entry else answer(entry)


def _sampled(entry: Mapping[str, Any]) -> dict[str, Any]:
    content = {"type": "text", "text": entry.get("text", "")}
    model = entry.get("model", A_MODEL)
    return {"role": "assistant", "content": content, "model": model, "stopReason": "endTurn"}


def _elicited(entry: Mapping[str, Any]) -> dict[str, Any]:
    action = entry.get("action", ACTIONS[0])
    if action != ACTIONS[0]:
        return {"action": action}
    return {"action": action, "content": entry.get("content", {})}


def _rooted(entry: Mapping[str, Any]) -> dict[str, Any]:
    uris = entry.get("uris", [])
    return {"roots": [{"uri": one} if isinstance(one, str) else one for one in uris]}


ANSWERS: Final[Mapping[str, tuple[str, Callable[[Mapping[str, Any]], Any]]]] = {
    "sampling/createMessage": ("sampling", _sampled),
    "elicitation/create": ("elicitation", _elicited),
    "roots/list": ("roots", _rooted),
}
"""For each method its table, and what makes a result of that."""


def _require_arguments(tools: Mapping[str, Any]) -> None:
    """Arguments are tables, the values of a field are a list."""
    for name, entry in tools.items():
        for key in ("valid", "invalid"):
            if not all(isinstance(one, dict) for one in entry.get(key, ())):
                raise WrongConfiguration(f"tools.{name}.{key} must be a list of tables.")
        for field, values in entry.get("values", {}).items():
            if not isinstance(values, list):
                raise WrongConfiguration(f"tools.{name}.values.{field} must be a list.")


def _require_keys(entry: Any, known: Mapping[str, Key], place: str) -> None:
    if not isinstance(entry, dict):
        raise WrongConfiguration(f"{place or 'the file'} must be a table.")
    for key, value in entry.items():
        full = f"{place}.{key}" if place else key
        if key not in known:
            from difflib import get_close_matches  # noqa: PLC0415  slow to import, seldom needed

            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"use {', '.join(known)}."
            raise WrongConfiguration(f"{full} is unknown; {hint}")
        if not isinstance(value, known[key].type):
            raise WrongConfiguration(f"{full} must be {WORDS[known[key].type]}.")


def _parsed_json(path: str, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as fault:
        raise WrongConfiguration(f"{path} is not JSON: {fault}.") from None
