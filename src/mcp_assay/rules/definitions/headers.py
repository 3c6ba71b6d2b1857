"""Arguments that are repeated in HTTP headers, by x-mcp-header in an inputSchema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.rules.definitions import examples
from mcp_assay.rules.definitions.definition import Part, definition_rule
from mcp_assay.rules.definitions.examples import inputs, taking
from mcp_assay.rules.definitions.tool_schema import ToolSchema
from mcp_assay.rules.definitions.tools import said
from mcp_assay.rules.rule import Found
from mcp_assay.rules.words import quote
from mcp_assay.schema.parts import Part as SchemaPart
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.spec.secrets import ASKED_TEXTS, asked_secret, names_secret

ANNOTATION: Final = "x-mcp-header"
TOKEN_CHARACTERS: Final = frozenset(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
LARGEST: Final = 2**53 - 1
HEADER_TYPES: Final = ("string", "boolean", "integer")
PERSONAL: Final = (*ASKED_TEXTS, "email", "phone", "birth date", "date of birth", "address")
INVALID: Final = "invalid_header"

good_tools = partial(examples.good_tools, revision=R2026_07_28)
bad_tools = partial(examples.bad_tools, revision=R2026_07_28)
REGION: Final = {"type": "string", ANNOTATION: "Region"}


def _with(**members: Any) -> dict[str, Any]:
    return taking(region={**REGION, **members})


def _headers(part: Part) -> Iterator[tuple[SchemaPart, Any]]:
    schema: ToolSchema = part.value
    for inner in schema.parts:
        if ANNOTATION in inner.schema:
            yield inner, inner.schema[ANNOTATION]


@definition_rule(
    "TOOL-020",
    "header-name-empty",
    on="inputSchema",
    reason=INVALID,
    good=[good_tools(_with())],
    bad=[
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: ""})),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: True})),
    ],
)
def names_its_header(part: Part) -> Iterator[Found]:
    """An x-mcp-header that is empty or no text.

    Why: clients name the header Mcp-Param- and this text; without it they refuse the tool.
    Instead: write a name such as Region.
    """
    for inner, header in _headers(part):
        if not isinstance(header, str) or not header:
            what = "empty" if header == "" else f"{said(header)}, not a string"
            yield _found(inner, f"The x-mcp-header of {_of(inner, part)} is {what}.")


@definition_rule(
    "TOOL-021",
    "header-name-no-token",
    on="inputSchema",
    reason=INVALID,
    good=[good_tools(_with(**{ANNOTATION: "Region-2"}))],
    bad=[
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: "My x"})),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: "a\r\nb"})),
    ],
)
def names_a_token(part: Part) -> Iterator[Found]:
    """An x-mcp-header with a space, a line break or another character that headers cannot have.

    Why: the header could not be sent, or would become several.
    Instead: use letters, digits and hyphens alone.
    """
    for inner, header in _headers(part):
        if isinstance(header, str) and not TOKEN_CHARACTERS.issuperset(header):
            text = f"The x-mcp-header of {_of(inner, part)} is {quote(header)}, which is no token."
            yield _found(inner, text)


@definition_rule(
    "TOOL-022",
    "header-name-twice",
    on="inputSchema",
    reason=INVALID,
    good=[good_tools(taking(region=REGION, zone={**REGION, ANNOTATION: "Zone"}))],
    bad=[
        bad_tools(
            "/0/inputSchema/properties/zone/x-mcp-header",
            taking(region=REGION, zone={**REGION, ANNOTATION: "REGION"}),
        )
    ],
)
def names_it_once(part: Part) -> Iterator[Found]:
    """Two arguments with the same x-mcp-header, whether in upper or lower case.

    Why: headers do not differ by case, so one argument would hide the other.
    Instead: give each argument a header of its own.
    """
    known: set[str] = set()
    for inner, header in _headers(part):
        if not isinstance(header, str) or not header:
            continue
        if header.lower() in known:
            text = f"The x-mcp-header of {_of(inner, part)}, {quote(header)}, is used twice."
            yield _found(inner, text)
        known.add(header.lower())


@definition_rule(
    "TOOL-023",
    "header-on-wrong-type",
    on="inputSchema",
    reason=INVALID,
    good=[
        good_tools(_with(type="integer", maximum=LARGEST)),
        good_tools(_with(type="boolean")),
    ],
    bad=[
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(type="number")),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(type="array")),
        bad_tools(
            "/0/inputSchema/properties/region/x-mcp-header", _with(type="integer", maximum=2**53)
        ),
    ],
)
def belongs_to_a_simple_type(part: Part) -> Iterator[Found]:
    """An x-mcp-header on something that is no string, no boolean and no moderate integer.

    Why: there is no one way to write such a value into a header, so the two sides would differ.
    Instead: take x-mcp-header away, or make the argument a string.
    """
    for inner, _ in _headers(part):
        kinds = inner.schema.get("type")
        named = kinds if isinstance(kinds, list) else [kinds]
        others = [kind for kind in named if kind not in (*HEADER_TYPES, "null")]
        if others and kinds is not None:
            shown = quote(others[0]) if isinstance(others[0], str) else said(others[0])
            yield _found(inner, f"An x-mcp-header belongs to {_of(inner, part)}, of type {shown}.")
        elif any(_is_beyond(inner.schema.get(limit)) for limit in ("minimum", "maximum")):
            text = f"An x-mcp-header belongs to {_of(inner, part)}, which may exceed 2^53-1."
            yield _found(inner, text)


@definition_rule(
    "TOOL-024",
    "header-out-of-reach",
    on="inputSchema",
    reason=INVALID,
    good=[good_tools(taking(place=inputs(region=REGION)))],
    bad=[
        bad_tools(
            "/0/inputSchema/properties/regions/items/x-mcp-header",
            taking(regions={"type": "array", "items": REGION}),
        ),
        bad_tools(
            "/0/inputSchema/properties/region/anyOf/0/x-mcp-header",
            taking(region={"anyOf": [REGION, {"type": "null"}]}),
        ),
    ],
)
def belongs_to_a_property(part: Part) -> Iterator[Found]:
    """An x-mcp-header where more than properties leads to it: items, $ref, anyOf and the like.

    Why: a client cannot tell from the schema alone which value the header should repeat.
    Instead: put it on a property of the arguments, or of objects inside them.
    """
    for inner, _ in _headers(part):
        if not inner.is_property:
            yield _found(inner, f"An x-mcp-header belongs to {_of(inner, part)}, out of reach.")


@definition_rule(
    "TOOL-025",
    "header-on-secret",
    on="inputSchema",
    reason=INVALID,
    good=[good_tools(_with())],
    bad=[
        bad_tools("/0/inputSchema/properties/api_key/x-mcp-header", taking(api_key=REGION)),
        bad_tools("/0/inputSchema/properties/email/x-mcp-header", taking(email=REGION)),
    ],
)
def keeps_secrets(part: Part) -> Iterator[Found]:
    """An x-mcp-header on a password, a key or personal data.

    Why: headers are written to logs and seen by every proxy on the way.
    Instead: leave such arguments in the body alone.
    """
    for inner, _ in _headers(part):
        name = inner.name or ""
        if names_secret(name) or asked_secret(name, PERSONAL):
            yield _found(inner, f"An x-mcp-header belongs to {_of(inner, part)}, a sensitive one.")


def _found(inner: SchemaPart, text: str) -> Found:
    return Found((*inner.path, ANNOTATION), text)


def _of(inner: SchemaPart, part: Part) -> str:
    what = f"the property {quote(inner.name)}" if inner.name is not None else "a part"
    return f"{what} of the {part.owner}"


def _is_beyond(limit: Any) -> bool:
    return isinstance(limit, int | float) and abs(limit) > LARGEST
