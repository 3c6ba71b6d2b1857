"""Values for the places of a message: clean ones as a careful sender writes, and faulty ones.

Clean values also keep the rules that no schema states: media types fit their block, roots are
files, ids agree, names are not empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tests.oracle.official import is_canonical_base64
from tests.oracle.shapes import JSON_TYPES, Place, Shape, covered_types

UNKNOWN: Final = "com.example/extra"
"""A member that no revision knows; its name is also a correct key of `_meta`."""

MAP_KEYS: Final = {"experimental": "com.example/feature", "extensions": "com.example/feature"}
"""Names of the entries of open maps, by the map's own name; elsewhere `city`."""

ALWAYS: Final = {
    "InputRequiredResult": ("requestState",),
    "GetTaskPayloadResult": ("_meta",),
    "TextResourceContents": ("mimeType",),
    "BlobResourceContents": ("mimeType",),
}
"""Members that a schema leaves optional and a rule asks for: a minimal message has them."""

CLEAN: Final[dict[str, tuple[Any, ...]]] = {
    # By definition and property. Of an enum, the values named here come first.
    "AudioContent.mimeType": ("audio/wav",),
    "ImageContent.mimeType": ("image/png",),
    "Icon.mimeType": ("image/png", "image/svg+xml"),
    "Icon.sizes.[]": ("48x48", "any"),
    "InputRequiredResult.resultType": ("input_required",),
    "Root.uri": ("file:///home/ada/project", "file:///srv/data"),
    "Error.code": (-32603, -32602),
    "JSONRPCError.error.code": (-32603, -32602),
    "GetTaskPayloadResult._meta": ({"io.modelcontextprotocol/related-task": {"taskId": "task-1"}},),
    "SamplingMessage.role": ("user",),
    "ElicitResult.content.{}": ("Vienna", 21, 21.5, True, ["red", "blue"]),
    # By property alone.
    "$schema": ("https://json-schema.org/draft/2020-12/schema",),
    "arguments": ({}, {"city": "Vienna", "days": 3, "detail": None}),
    "blob": ("aGVsbG8=", "", "aGVsbG8gd29ybGQ="),
    "const": ("red", "blue"),
    "createdAt": ("2026-01-15T09:30:00Z",),
    "cursor": ("cGFnZS0y",),
    "data": ("iVBORw0KGgo=", "AAAA", "", {"file": "notes.txt"}, None, 1.5),
    "default": ("red", 3, 2.5, True, False),
    "description": ("Looks up the weather of a city.",),
    "elicitationId": ("elicitation-1",),
    "enumNames.[]": ("Red", "Blue"),
    "id": ("call-1", 1),
    "includeContext": ("none",),
    "io.modelcontextprotocol/protocolVersion": ("2026-07-28",),
    "io.modelcontextprotocol/subscriptionId": ("call-1", 1),
    "lastModified": ("2026-01-15T09:30:00Z",),
    "lastUpdatedAt": ("2026-01-15T09:31:00Z",),
    "maximum": (100, 99.5),
    "maxItems": (3,),
    "maxLength": (80,),
    "maxTokens": (500,),
    "message": ("The city is not known.",),
    "mimeType": ("text/plain", "application/json"),
    "minimum": (0, -0.5),
    "minItems": (1,),
    "minLength": (1,),
    "model": ("model-1",),
    "name": ("weather", "forecast-daily"),
    "nextCursor": ("cGFnZS0y",),
    "pollInterval": (1000,),
    "progress": (0.5, 0),
    "progressToken": ("token-1", 7),
    "properties.{}": ({"type": "string"}, {}, True, False),
    "protocolVersion": ("2025-11-25", "2024-11-05"),
    "reason": ("The user went on.",),
    "requestId": ("call-1", 1),
    "requested": ("2099-01-01",),
    "requestState": ("eyJzdGVwIjoxfQ",),
    "resourceSubscriptions.[]": ("https://example.com/notes/1",),
    "resultType": ("complete",),
    "size": (2048, 0),
    "src": ("https://example.com/icon.png",),
    "status": ("working",),
    "stopReason": ("endTurn", "maxTokens"),
    "supported.[]": ("2026-07-28", "2025-11-25"),
    "supportedVersions.[]": ("2026-07-28", "2025-11-25"),
    "taskId": ("task-1",),
    "temperature": (0.2, 1),
    "text": ("It is sunny.", ""),
    "title": ("Weather",),
    "toolUseId": ("call-1",),
    "total": (2, 100),
    "ttl": (60000, None),
    "url": ("https://example.com/consent",),
    "version": ("1.0.2",),
    "websiteUrl": ("https://example.com",),
}

BY_FORMAT: Final = {
    "uri": ("https://example.com/notes/1", "urn:isbn:0451450523"),
    "uri-template": ("https://example.com/notes/{id}", "https://example.com/notes/1"),
    "byte": ("aGVsbG8=",),
    "traceparent": ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",),
    "tracestate": ("vendor=value", "one=1,two=2"),
    "baggage": ("city=Vienna", "city=Vienna,day=2;weekday"),
}

BY_TYPE: Final[dict[str, tuple[Any, ...]]] = {
    "null": (None,),
    "boolean": (True, False),
    "integer": (1, 20),
    "number": (1, 2.5),
    "string": ("red", "Zürich"),
}

ANYTHING: Final = ("sunny", 21.5, None, True, [1, "two", None], {"wind": {"speed": 3}}, 0)
"""Values for a place that takes them all."""

OPEN_OBJECTS: Final = ({}, *({"com.example/note": value} for value in ANYTHING))
"""Values for an object whose members are free; the name suits a capability and `_meta` too."""

