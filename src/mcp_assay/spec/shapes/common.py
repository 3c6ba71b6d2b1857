"""Types that many shapes share, builders of params and results, and the blocks of content."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.spec.shape import (
    Anything,
    Boolean,
    Case,
    Choice,
    Field,
    Integer,
    ListOf,
    MapOf,
    Meta,
    Number,
    Shape,
    Text,
    Token,
    Use,
    may,
    must,
    should,
)

TEXT: Final = Text()
URI: Final = Text("uri")
BASE64: Final = Text("base64")
MEDIA_TYPE: Final = Text("media-type")
NAME: Final = Text("filled")
ROLE: Final = Text(values=("user", "assistant"), rule="SCHEMA-010")
LOG_LEVEL: Final = Text(
    values=(
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ),
    rule="LOG-001",
)
INTEGER: Final = Integer()
NUMBER: Final = Number()
PORTION: Final = Number(minimum=0, maximum=1)
BOOLEAN: Final = Boolean()
TOKEN: Final = Token()
ANYTHING: Final = Anything()
OBJECT: Final = MapOf(Anything())

CACHE_HINTS: Final = (
    must("ttlMs", Integer(minimum=0), R2026_07_28, absent="CACHE-001", rule="CACHE-002"),
    must(
        "cacheScope",
        Text(values=("public", "private")),
        R2026_07_28,
        absent="CACHE-001",
        rule="CACHE-002",
    ),
)
PAGE: Final = (may("nextCursor", TEXT, rule="PAGE-001"),)


def request_params(name: str, *fields: Field, rule: str | None = None, open: bool = False) -> Shape:
    """The params of a client's request: up to 2025-11-25 with an optional `_meta`."""
    return Shape(
        name,
        (
            may("_meta", Meta("RequestMetaObject"), until=R2025_11_25, rule="META-001"),
            must("_meta", Meta("RequestMetaObject"), R2026_07_28, rule="META-001", implied=True),
            *fields,
        ),
        rule,
        open=open,
    )


def server_request_params(name: str, *fields: Field, rule: str | None = None) -> Shape:
    """The params of a server's request, which in 2026-07-28 is a part of a result."""
    return Shape(
        name,
        (may("_meta", Meta("RequestMetaObject"), until=R2025_11_25, rule="META-001"), *fields),
        rule,
    )


def notification_params(name: str, *fields: Field, open: bool = False) -> Shape:
    """The params of a notification."""
    meta = may("_meta", Meta("NotificationMetaObject"), rule="META-001")
    return Shape(name, (meta, *fields), open=open)


def server_result(
    name: str,
    *fields: Field,
    rule: str | None = None,
    meta: str = "ResultMetaObject",
    open: bool = False,
) -> Shape:
    """A result that a server gives; 2026-07-28 adds resultType and the server's name."""
    return Shape(
        name,
        (
            may("_meta", Meta("MetaObject"), until=R2025_11_25, rule="META-001"),
            should(
                "_meta", Meta(meta), R2026_07_28, absent="META-010", rule="META-001", implied=True
            ),
            must("resultType", TEXT, R2026_07_28, absent="META-012", rule="META-013"),
            *fields,
        ),
        rule,
        open=open,
    )


META: Final = may("_meta", Meta("MetaObject"), R2025_06_18, rule="META-001")
"""The `_meta` of a part of a message, which only requests and results had at first."""

_IMAGE = Case("image", "ImageContent")
_AUDIO = Case("audio", "AudioContent", R2025_03_26)
_TEXT = Case("text", "TextContent")

CONTENT_BLOCK: Final = Choice(
    "type",
    (
        _TEXT,
        _IMAGE,
        _AUDIO,
        Case("resource_link", "ResourceLink", R2025_06_18),
        Case("resource", "EmbeddedResource"),
    ),
    rule="SCHEMA-008",
)
PROMPT_BLOCK: Final = Choice(
    "type",
    (
        _TEXT,
        Case("image", "PromptImageContent"),
        Case("audio", "PromptAudioContent", R2025_03_26),
        Case("resource_link", "ResourceLink", R2025_06_18),
        Case("resource", "PromptEmbeddedResource"),
    ),
    rule="SCHEMA-008",
)
SAMPLING_BLOCK: Final = Choice(
    "type",
    (
        _TEXT,
        _IMAGE,
        _AUDIO,
        Case("tool_use", "ToolUseContent", R2025_11_25),
        Case("tool_result", "ToolResultContent", R2025_11_25),
    ),
    rule="SCHEMA-008",
)


