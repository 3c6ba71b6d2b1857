"""Content: that there is some, and the form of each of its items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.samples import bad, good
from mcp_assay.rules.envelope.rule import (
    IMAGE,
    MCP_IMAGE,
    MCP_RESOURCE,
    RESOURCE,
    profile_rule,
    success,
    text,
    without,
)
from mcp_assay.text.words import PHRASES, json_type, listing, quote

MCP_TYPES: Final = frozenset({"text", "image", "audio", "resource_link", "resource"})
"""The types of content items that MCP defines."""

OWN_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "image": ("url", "altText"),
    "resource": ("resourceType", "identifier", "name"),
}
"""The members, all strings, that items of the profile's own form have."""
MCP_IMAGE_MEMBERS: Final = ("data", "mimeType")

NO_CONTENT: Final = "missing_content"
EMPTY_CONTENT: Final = "empty_content"
NO_TYPE: Final = "missing_type"


@profile_rule(
    "ENV-101",
    "content-missing",
    on="any value",
    breaks="both",
    reason=NO_CONTENT,
    good=lambda: [good(success())],
    bad=lambda: [
        bad(without(success(), "content"), "/content"),
        bad({**success(), "content": "3 notes found"}, "/content"),
        bad(None, ""),
        bad("3 notes found", ""),
    ],
)
def content_missing(response: Any) -> Iterator[Found]:
    """A response has no content array.

    Why: clients show only content; most reject a response without it.
    Instead: put at least one text item into content, even if data says it all.
    """
    if not isinstance(response, dict):
        yield Found((), f"The response is {said(response)}, not an object with content")
    elif "content" not in response:
        yield Found(("content",), "The response has no content")
    elif not isinstance(response["content"], list):
        yield Found(("content",), f"content is {said(response['content'])}, not an array")


@profile_rule(
    "ENV-102",
    "content-empty",
    on="response",
    breaks="profile",
    reason=EMPTY_CONTENT,
    good=lambda: [good(success(text("Nothing to do")))],
    bad=lambda: [bad({**success(), "content": []}, "/content")],
)
def content_empty(response: dict[str, Any]) -> Iterator[Found]:
    """The content array is empty.

    Why: neither a person nor a model learns what happened; MCP allows this, the profile does not.
    Instead: say in one text item what was done, or that nothing was found.
    """
    if response.get("content") == []:
        yield Found(("content",), "content is empty")


@profile_rule(
    "ENV-103",
    "item-type-missing",
    on="item",
    breaks="both",
    reason=NO_TYPE,
    good=lambda: [good(success(text("Saved"), MCP_IMAGE))],
    bad=lambda: [
        bad(success(text("Saved"), {"text": "as note 7"}), "/content/1/type"),
        bad(success({"type": 1, "text": "Saved"}), "/content/0/type"),
        bad(success("Saved"), "/content/0"),
    ],
)
def item_type_missing(item: Any) -> Iterator[Found]:
    """A content item has no type.

    Why: without a type, clients do not know how to show the item.
    Instead: write {"type": "text", "text": "..."}.
    """
    if not isinstance(item, dict):
        yield Found((), f"A content item is {said(item)}, not an object")
    elif not item.get("type"):
        yield Found(("type",), "A content item has no type")
    elif not isinstance(item["type"], str):
        words = f"The type of a content item is {said(item['type'])}, not a string"
        yield Found(("type",), words, reason="invalid_type")


@profile_rule(
    "ENV-104",
    "text-missing",
    on="text",
    breaks="both",
    reason="invalid_text",
    good=lambda: [good(success(text("")))],
    bad=lambda: [
        bad(success({"type": "text"}), "/content/0/text"),
        bad(success({"type": "text", "text": 3}), "/content/0/text"),
    ],
)
def text_missing(item: dict[str, Any]) -> Iterator[Found]:
    """A text item has no text.

    Why: there is nothing to show, and strict clients reject the whole response.
    Instead: put the words into `text`, as a string.
    """
    if not isinstance(item.get("text"), str):
        yield Found(("text",), f"The text of a text item is {_given(item, 'text')}")


@profile_rule(
    "ENV-105",
    "image-incomplete",
    on="image",
    breaks="both",
    reason="invalid_image",
    good=lambda: [good(success(MCP_IMAGE))],
    bad=lambda: [
        bad(success(without(IMAGE, "altText")), "/content/0/altText"),
        bad(success({**IMAGE, "url": None}), "/content/0/url"),
        bad(success(without(MCP_IMAGE, "mimeType")), "/content/0/mimeType"),
    ],
)
def image_incomplete(item: dict[str, Any]) -> Iterator[Found]:
    """An image item is incomplete.

    Why: without data or a url there is no image, and without altText it is not accessible.
    Instead: give data (base64) and mimeType, as MCP does, or url and altText.
    """
    if not is_mcp_form(item) and not is_own_form(item):
        is_meant_for_mcp = any(name in item for name in MCP_IMAGE_MEMBERS)
        yield from _incomplete(item, MCP_IMAGE_MEMBERS if is_meant_for_mcp else OWN_FORMS["image"])


