"""What speaks for a refusal around the message itself: whispers, none of which decides alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import FAIR
from mcp_assay.judge.errors.texts import Statement
from mcp_assay.model.verdict import Factor, ValidationContext
from mcp_assay.spec.word_lists import word_set

WHISPER: Final = 0.25
NAMED: Final = 1.0
"""An argument together with its value is said louder."""

REFUSING_VERBS: Final = word_set(
    """
    create add insert update modify set delete remove get fetch read write query search find list
    entity entities relation observation node edge record move copy duplicate archive link
    associate connect attach scrape crawl map extract parse analyze process load open save close
    play stop pause upload download import export run execute invoke call send receive post put
    """
)
"""Words of a tool's name that tell of arguments which can be refused."""

_NAME_PARTS: Final = re.compile(r"[A-Z]{1,99}(?![a-z])|[A-Z]?[a-z]{1,99}")
LONGEST_NAME: Final = 200


def context_factors(
    context: ValidationContext, said: Statement, given: Given, fold: str
) -> Iterator[Factor]:
    """The lesser factors: the tool's name, the form, the data, and what was tried."""
    verb = _refusing_verb(_tool_name(context.tool))
    if verb:
        yield Factor("tool that validates", "business", WHISPER, verb, "tool name")
    if said.is_structured:
        yield Factor("structured error", "business", WHISPER, "an error object", "response")
    together = given.told_together(fold) if said.text else None
    named = together or (given.named(fold) if said.text else None)
    if named:
        weight = FAIR if together else NAMED
        yield Factor("names what was sent", "business", weight, named, "input")
    if context.scenario_category == "error_case":
        yield Factor("scenario", "business", WHISPER, "error_case", "scenario")
    elif context.scenario_category == "happy_path":
        yield Factor("scenario", "failure", WHISPER, "happy_path", "scenario")


def _tool_name(tool: object) -> str:
    name = tool.get("name") if type(tool) is dict else None
    return name[:LONGEST_NAME] if type(name) is str else ""


@lru_cache(maxsize=1024)
def _refusing_verb(name: str) -> str | None:
    parts = (part.lower() for part in _NAME_PARTS.findall(name))
    return next((part for part in parts if part in REFUSING_VERBS), None)