def _type(value: str) -> Field:
    return must("type", Text(values=(value,)))


_ANNOTATIONS = may("annotations", Use("Annotations"))


OF_MEDIA: Final = {"SCHEMA-007": "PROMPT-005", "SCHEMA-013": "PROMPT-005"}
OF_RESOURCES: Final = {
    "SCHEMA-006": "PROMPT-006",
    "SCHEMA-007": "PROMPT-006",
    "SCHEMA-009": "PROMPT-006",
    "SCHEMA-013": "PROMPT-006",
}
"""In a prompt the data of media and of embedded resources have rules of their own; links do not."""


def _contents(name: str, media_type: Field) -> Shape:
    return Shape(
        name,
        (must("uri", URI), media_type, may("text", TEXT), may("blob", BASE64), META),
        exactly_one=("text", "blob"),
        exactly_one_rule="SCHEMA-009",
    )


def _media(name: str, kind: str, remap: dict[str, str] | None = None) -> Shape:
    return Shape(
        name,
        (
            _type(kind),
            must("data", BASE64, remap=remap),
            must("mimeType", Text(f"{kind}-type"), remap=remap),
            _ANNOTATIONS,
            META,
        ),
    )


def _embedded(name: str, contents: str, remap: dict[str, str] | None = None) -> Shape:
    resource = must("resource", Use(contents), remap=remap)
    return Shape(name, (_type("resource"), resource, _ANNOTATIONS, META))


LINKED: Final = (
    must("uri", URI),
    must("name", TEXT),
    may("title", TEXT, R2025_06_18),
    may("description", TEXT),
    may("mimeType", MEDIA_TYPE),
    may("size", INTEGER),
    may("icons", ListOf(Use("Icon")), R2025_11_25),
    _ANNOTATIONS,
    META,
)
"""What a resource and a link to one have in common."""

SHAPES = (
    Shape(
        "Annotations",
        (
            may("audience", ListOf(Text(values=("user", "assistant"))), rule="SCHEMA-011"),
            may("priority", PORTION, rule="SCHEMA-011"),
            may("lastModified", Text("last-modified"), R2025_06_18),
        ),
    ),
    Shape("TextContent", (_type("text"), must("text", TEXT), _ANNOTATIONS, META)),
    _media("ImageContent", "image"),
    _media("AudioContent", "audio"),
    _media("PromptImageContent", "image", OF_MEDIA),
    _media("PromptAudioContent", "audio", OF_MEDIA),
    Shape("ResourceLink", (_type("resource_link"), *LINKED)),
    _embedded("EmbeddedResource", "ResourceContents"),
    _embedded("PromptEmbeddedResource", "PromptResourceContents", OF_RESOURCES),
    _contents("ResourceContents", may("mimeType", MEDIA_TYPE)),
    _contents("PromptResourceContents", must("mimeType", MEDIA_TYPE, absent="PROMPT-006")),
    Shape(
        "ToolUseContent",
        (
            _type("tool_use"),
            must("id", TEXT),
            must("name", TEXT),
            must("input", OBJECT),
            may("_meta", Meta("MetaObject"), R2025_11_25, rule="META-001"),
        ),
    ),
    Shape(
        "ToolResultContent",
        (
            _type("tool_result"),
            must("toolUseId", TEXT),
            must("content", ListOf(CONTENT_BLOCK)),
            may("structuredContent", OBJECT, R2025_11_25, R2025_11_25, rule="CALL-005"),
            may("structuredContent", ANYTHING, R2026_07_28),
            may("isError", BOOLEAN),
            may("_meta", Meta("MetaObject"), R2025_11_25, rule="META-001"),
        ),
    ),
)
