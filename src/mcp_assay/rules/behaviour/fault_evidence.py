"""Whether calls show that a tool itself is at fault, and not what was sent or what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.behaviour.arguments import value_at
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.text.names import name_words, word_set

FORMS: Final = word_set(
    """
    base64 cron csv cypher datauri date dates datetime datetimes dot equation expression expressions
    formula formulas geojson gml graphql html ical iso iso8601 jq json jsonata jsonpath kml latex
    markdown mermaid ndjson plantuml regex regexp rfc3339 rrule sparql sql svg timestamp timestamps
    toml topojson tsv uuid wkt xml xpath yaml yml
    """
)
"""Words of arguments whose texts have a form of their own, which their schemas do not tell."""
LONGEST_READ: Final = 300
MOST_ARGUMENTS: Final = 100
LONGEST_ERROR: Final = 2_000
LONGEST_DESCRIPTION: Final = 10_000
LONGEST_DEFINITION: Final = 100_000
_OBJECTS: Final = re.compile(r"\[\s{0,4}\{\s{0,4}[\"']?\w{1,40}[\"']?\s{0,4}[:,}]")
"""How a list of objects begins that is written out."""
_WORD: Final = re.compile(r"[a-z0-9]{1,40}")


def shows_own_fault(call: Call) -> bool:
    """Whether a crash is one by its words: an exception of a program, or an error without any.

    What cannot be read may be a text of the caller's, but not where a number was what was tried.
    """
    said = call.result.error_verdict if call.result else None
    if said is None or said.kind != "failure" or said.shows_own_fault:
        return True
    tried = value_at(call.scenario.arguments, call.scenario.pointer)
    return isinstance(tried, int | float) and not isinstance(tried, bool)


def is_fair(tried: ToolRun, call: Call) -> bool:
    """Whether a tool must take the arguments of a call: a sensible caller would send them.

    Odd values must be taken too, but not in place of a text of a form that the schema cannot tell.
    """
    if any(_is_against_words(tried.tool, *one) for one in _sent(call)) or _is_of_a_guess(
        tried.tool, call
    ):
        return False
    if call.scenario.is_sensible:
        return True
    if any({} in _leaves(value) for value in call.scenario.arguments.values()):
        return False  # nobody knows what belongs into an object of which nothing is said
    usual = [one.scenario.arguments for one in tried.calls if one.scenario.is_sensible]
    odd = (
        name
        for name, value in _sent(call)
        if any(map(_is_text, _leaves(value)))
        and not any(name in sent and sent[name] == value for sent in usual)
    )
    return not any(_has_form(tried.tool, name) for name in odd)


def error_words(call: Call) -> str:
    """What a call failed with, as far as it is compared."""
    said = (*texts_of(call.answer.result), str((call.answer.error or {}).get("message", "")))
    return " ".join(said)[:LONGEST_ERROR]


def _sent(call: Call) -> Iterator[tuple[str, Any]]:
    return islice(call.scenario.arguments.items(), MOST_ARGUMENTS)


def _is_against_words(tool: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether a list has other items than the objects that a description writes out for it."""
    if not isinstance(value, list) or all(isinstance(item, dict) for item in value):
        return False
    form = re.compile(
        rf"(?<!\w){re.escape(name)}[`'\"*]{{0,3}}\s{{0,4}}[:=]\s{{0,4}}\[\s{{0,4}}\{{"
    )
    listed = form.search(_text(tool.get("description")))
    member = _member(tool, name)
    own = _text(member.get("description"))
    return listed is not None or (own != "" and _OBJECTS.search(own) is not None)


def _is_of_a_guess(tool: Mapping[str, Any], call: Call) -> bool:
    """Whether a crash is about a member that is named nowhere but in what was made up."""
    open_ones = (
        value
        for name, value in _sent(call)
        if isinstance(value, dict) and not _member(tool, name).get("properties")
    )
    told = str(tool)[:LONGEST_DEFINITION]
    said = error_words(call)
    names = (name for value in open_ones for name in islice(value, MOST_ARGUMENTS))
    return any(
        name not in told and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) for name in names
    )


def _text(value: object) -> str:
    return value[:LONGEST_DESCRIPTION] if isinstance(value, str) else ""


def _is_text(value: Any) -> bool:
    """Whether a value is a text with something in it; that there is nothing, every tool can see."""
    return isinstance(value, str) and bool(value.strip())


def _leaves(value: Any) -> Iterable[Any]:
    """A value, or the items of a list."""
    return value if isinstance(value, list) else (value,)


def _has_form(tool: Mapping[str, Any], name: str) -> bool:
    """Whether an argument is, by its name or by what is said of it, a text of some form."""
    return not FORMS.isdisjoint(_words_about(tool, name))


def _words_about(tool: Mapping[str, Any], name: str) -> Iterator[str]:
    yield from name_words(name)
    said = _member(tool, name).get("description")
    if isinstance(said, str):
        yield from _WORD.findall(said[:LONGEST_READ].lower())


def _member(tool: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The schema of an argument; empty where there is none."""
    schema = tool.get("inputSchema")
    listed = schema.get("properties") if isinstance(schema, dict) else None
    member = listed.get(name) if isinstance(listed, dict) else None
    return member if isinstance(member, dict) else {}
