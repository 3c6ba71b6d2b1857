"""`_meta`, who is speaking, what they can do, and how they fail."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.spec.shape import Extensions, ListOf, MapOf, Shape, Text, Use, may, must, should
from mcp_assay.spec.shapes.common import (
    ANYTHING,
    BOOLEAN,
    CACHE_HINTS,
    INTEGER,
    LOG_LEVEL,
    NAME,
    OBJECT,
    TEXT,
    TOKEN,
    URI,
    notification_params,
    request_params,
    server_result,
)

RESERVED: Final = "io.modelcontextprotocol/"

_ANY_META = (
    may(
        f"{RESERVED}related-task",
        Use("RelatedTaskMetadata"),
        R2025_11_25,
        R2025_11_25,
        rule="TASK-007",
    ),
    may(f"{RESERVED}model-immediate-response", TEXT, R2025_11_25, R2025_11_25, rule="TASK-007"),
    may("traceparent", Text("traceparent"), R2026_07_28, rule="META-006"),
    may("tracestate", Text("tracestate"), R2026_07_28, rule="META-006"),
    may("baggage", Text("baggage"), R2026_07_28, rule="META-006"),
)
_SERVER_INFO = should(
    f"{RESERVED}serverInfo",
    Use("Implementation"),
    R2026_07_28,
    absent="META-010",
    rule="META-010/malformed",
    remap={"SCHEMA-002": "META-010/malformed"},
)

_META = (
    Shape("MetaObject", _ANY_META),
    Shape(
        "RequestMetaObject",
        (
            must(f"{RESERVED}protocolVersion", TEXT, R2026_07_28, rule="META-007"),
            must(
                f"{RESERVED}clientCapabilities",
                Use("ClientCapabilities"),
                R2026_07_28,
                rule="META-008",
            ),
            should(
                f"{RESERVED}clientInfo",
                Use("Implementation"),
                R2026_07_28,
                absent="META-009",
                rule="META-009/malformed",
                remap={"SCHEMA-001": "META-009/malformed"},
            ),
            may(f"{RESERVED}logLevel", LOG_LEVEL, R2026_07_28, rule="LOG-001"),
            may("progressToken", TOKEN, rule="META-011"),
            *_ANY_META,
        ),
    ),
    Shape(
        "NotificationMetaObject", (may(f"{RESERVED}subscriptionId", TOKEN, R2026_07_28), *_ANY_META)
    ),
    Shape("ResultMetaObject", (_SERVER_INFO, *_ANY_META)),
    Shape(
        "ListenResultMetaObject",
        (
            _SERVER_INFO,
            must(f"{RESERVED}subscriptionId", TOKEN, R2026_07_28, rule="SUB-007"),
            *_ANY_META,
        ),
    ),
    Shape(
        "TaskPayloadMetaObject",
        (
            must(
                f"{RESERVED}related-task",
                Use("RelatedTaskMetadata"),
                R2025_11_25,
                R2025_11_25,
                rule="TASK-007",
            ),
        ),
    ),
)

_PEERS = (
    Shape(
        "Implementation",
        (
            must("name", NAME),
            must("version", NAME),
            may("title", TEXT, R2025_06_18),
            may("description", TEXT, R2025_11_25),
            may("icons", ListOf(Use("Icon")), R2025_11_25),
            may("websiteUrl", URI, R2025_11_25),
        ),
    ),
    Shape(
        "Icon",
        (
            must("src", URI, R2025_11_25),
            may("mimeType", TEXT, R2025_11_25),
            may("sizes", ListOf(TEXT), R2025_11_25),
            may("theme", Text(values=("light", "dark")), R2025_11_25),
        ),
    ),
)

_CAPABILITIES = (
    Shape(
        "ClientCapabilities",
        (
            may("experimental", MapOf(OBJECT)),
            may("roots", Use("RootsCapability")),
            may("sampling", Use("SamplingCapability")),
            may("elicitation", Use("ElicitationCapability"), R2025_06_18),
            may("tasks", Use("ClientTasksCapability"), R2025_11_25, R2025_11_25),
            may("extensions", Extensions(), R2026_07_28, rule="META-014"),
        ),
    ),
    Shape("RootsCapability", (may("listChanged", BOOLEAN, until=R2025_11_25),)),
    Shape(
        "SamplingCapability",
        (may("context", OBJECT, R2025_11_25), may("tools", OBJECT, R2025_11_25)),
    ),
    Shape(
        "ElicitationCapability",
        (may("form", OBJECT, R2025_11_25), may("url", OBJECT, R2025_11_25)),
    ),
    Shape(
        "ClientTasksCapability",
        (
            may("list", OBJECT),
            may("cancel", OBJECT),
            may("requests", Use("ClientTaskRequestsCapability")),
        ),
    ),
    Shape(
        "ClientTaskRequestsCapability",
        (
            may("sampling", Use("SamplingTasksCapability")),
            may("elicitation", Use("ElicitationTasksCapability")),
        ),
    ),
    Shape("SamplingTasksCapability", (may("createMessage", OBJECT),)),
    Shape("ElicitationTasksCapability", (may("create", OBJECT),)),
    Shape(
        "ServerCapabilities",
        (
            may("experimental", MapOf(OBJECT)),
            may("logging", OBJECT),
            may("completions", OBJECT, R2025_03_26),
            may("prompts", Use("ListedCapability")),
            may("resources", Use("ResourcesCapability")),
            may("tools", Use("ListedCapability")),
            may("tasks", Use("ServerTasksCapability"), R2025_11_25, R2025_11_25),
            may("extensions", Extensions(), R2026_07_28, rule="META-014"),
        ),
    ),
    Shape("ListedCapability", (may("listChanged", BOOLEAN),)),
    Shape("ResourcesCapability", (may("listChanged", BOOLEAN), may("subscribe", BOOLEAN))),
    Shape(
        "ServerTasksCapability",
        (
            may("list", OBJECT),
            may("cancel", OBJECT),
            may("requests", Use("ServerTaskRequestsCapability")),
        ),
    ),
    Shape("ServerTaskRequestsCapability", (may("tools", Use("ToolTasksCapability")),)),
    Shape("ToolTasksCapability", (may("call", OBJECT),)),
)

_LIFECYCLE = (
    request_params("RequestParams"),
    request_params("UnknownRequestParams", open=True),
    notification_params("NotificationParams"),
    notification_params("UnknownNotificationParams", open=True),
    request_params(
        "InitializeRequestParams",
        must("protocolVersion", Text("revision")),
        must("capabilities", Use("ClientCapabilities")),
        must("clientInfo", Use("Implementation"), remap={"SCHEMA-001": "LIFE-002"}),
        rule="LIFE-002",
    ),
    server_result(
        "InitializeResult",
        must("protocolVersion", Text("revision")),
        must("capabilities", Use("ServerCapabilities")),
        must("serverInfo", Use("Implementation"), remap={"SCHEMA-002": "LIFE-003"}),
        may("instructions", TEXT, rule="SCHEMA-002"),
        rule="LIFE-003",
    ),
    server_result(
        "DiscoverResult",
        must("supportedVersions", ListOf(TEXT), rule="VER-002"),
        must("capabilities", Use("ServerCapabilities"), rule="VER-002"),
        may("instructions", TEXT),
        *CACHE_HINTS,
    ),
    server_result("Result"),
    server_result("UnknownResult", open=True),
)

_ERRORS = (
    Shape("Error", (must("code", INTEGER), must("message", TEXT), may("data", ANYTHING))),
    Shape(
        "MissingCapabilityError",
        (
            must("code", INTEGER),
            must("message", TEXT),
            must("data", Use("MissingCapabilityData"), rule="VER-009", implied=True),
        ),
    ),
    Shape(
        "MissingCapabilityData",
        (must("requiredCapabilities", Use("ClientCapabilities"), rule="VER-009"),),
    ),
    Shape(
        "UnsupportedVersionError",
        (
            must("code", INTEGER),
            must("message", TEXT),
            must("data", Use("UnsupportedVersionData"), rule="VER-005", implied=True),
        ),
    ),
    Shape(
        "UnsupportedVersionData",
        (
            must("supported", ListOf(TEXT), rule="VER-005"),
            must("requested", TEXT, rule="VER-005"),
        ),
    ),
    Shape(
        "UrlElicitationError",
        (
            must("code", INTEGER),
            must("message", TEXT),
            must("data", Use("UrlElicitationData"), rule="ELIC-008", implied=True),
        ),
    ),
    Shape(
        "UrlElicitationData",
        (
            must(
                "elicitations",
                ListOf(Use("ElicitRequestURLParams")),
                rule="ELIC-008",
                remap={
                    "ELIC-002": "ELIC-008",
                    "ELIC-004": "ELIC-008",
                    "JSONRPC-014": "ELIC-008",
                },
            ),
        ),
    ),
)

SHAPES = (*_META, *_PEERS, *_CAPABILITIES, *_LIFECYCLE, *_ERRORS)
