"""What a server wants of its client and does not get, and the tables that would give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from mcp_assay.drive.manner import CAPABILITY_OF
from mcp_assay.scenario.planning import plan
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas

MISSING_CAPABILITY: Final = -32021
MOST_WISHES: Final = 10
"""So many of one call are remembered."""
LONGEST_WORDS: Final = 2_000
FEW: Final = 10
"""Scenarios among which a valid one is looked for."""
ANSWERS: Final[Mapping[str, dict[str, Any]]] = {
    "sampling": {"text": "A short answer."},
    "elicitation": {"action": "accept", "content": {}},
    "roots": {"uris": ["file:///tmp"]},
}
"""What the user may write into each table, where the server does not say more."""
_LACKING: Final = re.compile(
    r"\bclient (?:does not|doesn't|did not|didn't|has no|lacks|must)\b[^.\n]{0,80}?"
    r"\b(sampling|elicitation|roots)\b",
    re.IGNORECASE,
)


class Wish(Struct, frozen=True):
    """Something that a server asked its client for."""

    table: str
    """Where the user can give it: sampling, elicitation or roots."""
    schema: Any = None
    """What an input of the user must fit."""
    given: Any = None
    """What was given; None where it was refused."""


def wish(method: object, params: object, answers: Mapping[str, Any]) -> Wish | None:
    """What a request of a server asks for, None where it is nothing that the user could give."""
    table = CAPABILITY_OF.get(method) if isinstance(method, str) else None
    if table is None:
        return None
    schema = params.get("requestedSchema") if isinstance(params, dict) else None
    return Wish(table, schema, answers.get(str(method)))


def wishes_in(requests: object, answers: Mapping[str, Any]) -> Iterator[Wish]:
    """What a result asks for that is not complete yet."""
    for one in list(requests.values())[:MOST_WISHES] if isinstance(requests, dict) else ():
        if isinstance(one, dict) and (found := wish(one.get("method"), one.get("params"), answers)):
            yield found


def wishes_of(error: object, texts: Iterable[str]) -> Iterator[Wish]:
    """What a server says that its client lacks: in an error for that, or in words."""
    said = error if isinstance(error, dict) else {}
    data = said.get("data") if said.get("code") == MISSING_CAPABILITY else None
    needed = data.get("requiredCapabilities") if isinstance(data, dict) else None
    for table in ANSWERS:
        if isinstance(needed, dict) and table in needed:
            yield Wish(table)
    for text in texts:
        if lacking := _LACKING.search(text[:LONGEST_WORDS]):
            yield Wish(lacking[1].lower())


def answer_to(wish: Wish, schemas: Schemas) -> dict[str, Any] | None:
    """What the user may write down to fulfil a wish, None where what was given is good enough."""
    if wish.table != "elicitation" or not isinstance(wish.schema, dict):
        return None if wish.given is not None else dict(ANSWERS[wish.table])
    content = wish.given.get("content") if isinstance(wish.given, dict) else None
    if wish.given is not None and schemas.prepare(wish.schema).check(content).outcome != "invalid":
        return None
    form = {"name": "", "inputSchema": wish.schema}
    made = plan(form, seed=0, budget=FEW, values=Values(), schemas=schemas, at_random=False)
    fitting = (one.arguments for one in made.scenarios if one.valid)
    return {**ANSWERS[wish.table], "content": next(fitting, {})}
