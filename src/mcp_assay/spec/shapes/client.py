"""What clients offer: roots, sampling, elicitation; and how results of 2026-07-28 ask for it."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.spec.shape import (
    Case,
    Choice,
    Either,
    Field,
    ListOf,
    MapOf,
    Meta,
    Option,
    Shape,
    Text,
    Use,
    may,
    must,
)
from mcp_assay.spec.shapes.common import (
    BOOLEAN,
    INTEGER,
    META,
    NUMBER,
    OBJECT,
    PORTION,
    ROLE,
    SAMPLING_BLOCK,
    TEXT,
    server_request_params,
    server_result,
)

_TASK = may("task", Use("TaskMetadata"), R2025_11_25, R2025_11_25)
_RESULT_META = may("_meta", Meta("MetaObject"), until=R2025_11_25, rule="META-001")

_ROOTS = (
    Shape(
        "ListRootsRequestParams",
        (
            may("_meta", Meta("RequestMetaObject"), until=R2025_11_25, rule="META-001"),
            may("_meta", Meta("MetaObject"), R2026_07_28, rule="META-001"),
        ),
    ),
    Shape("ListRootsResult", (must("roots", ListOf(Use("Root"))), _RESULT_META)),
    Shape("Root", (must("uri", Text("file-uri")), may("name", TEXT), META)),
)

_BLOCKS = Either(
    (Option(SAMPLING_BLOCK, "type"), Option(ListOf(SAMPLING_BLOCK))),
    "a content block or an array of them",
)
_SAMPLING_CONTENT = (
    must("content", SAMPLING_BLOCK, until=R2025_06_18, rule="SAMP-002"),
    must("content", _BLOCKS, R2025_11_25),
)
_SAMPLING = (
    server_request_params(
        "CreateMessageRequestParams",
        must("messages", ListOf(Use("SamplingMessage")), rule="SAMP-001"),
        must("maxTokens", INTEGER, rule="SAMP-001"),
        may("modelPreferences", Use("ModelPreferences")),
        may("systemPrompt", TEXT),
        may("includeContext", Text(values=("none", "thisServer", "allServers"))),
        may("temperature", NUMBER),
        may("stopSequences", ListOf(TEXT)),
        may("metadata", OBJECT),
        may("tools", ListOf(Use("Tool")), R2025_11_25),
        may("toolChoice", Use("ToolChoice"), R2025_11_25),
        _TASK,
    ),
    Shape(
        "SamplingMessage",
        (
            must("role", ROLE),
            *_SAMPLING_CONTENT,
            may("_meta", Meta("MetaObject"), R2025_11_25, rule="META-001"),
        ),
    ),
    Shape(
        "ModelPreferences",
        (
            may("hints", ListOf(Use("ModelHint"))),
            may("costPriority", PORTION, rule="SAMP-005"),
            may("speedPriority", PORTION, rule="SAMP-005"),
            may("intelligencePriority", PORTION, rule="SAMP-005"),
        ),
    ),
    Shape("ModelHint", (may("name", TEXT),)),
    Shape("ToolChoice", (may("mode", Text(values=("auto", "required", "none"))),)),
    Shape(
        "CreateMessageResult",
        (
            must("role", ROLE),
            *_SAMPLING_CONTENT,
            must("model", TEXT),
            may("stopReason", TEXT),
            may("_meta", Meta("MetaObject"), rule="META-001"),
        ),
    ),
)

_PRIMITIVE = Either(
    (
        Option(Use("UntitledMultiSelectSchema"), "items", since=R2025_11_25),
        Option(Use("TitledMultiSelectSchema"), since=R2025_11_25),
        Option(Use("TitledEnumSchema"), "oneOf", since=R2025_11_25),
        Option(Use("EnumSchema"), "enum"),
        Option(Use("BooleanSchema"), "type", "boolean"),
        Option(Use("NumberSchema"), "type", "number"),
        Option(Use("NumberSchema"), "type", "integer"),
        Option(Use("StringSchema"), "type", "string"),
    ),
    "a flat schema of a string, a number, a boolean or an enumeration",
)
_LABELS = (may("title", TEXT), may("description", TEXT))


def _schema(name: str, *fields: Field) -> Shape:
    return Shape(name, (*fields, *_LABELS), "ELIC-001")


_ELICITATION = (
    server_request_params(
        "ElicitRequestFormParams",
        may("mode", Text(values=("form",)), R2025_11_25, rule="ELIC-002"),
        must("message", TEXT),
        must("requestedSchema", Use("RequestedSchema"), rule="ELIC-001"),
        _TASK,
    ),
    server_request_params(
        "ElicitRequestURLParams",
        must("mode", Text(values=("url",)), R2025_11_25, rule="ELIC-002"),
        must("message", TEXT),
        must("url", Text("web-address"), rule="ELIC-003", absent="ELIC-002"),
        must("elicitationId", TEXT, R2025_11_25, R2025_11_25, rule="ELIC-004"),
        _TASK,
    ),
    Shape(
        "RequestedSchema",
        (
            must("type", Text(values=("object",))),
            must("properties", MapOf(_PRIMITIVE)),
            may("required", ListOf(TEXT)),
            may("$schema", TEXT, R2025_11_25),
        ),
        "ELIC-001",
    ),
    _schema(
        "StringSchema",
        must("type", Text(values=("string",))),
        may("format", Text(values=("email", "uri", "date", "date-time"))),
        may("minLength", INTEGER),
        may("maxLength", INTEGER),
        may("default", TEXT, R2025_11_25),
    ),
    _schema(
        "NumberSchema",
        must("type", Text(values=("number", "integer"))),
        may("minimum", NUMBER),
        may("maximum", NUMBER),
        may("default", NUMBER, R2025_11_25),
    ),
    _schema("BooleanSchema", must("type", Text(values=("boolean",))), may("default", BOOLEAN)),
    _schema(
        "EnumSchema",
        must("type", Text(values=("string",))),
        must("enum", ListOf(TEXT)),
        may("enumNames", ListOf(TEXT)),
        may("default", TEXT, R2025_11_25),
    ),
    _schema(
        "TitledEnumSchema",
        must("type", Text(values=("string",)), R2025_11_25),
        must("oneOf", ListOf(Use("TitledValue")), R2025_11_25),
        may("default", TEXT, R2025_11_25),
    ),
    _schema(
        "UntitledMultiSelectSchema",
        must("type", Text(values=("array",)), R2025_11_25),
        must("items", Use("UntitledItems"), R2025_11_25),
        may("minItems", INTEGER, R2025_11_25),
        may("maxItems", INTEGER, R2025_11_25),
        may("default", ListOf(TEXT), R2025_11_25),
    ),
    _schema(
        "TitledMultiSelectSchema",
        must("type", Text(values=("array",)), R2025_11_25),
        must("items", Use("TitledItems"), R2025_11_25),
        may("minItems", INTEGER, R2025_11_25),
        may("maxItems", INTEGER, R2025_11_25),
        may("default", ListOf(TEXT), R2025_11_25),
    ),
    Shape(
        "UntitledItems",
        (must("type", Text(values=("string",))), must("enum", ListOf(TEXT))),
        "ELIC-001",
    ),
    Shape("TitledItems", (must("anyOf", ListOf(Use("TitledValue"))),), "ELIC-001"),
    Shape("TitledValue", (must("const", TEXT), must("title", TEXT)), "ELIC-001"),
    Shape(
        "ElicitResult",
        (
            must("action", Text(values=("accept", "decline", "cancel")), rule="ELIC-005"),
            may(
                "content",
                MapOf(
                    Either(
                        (Option(TEXT), Option(NUMBER), Option(BOOLEAN)),
                        "a string, a number or a boolean",
                    )
                ),
                R2025_06_18,
                R2025_06_18,
            ),
            may(
                "content",
                MapOf(
                    Either(
                        (Option(TEXT), Option(NUMBER), Option(BOOLEAN), Option(ListOf(TEXT))),
                        "a string, a number, a boolean or an array of strings",
                    )
                ),
                R2025_11_25,
            ),
            _RESULT_META,
        ),
    ),
    Shape(
        "ElicitationCompleteParams",
        (
            may("_meta", Meta("NotificationMetaObject"), rule="META-001"),
            must("elicitationId", TEXT),
        ),
    ),
)

ELICITATION_PARAMS: Final = Choice(
    "mode",
    (Case("form", "ElicitRequestFormParams"), Case("url", "ElicitRequestURLParams")),
    rule="ELIC-002",
    default="form",
)
INPUT_RESPONSE: Final = Either(
    (
        Option(Use("ElicitResult"), "action"),
        Option(Use("ListRootsResult"), "roots"),
        Option(Use("CreateMessageResult"), "role"),
    ),
    "an answer to elicitation/create, roots/list or sampling/createMessage",
)

_INPUT_REQUIRED = (
    server_result(
        "InputRequiredResult",
        may(
            "inputRequests",
            MapOf(
                Choice(
                    "method",
                    (
                        Case("elicitation/create", "ElicitInputRequest"),
                        Case("sampling/createMessage", "SamplingInputRequest"),
                        Case("roots/list", "RootsInputRequest"),
                    ),
                    rule="MRTR-003",
                )
            ),
            rule="MRTR-003",
        ),
        may("requestState", TEXT),
    ),
    Shape(
        "ElicitInputRequest",
        (must("method", Text(values=("elicitation/create",))), must("params", ELICITATION_PARAMS)),
    ),
    Shape(
        "SamplingInputRequest",
        (
            must("method", Text(values=("sampling/createMessage",))),
            must("params", Use("CreateMessageRequestParams")),
        ),
    ),
    Shape(
        "RootsInputRequest",
        (
            must("method", Text(values=("roots/list",))),
            may("params", Use("ListRootsRequestParams")),
        ),
    ),
)

SHAPES = (*_ROOTS, *_SAMPLING, *_ELICITATION, *_INPUT_REQUIRED)