WRONG: Final[dict[str, tuple[Any, ...]]] = {
    "null": (None,),
    "boolean": (True,),
    "integer": (7,),
    "number": (1.5,),
    "string": ("7",),
    "array": ([], [{}]),
    "object": ({}, {"red": 1}),
}
"""Values of each JSON type, to be put where that type is not allowed."""

NO_URI: Final = ("no uri at all", "/relative/path", "")
NO_TIME: Final = ("yesterday", "2026-13-45T09:30:00Z")

BROKEN_FORMATS: Final = {
    "uri": NO_URI,
    "uri-template": ("https://example.com/{id", "https://example.com/}id{"),
    "byte": ("not base64!", "aGVsbG8", "aGVsbG9=", "aGVs bG8=", "_-8="),
    "audio-type": ("image/png", "audio"),
    "baggage": ("city", "city=Vienna,,"),
    "file-uri": (*NO_URI, "https://example.com/project"),
    "filled": ("", " \t"),
    "image-type": ("audio/wav", "image"),
    "last-modified": NO_TIME,
    "media-type": ("plain text", "text/"),
    "revision": ("1999-12-31", "latest"),
    "timestamp": NO_TIME,
    "traceparent": ("00-0af7651916cd43dd8448eb211c80319c", f"00-{'0' * 32}-{'0' * 16}-01"),
    "tracestate": ("vendor", "VENDOR=value"),
    "web-address": (*NO_URI, "http://example.com/consent"),
}
"""Texts that break a format; for base64 also a padding left out and trailing bits not zero."""

BROKEN_NAMES: Final = {
    "meta-key": ("-example/name", "com.example/-name", "two words"),
    "extension-key": ("feature", "com.example."),
}
"""Names of members that break a format."""

UNWELCOME: Final[dict[str, Any]] = {
    "error": {"code": -32603, "message": "The city is not known."},
    "id": 1,
    "method": "notifications/tools/list_changed",
    "result": {},
}
"""Good values for members that do not belong where they are; elsewhere an empty text."""


def clean(place: Place, shape: Shape) -> tuple[Any, ...]:
    """Clean values for a leaf: no array, and no object that has named members or typed values."""
    bounds = shape.bounds
    if "const" in bounds:
        return (bounds["const"],)
    if "enum" in bounds:
        first = [v for name in _names(place) for v in CLEAN.get(name, ()) if v in bounds["enum"]]
        return tuple(dict.fromkeys((*first, *bounds["enum"])))
    return next(fitting for fitting in _candidates(place, shape) if fitting)


def _candidates(place: Place, shape: Shape) -> Iterator[tuple[Any, ...]]:
    for name in _names(place):
        yield tuple(value for value in CLEAN.get(name, ()) if _fits(value, shape))
    yield ANYTHING if shape.type is None else ()
    yield OPEN_OBJECTS if shape.type == "object" else ()
    yield _within(shape.bounds)
    yield BY_FORMAT.get(shape.bounds.get("format", ""), ())
    yield BY_TYPE.get(shape.type or "", ())


def _names(place: Place) -> Iterator[str]:
    """The names a place can have in CLEAN, the most exact first."""
    yield from (f"{owner}.{key}" for owner, key in place.slots)
    yield from (f"{owner.rpartition('.')[2]}.{key}" for owner, key in place.slots)
    yield place.key


def _within(bounds: dict[str, Any]) -> tuple[float, ...]:
    low, high = bounds.get("minimum"), bounds.get("maximum")
    if low is None:
        return ()
    return (low, low + 60000) if high is None else (low, high, (low + high) / 2)


def _fits(value: Any, shape: Shape) -> bool:
    if shape.bounds.get("format") == "byte":
        return isinstance(value, str) and is_canonical_base64(value)
    return json_type(value) in covered_types(shape.type)


def json_type(value: Any) -> str:
    """The JSON type of a value, integers apart from other numbers."""
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    return "null" if value is None else names.get(type(value), "object")


def wrong_values(types: frozenset[str]) -> Iterator[Any]:
    """Values of every JSON type that is not among `types`."""
    for name in JSON_TYPES:
        if name not in types:
            yield from WRONG[name]


def violations(shape: Shape) -> Iterator[Any]:
    """Values of the right type that break a bound of `shape`, one bound each."""
    bounds = shape.bounds
    if "const" in bounds:
        yield from _other_than((bounds["const"],))
    elif "enum" in bounds:
        yield from _other_than(tuple(bounds["enum"]))
    yield from BROKEN_FORMATS.get(bounds.get("format", ""), ())
    if "minimum" in bounds:
        yield bounds["minimum"] - 1
    if "maximum" in bounds:
        yield from (bounds["maximum"] + 1, bounds["maximum"] + 0.01)


def unwelcome(shape: Shape) -> Iterator[tuple[str, Any]]:
    """Members that an object of `shape` must not have."""
    names = shape.bounds.get("propertyNames", {})
    yield from ((name, {}) for name in BROKEN_NAMES.get(names.get("format", ""), ()))
    yield from ((name, UNWELCOME.get(name, "")) for name in names.get("not", {}).get("enum", ()))


def _other_than(allowed: tuple[Any, ...]) -> tuple[Any, ...]:
    if isinstance(allowed[0], str):
        near = (allowed[0].upper(), f"{allowed[0]} ", "")
        return tuple(value for value in (*near, "unheard-of") if value not in allowed)
    return (allowed[0] + 1, -allowed[0])


def renamed(name: str) -> Iterator[str]:
    """Near misses of a member's name: another case, and words joined by underscores."""
    prefix, slash, last = name.rpartition("/")
    flipped = last[:1].swapcase() + last[1:] if last[:1].isalpha() else last.swapcase()
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", last).lower()
    for near in dict.fromkeys((flipped, snake)):
        if near != last:
            yield f"{prefix}{slash}{near}"
