"""The profile as a JSON Schema, and whether a response keeps the profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcp_assay.envelope.results import members_of
from mcp_assay.envelope.values import Unfit, json_value
from mcp_assay.rules.envelope.checker import judge_response, judge_text
from mcp_assay.rules.envelope.content import MCP_IMAGE_MEMBERS, OWN_FORMS
from mcp_assay.rules.envelope.results import unfolded
from mcp_assay.spec.formats import RFC3339
from mcp_assay.wire.python_values import examine

if TYPE_CHECKING:
    from mcp_assay.model.finding import Finding

PLAIN: Final = (dict, list, tuple, str, int, float, bytes, bytearray, type(None))
"""What is judged as it is: a date within a dict is no JSON, and somebody should know."""


def validate_mcp_response(response: object) -> list[Finding]:
    """Everything there is to say about a response; each finding's details say what it breaks.

    Errors break the profile. What breaks MCP alone is a warning. Models, data classes and result
    objects are judged by what they become when they are sent.
    """
    reading = examine(as_sent(response))
    findings = judge_text(reading)
    if reading.readable:
        findings += judge_response(reading.value, reading).findings
    return findings


def as_sent(response: object) -> Any:
    """What an object becomes when it is sent; anything else, and what cannot be sent, as it is."""
    if isinstance(response, PLAIN):
        return response
    try:
        return unfolded(json_value(response, members_of))
    except Unfit:
        return response


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
