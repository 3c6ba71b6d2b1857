"""Arguments that are repeated in HTTP headers, by x-mcp-header in an inputSchema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.rules.definition import rule
from mcp_assay.rules.definition.rule import DefinitionPart, definition_rule, inputs, taking
from mcp_assay.rules.definition.tool_schema import ToolSchema
from mcp_assay.rules.definition.tools import said
from mcp_assay.rules.engine.rule import Found
from mcp_assay.schema.keywords import Subschema as SchemaPart
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.secrets import ASKED_TEXTS, asked_secret, names_secret
from mcp_assay.text.words import quote

ANNOTATION: Final = "x-mcp-header"
TOKEN_CHARACTERS: Final = frozenset(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
LARGEST: Final = 2**53 - 1
HEADER_TYPES: Final = ("string", "boolean", "integer")
PERSONAL: Final = (*ASKED_TEXTS, "email", "phone", "birth date", "date of birth", "address")
INVALID: Final = "invalid_header"

good_tools = partial(rule.good_tools, revision=R2026_07_28)
bad_tools = partial(rule.bad_tools, revision=R2026_07_28)
REGION: Final = {"type": "string", ANNOTATION: "Region"}


LONGEST_NAME: Final = 64
"""Of a longer name the beginning is proposed."""


def _with(**members: Any) -> dict[str, Any]:
    return taking(region={**REGION, **members})


def _headers(part: DefinitionPart) -> Iterator[tuple[SchemaPart, Any]]:
    schema: ToolSchema = part.value
    for inner in schema.parts:
        if ANNOTATION in inner.schema:
            yield inner, inner.schema[ANNOTATION]


@definition_rule(
    "TOOL-020",
    "header-name-empty",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(_with())],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: ""})),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: True})),
    ],
)
def header_name_empty(part: DefinitionPart) -> Iterator[Found]:
    """An x-mcp-header is empty or not a string.

    Why: clients build the header name from this string (Mcp-Param-NAME); without it they reject the
    tool.
    Instead: use a name such as Region.
    """
    for inner, header in _headers(part):
        if not isinstance(header, str) or not header:
            what = "empty" if header == "" else f"{said(header)}, not a string"
            text = f"The x-mcp-header of {_of(inner, part)} is {what}."
            yield _found(inner, text, _token_of(inner.name or ""))


@definition_rule(
    "TOOL-021",
    "header-name-no-token",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(_with(**{ANNOTATION: "Region-2"}))],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: "My x"})),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(**{ANNOTATION: "a\r\nb"})),
    ],
)
def header_name_no_token(part: DefinitionPart) -> Iterator[Found]:
    """An x-mcp-header contains a character that header names cannot have.

    Why: the header cannot be sent, or could inject further headers.
    Instead: use only letters, digits and hyphens.
    """
    for inner, header in _headers(part):
        if isinstance(header, str) and not TOKEN_CHARACTERS.issuperset(header):
            text = (
                f"The x-mcp-header of {_of(inner, part)} is {quote(header)}, which is not "
                "a valid header token."
            )
            yield _found(inner, text, _token_of(header))


@definition_rule(
    "TOOL-022",
    "header-name-twice",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(taking(region=REGION, zone={**REGION, ANNOTATION: "Zone"}))],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/properties/zone/x-mcp-header",
            taking(region=REGION, zone={**REGION, ANNOTATION: "REGION"}),
        )
    ],
)
def header_name_twice(part: DefinitionPart) -> Iterator[Found]:
    """Two arguments have the same x-mcp-header (ignoring case).

    Why: header names are case-insensitive, so one argument would hide the other.
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
    good=lambda: [
        good_tools(_with(type="integer", maximum=LARGEST)),
        good_tools(_with(type="boolean")),
    ],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(type="number")),
        bad_tools("/0/inputSchema/properties/region/x-mcp-header", _with(type="array", items={})),
        bad_tools(
            "/0/inputSchema/properties/region/x-mcp-header", _with(type="integer", maximum=2**53)
        ),
    ],
)
def header_on_wrong_type(part: DefinitionPart) -> Iterator[Found]:
    """An x-mcp-header is set on an argument that is not a string, boolean or safe integer.

    Why: such a value has no single form in a header, so client and server would disagree.
    Instead: remove x-mcp-header, or make the argument a string.
    """
    for inner, _ in _headers(part):
        kinds = inner.schema.get("type")
        named = kinds if isinstance(kinds, list) else [kinds]
        others = [kind for kind in named if kind not in (*HEADER_TYPES, "null")]
        if others and kinds is not None:
            shown = quote(others[0]) if isinstance(others[0], str) else said(others[0])
            yield _found(inner, f"An x-mcp-header is set on {_of(inner, part)}, of type {shown}.")
        elif any(_is_beyond(inner.schema.get(limit)) for limit in ("minimum", "maximum")):
            text = f"An x-mcp-header is set on {_of(inner, part)}, which may exceed 2^53-1."
            yield _found(inner, text)


@definition_rule(
    "TOOL-024",
    "header-out-of-reach",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(taking(place=inputs(region=REGION)))],
    bad=lambda: [
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
def header_out_of_reach(part: DefinitionPart) -> Iterator[Found]:
    """An x-mcp-header is set where more than plain properties lead to it (items, $ref, anyOf).

    Why: the client cannot tell from the schema which value the header should repeat.
    Instead: put it on a property of the arguments, or of objects inside them.
    """
    for inner, _ in _headers(part):
        if not inner.is_property:
            yield _found(
                inner,
                f"An x-mcp-header is set on {_of(inner, part)}, which no path "
                "of plain properties leads to.",
            )


@definition_rule(
    "TOOL-025",
    "header-on-secret",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(_with())],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/api_key/x-mcp-header", taking(api_key=REGION)),
        bad_tools("/0/inputSchema/properties/email/x-mcp-header", taking(email=REGION)),
    ],
)
def header_on_secret(part: DefinitionPart) -> Iterator[Found]:
    """An x-mcp-header is set on a password, key or personal data.

    Why: headers are logged and seen by every proxy on the way.
    Instead: send such arguments in the body only.
    """
    for inner, _ in _headers(part):
        name = inner.name or ""
        if names_secret(name) or asked_secret(name, PERSONAL):
            yield _found(
                inner, f"An x-mcp-header is set on {_of(inner, part)}, which looks sensitive."
            )


def _found(inner: SchemaPart, text: str, token: str = "") -> Found:
    """The fault, with the name that the header could have."""
    return Found((*inner.path, ANNOTATION), text, fix=f"Use {quote(token)}." if token else None)


def _token_of(name: str) -> str:
    """The name of a header that is nearest to a name, empty where nothing of it can stay."""
    kept = "".join(one if one.isascii() and one.isalnum() else "-" for one in name[:LONGEST_NAME])
    return "-".join(filter(None, kept.split("-")))


def _of(inner: SchemaPart, part: DefinitionPart) -> str:
    what = f"the property {quote(inner.name)}" if inner.name is not None else "a part"
    return f"{what} of the {part.owner}"


def _is_beyond(limit: Any) -> bool:
    return isinstance(limit, int | float) and abs(limit) > LARGEST
