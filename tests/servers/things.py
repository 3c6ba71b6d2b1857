"""What a server of the catalogue offers: tools, resources and prompts, and what tools answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Object = dict[str, Any]
Behaviour = Callable[[Object], Object]
NOTHING: Object = {}
READ_ONLY: Mapping[str, Any] = {"readOnlyHint": True}


def accepts(*required: str, **properties: Any) -> Object:
    """A closed inputSchema with these properties, of which some are required."""
    closed: Object = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": list(required)} if required else closed


def text(*words: str) -> Object:
    """A result of text blocks."""
    return {"content": [{"type": "text", "text": each} for each in words]}


def refusal(words: str) -> Object:
    """A result that says what is wrong with the call."""
    return {**text(words), "isError": True}


def structured(value: Any) -> Object:
    """A result for programs, and the same as text for everyone else."""
    return {**text(json.dumps(value)), "structuredContent": value}


class Tool(NamedTuple):
    """A tool: what is advertised, what it does, and what it does not enforce."""

    name: str
    run: Behaviour
    input_schema: Any = accepts()
    sample: Object = NOTHING
    """Arguments that it takes."""
    description: str | None = "Look something up in the catalogue of a small library."
    annotations: Any = READ_ONLY
    unchecked: Sequence[str] = ()
    """Keywords of its inputSchema that it advertises and does not enforce."""
    more: Object = NOTHING
    """Further members of its definition."""

    def definition(self) -> Object:
        """The tool as tools/list shows it."""
        members = {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": self.annotations,
            **self.more,
        }
        return {name: value for name, value in members.items() if value is not None}


class Resource(NamedTuple):
    """A resource of text."""

    uri: str
    name: str
    body: str = "Opening hours: 9 to 17."
    more: Object = NOTHING

    def definition(self) -> Object:
        """The resource as resources/list shows it."""
        return {"uri": self.uri, "name": self.name, "mimeType": "text/plain", **self.more}


class Prompt(NamedTuple):
    """A prompt with required arguments."""

    name: str
    arguments: Sequence[str] = ()

    def definition(self) -> Object:
        """The prompt as prompts/list shows it."""
        arguments = [{"name": name, "required": True} for name in self.arguments]
        return {"name": self.name, "description": "Recommend a book.", "arguments": arguments}


def answers(words: str) -> Behaviour:
    """A tool that always says the same."""
    return lambda arguments: text(words)


def lookup(run: Behaviour, **changes: Any) -> Tool:
    """The tool that most servers have: it takes a title and a number of results."""
    schema = accepts(
        "title",
        title={"type": "string", "minLength": 1, "maxLength": 200, "description": "A title."},
        limit={"type": "integer", "minimum": 1, "maximum": 50, "description": "How many."},
    )
    tool = Tool("find_book", run, schema, {"title": "Middlemarch", "limit": 5})
    return tool._replace(**changes)


def found(arguments: Object) -> Object:
    """What a search answers."""
    return text(f"{arguments.get('limit', 10)} books match {arguments.get('title')!r}.")
