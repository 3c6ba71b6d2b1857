"""Elicitation: what a server may ask the user, by a form or at a web address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, rule, table_rule
from mcp_assay.rules.engine.samples import bad, error, good, modern_request, request, result
from mcp_assay.rules.message.patterns import (
    ASKING_OR_REQUEST,
    asked,
    asking,
    bad_asking,
    good_asking,
)
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.text.secrets import ASKED_NUMBERS, ASKED_TEXTS, asked_secret, near_names
from mcp_assay.wire.pointer import Path

ELICITATION: Final = "elicitation/create"
SECRETS_BY_TYPE: Final = {"string": ASKED_TEXTS, "number": ASKED_NUMBERS, "integer": ASKED_NUMBERS}
"""Which secrets an input of this type can take; booleans and choices take none."""
CHOICES: Final = ("enum", "oneOf")

_INNOCENT = {"not": {"pattern": near_names(ASKED_TEXTS)}}
_INNOCENT_TITLE = {"properties": {"title": _INNOCENT}}

CITY = {"type": "string", "title": "City"}
UNIT = {"type": "string", "enum": ["C", "F"]}
PAGE = {
    "mode": "url",
    "message": "Please sign in.",
    "url": "https://example.com/sign-in?flow=7",
    "elicitationId": "flow-7",
}
MODERN_PAGE = {name: value for name, value in PAGE.items() if name != "elicitationId"}


def _params(properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"message": "Where are you?", "requestedSchema": schema}


def _form(**properties: Any) -> dict[str, Any]:
    return request(ELICITATION, _params(properties))


def _inside_result(params: dict[str, Any]) -> dict[str, Any]:
    return asking(place={"method": ELICITATION, "params": params})


table_rule(
    "ELIC-001",
    "form-not-flat",
    """A requestedSchema is not a flat object of simple inputs.

    Why: clients turn each property into one input field, which is not possible for nested values.
    Instead: use strings, numbers, integers, booleans and enums and, since 2025-11-25, arrays of
    choices; split nested data into properties of their own.
    """,
    reason="invalid_params",
    good=lambda: [
        good(_form(city=CITY, unit=UNIT), revision=R2025_06_18),
        good_asking(
            _inside_result(_params({"city": CITY, "days": {"type": "integer", "minimum": 1}}))
        ),
    ],
    bad=lambda: [
        bad(request(ELICITATION, {"message": "Where are you?"}), "/params/requestedSchema"),
        bad(
            _form(address={"type": "object", "properties": {"city": CITY}}),
            "/params/requestedSchema/properties/address",
            revision=R2025_06_18,
        ),
        bad(
            request(ELICITATION, {"message": "Where are you?", "requestedSchema": {"city": CITY}}),
            "/params/requestedSchema/type",
            also=(("ELIC-001", "/params/requestedSchema/properties"),),
        ),
    ],
)

table_rule(
    "ELIC-002",
    "wrong-elicitation-mode",
    """An elicitation has an unknown mode, or mode "url" without a url.

    Why: the client cannot tell whether to show a form or open a page, and rejects the request.
    Instead: send a requestedSchema with mode "form" or without a mode, or mode "url" with a url.
    """,
    reason="invalid_params",
    good=lambda: [
        good(request(ELICITATION, {"mode": "form", **_params({"city": CITY})})),
        good(request(ELICITATION, PAGE)),
        good_asking(_inside_result(MODERN_PAGE)),
    ],
    bad=lambda: [
        bad(request(ELICITATION, {**PAGE, "mode": "browser"}), "/params/mode"),
        bad(
            request(
                ELICITATION,
                {"mode": "url", "message": "Please sign in.", "elicitationId": "flow-7"},
            ),
            "/params/url",
        ),
        bad_asking(
            _inside_result({**MODERN_PAGE, "mode": None}), "/result/inputRequests/place/params/mode"
        ),
    ],
)

table_rule(
    "ELIC-003",
    "unusable-elicitation-url",
    """An elicitation's url is not an absolute https URL.

    Why: the client cannot open the page, or user input is sent unencrypted.
    Instead: send a complete https:// address.
    """,
    reason="invalid_params",
    good=lambda: [good(request(ELICITATION, PAGE)), good_asking(_inside_result(MODERN_PAGE))],
    bad=lambda: [
        bad(request(ELICITATION, {**PAGE, "url": "/sign-in?flow=7"}), "/params/url"),
        bad(request(ELICITATION, {**PAGE, "url": "http://example.com/sign-in"}), "/params/url"),
        bad_asking(
            _inside_result({**MODERN_PAGE, "url": 7}), "/result/inputRequests/place/params/url"
        ),
    ],
)

table_rule(
    "ELIC-004",
    "no-elicitation-id",
    """An elicitation of mode "url" has no elicitationId, in 2025-11-25.

    Why: the server uses this id to report that the user has finished; without it the client cannot
    match the report.
    Instead: send an elicitationId, a string that is unique on this server.
    """,
    reason="invalid_params",
    good=lambda: [good(request(ELICITATION, PAGE)), good_asking(_inside_result(MODERN_PAGE))],
    bad=lambda: [
        bad(request(ELICITATION, MODERN_PAGE), "/params/elicitationId"),
        bad(request(ELICITATION, {**PAGE, "elicitationId": 7}), "/params/elicitationId"),
    ],
)

table_rule(
    "ELIC-005",
    "unknown-elicitation-action",
    """An elicitation result's action is not accept, decline or cancel.

    Why: the server cannot tell whether the user accepted, declined or dismissed the request.
    Instead: send "accept", "decline" or "cancel".
    """,
    reason="invalid_result",
    good=lambda: [
        good(result({"action": "accept", "content": {"city": "Paris"}}), method=ELICITATION),
        good(result({"action": "cancel"}), revision=R2025_06_18, method=ELICITATION),
    ],
    bad=lambda: [
        bad(result({"action": "reject"}), "/result/action", method=ELICITATION),
        bad(
            result({"content": {"city": "Paris"}}),
            "/result/action",
            revision=R2025_06_18,
            method=ELICITATION,
        ),
        bad(
            modern_request(
                "tools/call", {"name": "weather", "inputResponses": {"place": {"action": "ok"}}}
            ),
            "/params/inputResponses/place/action",
            revision=R2026_07_28,
        ),
    ],
)

table_rule(
    "ELIC-008",
    "incomplete-elicitation-error",
    """Error -32042 does not list the pages to visit, each with its url and elicitationId.

    Why: the client cannot show the user where to go, so the request can never succeed.
    Instead: list them in data.elicitations, each of mode "url" with a url and an elicitationId.
    """,
    reason="invalid_result",
    good=lambda: [good(error(-32042, "Please sign in first.", {"elicitations": [PAGE]}))],
    bad=lambda: [
        bad(error(-32042, "Please sign in first."), "/error/data/elicitations"),
        bad(
            error(-32042, "Please sign in first.", {"elicitations": [MODERN_PAGE]}),
            "/error/data/elicitations/0/elicitationId",
        ),
        bad(
            error(-32042, "Please sign in first.", {"elicitations": [{**PAGE, "mode": "form"}]}),
            "/error/data/elicitations/0/mode",
        ),
    ],
)


def _inputs(message: Message) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """The inputs of every form that the message asks for: place, name, schema."""
    for path, params in asked(message, ELICITATION):
        schema = params.get("requestedSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, member in properties.items() if isinstance(properties, dict) else ():
            if isinstance(member, dict):
                place = (*path, "requestedSchema", "properties", MapKey(name))
                yield place, name, member


@rule(
    "ELIC-007",
    "form-asks-for-a-secret",
    reason="invalid_params",
    good=lambda: [
        good(_form(city=CITY, shipping={"type": "string", "title": "Shipping address"})),
        good(_form(token_limit={"type": "integer", "title": "Most tokens"})),
    ],
    bad=lambda: [
        bad(
            _form(userPassword={"type": "string"}),
            "/params/requestedSchema/properties/userPassword",
            revision=R2025_06_18,
        ),
        bad(
            _form(credential={"type": "string", "title": "Your API key"}),
            "/params/requestedSchema/properties/credential",
        ),
        bad_asking(
            _inside_result(_params({"pin": {"type": "integer"}})),
            "/result/inputRequests/place/params/requestedSchema/properties/pin",
        ),
    ],
    on=ASKING_OR_REQUEST,
    patch={
        "RequestedSchema": {"properties": {"properties": {"propertyNames": _INNOCENT}}},
        "StringSchema": _INNOCENT_TITLE,
        "NumberSchema": _INNOCENT_TITLE,
    },
)
def form_asks_for_a_secret(message: Message) -> Iterator[Found]:
    """A form asks for what looks like a password, a key or a card number.

    Why: form input passes through the client and possibly a model; secrets do not belong there. The
    check looks at names and titles and cannot find everything.
    Instead: since 2025-11-25 use mode "url" with a page of your own; before, use a configuration
    setting.
    """
    for path, name, schema in _inputs(message):
        secret = _secret_asked_by(name, schema)
        if secret is not None:
            text = f"This input of the form asks for a secret ({secret})."
            yield Found(path, text, details={"secret": secret})


def _secret_asked_by(name: str, schema: dict[str, Any]) -> str | None:
    type, title = schema.get("type"), schema.get("title")
    names = SECRETS_BY_TYPE.get(type) if isinstance(type, str) else None
    if names is None or any(member in schema for member in CHOICES):
        return None
    labels = (name, title) if isinstance(title, str) else (name,)
    return next(filter(None, (asked_secret(label, names) for label in labels)), None)


@rule(
    "ELIC-010",
    "legacy-enum-names",
    reason="invalid_params",
    good=lambda: [
        good(_form(unit={"type": "string", "oneOf": [{"const": "C", "title": "Celsius"}]})),
        good(_form(unit={**UNIT, "enumNames": ["Celsius", "Kelvin"]}), revision=R2025_06_18),
    ],
    bad=lambda: [
        bad(
            _form(unit={**UNIT, "enumNames": ["Celsius", "Fahrenheit"]}),
            "/params/requestedSchema/properties/unit/enumNames",
            revision=R2025_11_25,
        ),
        bad_asking(
            _inside_result(_params({"unit": {**UNIT, "enumNames": ["Celsius", "Fahrenheit"]}})),
            "/result/inputRequests/place/params/requestedSchema/properties/unit/enumNames",
        ),
    ],
    on=ASKING_OR_REQUEST,
    patch={"EnumSchema": {"properties": {"enumNames": False}}},
)
def legacy_enum_names(message: Message) -> Iterator[Found]:
    """A choice uses enumNames for its titles.

    Why: enumNames is not a JSON Schema keyword and is kept only for old servers; clients may show
    the raw values instead.
    Instead: list the choices in oneOf, each with const and title.
    """
    for path, _, schema in _inputs(message):
        if "enumNames" in schema:
            yield Found((*path, "enumNames"), "The choice uses enumNames for its titles.")
