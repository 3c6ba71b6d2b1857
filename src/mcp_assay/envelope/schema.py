"""The profile as a JSON Schema: it refuses the responses that break the profile.

That is so for JSON values and validators that check formats; others let a day pass that no calendar
has, such as 30 February. What JSON has no form for is not a matter of schemas.
"""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.envelope.content import MCP_IMAGE_MEMBERS, OWN_FORMS
from mcp_assay.spec.formats import RFC3339

_STRING: Final = {"type": "string"}


def _with_strings(*names: str) -> dict[str, Any]:
    return {"required": list(names), "properties": dict.fromkeys(names, _STRING)}


def _where_type_is(kind: str, form: dict[str, Any]) -> dict[str, Any]:
    return {"if": _having("type", kind), "then": form}


def _having(name: str, value: object) -> dict[str, Any]:
    return {"required": [name], "properties": {name: {"const": value}}}


_EMBEDDED: Final = {
    "required": ["resource"],
    "properties": {
        "resource": {
            "type": "object",
            **_with_strings("uri"),
            "anyOf": [_with_strings("text"), _with_strings("blob")],
        }
    },
}

_ITEM: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string", "minLength": 1}},
    "allOf": [
        _where_type_is("text", _with_strings("text")),
        _where_type_is(
            "image",
            {"anyOf": [_with_strings(*OWN_FORMS["image"]), _with_strings(*MCP_IMAGE_MEMBERS)]},
        ),
        _where_type_is("resource", {"anyOf": [_with_strings(*OWN_FORMS["resource"]), _EMBEDDED]}),
    ],
}

ENVELOPE_SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Tool response envelope",
    "type": "object",
    "required": ["success", "timestamp", "content"],
    "properties": {
        "success": {"type": "boolean"},
        "timestamp": {"type": "string", "format": "date-time", "pattern": f"^(?:{RFC3339})$"},
        "content": {"type": "array", "minItems": 1, "items": _ITEM},
    },
    "allOf": [
        {
            "if": _having("success", True),
            "then": {"properties": {"error": False, "isError": {"not": {"const": True}}}},
        },
        {
            "if": _having("success", False),
            "then": {
                "required": ["error"],
                "properties": {"error": {"type": "object", **_with_strings("code", "message")}},
            },
        },
    ],
}
"""The JSON Schema (2020-12) of a response that keeps the profile; `data` may be anything."""