@profile_rule(
    "ENV-106",
    "resource-incomplete",
    on="resource",
    breaks="both",
    reason="invalid_resource",
    good=lambda: [good(success(MCP_RESOURCE))],
    bad=lambda: [
        bad(success(without(RESOURCE, "name")), "/content/0/name"),
        bad(success({**RESOURCE, "identifier": 7}), "/content/0/identifier"),
        bad(success({"type": "resource", "resource": {"text": "tea"}}), "/content/0/resource/uri"),
        bad(success({"type": "resource", "resource": {"uri": "note://7"}}), "/content/0/resource"),
    ],
)
def resource_incomplete(item: dict[str, Any]) -> Iterator[Found]:
    """A resource item does not identify its resource.

    Why: a resource without an identifier and a name can be neither opened nor shown.
    Instead: embed the resource as MCP does, with uri and text or blob, or give resourceType,
    identifier and name.
    """
    if is_mcp_form(item) or is_own_form(item):
        return
    if "resource" not in item:
        yield from _incomplete(item, OWN_FORMS["resource"])
    elif not isinstance(resource := item["resource"], dict):
        yield Found(("resource",), f"The resource of a resource item is {said(resource)}")
    elif not isinstance(resource.get("uri"), str):
        yield Found(("resource", "uri"), f"The uri of a resource is {_given(resource, 'uri')}")
    else:
        yield Found(("resource",), "A resource has neither text nor a blob")


@profile_rule(
    "ENV-112",
    "item-type-unknown",
    on="item",
    breaks="mcp",
    reason="unknown_type",
    good=lambda: [good(success({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}))],
    bad=lambda: [bad(success({"type": "table", "rows": []}), "/content/0/type")],
)
def item_type_unknown(item: Any) -> Iterator[Found]:
    """A content item has a type that MCP does not define.

    Why: the profile allows other types, but MCP clients know only five and usually reject a
    response with another.
    Instead: use text, image, audio, resource_link or resource, and put the rest into data.
    """
    kind = type_of(item)
    if kind and kind not in MCP_TYPES:
        yield Found(("type",), f"The type {quote(kind)} is not defined by MCP")


@profile_rule(
    "ENV-113",
    "item-not-in-mcp-form",
    on="item",
    breaks="mcp",
    reason="not_mcp_form",
    good=lambda: [good(success(MCP_IMAGE, MCP_RESOURCE))],
    bad=lambda: [bad(success(IMAGE), "/content/0"), bad(success(RESOURCE), "/content/0")],
)
def item_not_in_mcp_form(item: Any) -> Iterator[Found]:
    """An image or resource item has a form that only this profile defines.

    Why: MCP images have data and MCP resources have contents; clients reject a response with url
    and altText, or with resourceType and identifier.
    Instead: use `to_call_tool_result` or the wrappers to turn it into a resource_link.
    """
    if is_own_form(item) and not is_mcp_form(item):
        own = listing(OWN_FORMS[item["type"]], "and")
        yield Found((), f"An item of type {item['type']} has {own}, which MCP does not define")


def type_of(item: Any) -> str | None:
    """The type of a content item, None where it has none that is a string."""
    kind = item.get("type") if isinstance(item, dict) else None
    return kind if isinstance(kind, str) else None


def is_mcp_form(item: Any) -> bool:
    """Whether an item is an image or resource with the members that MCP gives it."""
    kind = type_of(item)
    if kind == "image":
        return _has_strings(item, MCP_IMAGE_MEMBERS)
    resource = item.get("resource") if kind == "resource" else None
    if not isinstance(resource, dict) or not isinstance(resource.get("uri"), str):
        return False
    return isinstance(resource.get("text"), str) or isinstance(resource.get("blob"), str)


def is_own_form(item: Any) -> bool:
    """Whether an item is an image or resource with the members that the profile gives it."""
    kind = type_of(item)
    return kind is not None and kind in OWN_FORMS and _has_strings(item, OWN_FORMS[kind])


def said(value: Any) -> str:
    """What kind of value it is, for a sentence."""
    return PHRASES.get(json_type(value), "not a JSON value")


def _has_strings(item: Mapping[str, Any], names: Iterable[str]) -> bool:
    return all(isinstance(item.get(name), str) for name in names)


def _incomplete(item: Mapping[str, Any], names: Iterable[str]) -> Iterator[Found]:
    for name in names:
        if not isinstance(item.get(name), str):
            words = f"The {name} of the {item['type']} item is {_given(item, name)}"
            yield Found((name,), words)


def _given(item: Mapping[str, Any], name: str) -> str:
    return f"{said(item[name])}, not a string" if name in item else "missing"
