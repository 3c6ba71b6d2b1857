"""What an author returned as a response -> the members that mean something, and all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp_assay.envelope.build import (
    message_of,
    now,
    text_item,
)
from mcp_assay.envelope.values import readable
from mcp_assay.rules.envelope.content import MCP_TYPES, is_mcp_form, is_own_form, type_of
from mcp_assay.spec.formats import is_moment, is_uri
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
)

FORMS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "success": lambda value: isinstance(value, bool),
    "timestamp": lambda value: isinstance(value, str) and is_moment(value),
    "isError": lambda value: isinstance(value, bool),
    "structuredContent": lambda value: isinstance(value, dict),
    "_meta": lambda value: isinstance(value, dict),
    "resultType": lambda value: value == "complete",
}
"""The members of a response that have one form; in any other form they are strays."""


KNOWN: Final = frozenset((*FORMS, "content", "data", "error", "message"))
"""The members that mean something in what a tool returns as its response."""


def is_response(value: Any) -> bool:
    """Whether a JSON value is meant as a response, not as data.

    It says so by its success. Without that it has content as only a result of MCP has it, and no
    member that means nothing.
    """
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("success"), bool):
        return True
    if "success" in value or not value.keys() <= KNOWN:
        return False
    content = value.get("content")
    if content == []:
        return "isError" in value or "structuredContent" in value
    return isinstance(content, list) and all(type_of(item) in MCP_TYPES for item in content)


def items_of(given: dict[str, Any]) -> list[dict[str, Any]]:
    """The content items in MCP's form, none where content is no list."""
    content = given.get("content")
    return [mcp_item(item) for item in content] if isinstance(content, list) else []


def own_members(given: dict[str, Any]) -> dict[str, Any]:
    """The members of the author's own; content is one where it is no list, and so is message."""
    own = {name: value for name, value in given.items() if name not in KNOWN}
    for name in ("message", "content"):
        value = given.get(name)
        if value is not None and not (name == "content" and isinstance(value, list)):
            own[name] = value
    return own


def strays_of(given: dict[str, Any]) -> dict[str, Any]:
    """The members that MCP or the profile knows, but not in the form that they have here."""
    return {
        name: given[name]
        for name, has_form in FORMS.items()
        if given.get(name) is not None and not has_form(given[name])
    }


def meta_of(given: dict[str, Any], strays: dict[str, Any]) -> dict[str, Any]:
    """The `_meta` of a response, in which strays are kept; nothing where it would be empty."""
    meta = given.get("_meta")
    kept = {
        **(meta if isinstance(meta, dict) else {}),
        **({ORIGINAL_KEY: strays} if strays else {}),
    }
    return {"_meta": kept} if kept else {}


def moment_of(given: dict[str, Any]) -> str:
    """When the response was made: as it says, or now."""
    moment = given.get("timestamp")
    return moment if isinstance(moment, str) and is_moment(moment) else now()


def is_words(value: Any) -> bool:
    """Whether this can be said as it is."""
    return isinstance(value, str) and message_of(value) != ""


ORIGINAL_KEY: Final = "io.github.mcp-assay/original"
"""Where, in `_meta`, an item keeps the form that it was given in."""


SINCE: Final = {"audio": R2025_03_26, "resource_link": R2025_06_18}
"""The types of items that not all revisions have, and the first that has them."""


def mcp_item(item: Any) -> dict[str, Any]:
    """The item in MCP's form; what it was before is kept in its `_meta`."""
    if isinstance(item, str):
        return text_item(item)
    if type_of(item) not in MCP_TYPES:
        return _kept(text_item(readable(item)), item)
    if is_mcp_form(item) or not is_own_form(item):
        return dict(item)
    return _kept(_image(item) if item["type"] == "image" else _resource(item), item)


def item_in(revision: str, item: dict[str, Any]) -> dict[str, Any]:
    """An item in MCP's form as a revision has it: what it does not know is reported in words."""
    if revision >= R2025_06_18:
        return item
    plain = {name: value for name, value in item.items() if name != "_meta"}
    if revision >= SINCE.get(plain["type"], revision):
        return plain
    if plain["type"] == "resource_link":
        return text_item(f"{plain.get('name')}: {plain.get('uri')}")
    return text_item(f"A recording of type {plain.get('mimeType')} cannot be shown.")


def _kept(item: dict[str, Any], original: Any) -> dict[str, Any]:
    return {**item, "_meta": {ORIGINAL_KEY: original}}


def _image(item: dict[str, Any]) -> dict[str, Any]:
    return _link(item["url"], item["altText"], item.get("caption"))


def _resource(item: dict[str, Any]) -> dict[str, Any]:
    name = item["name"]
    if _is_address(item["identifier"]):
        return _link(item["identifier"], name, item.get("description"))
    return text_item(f"{name} ({item['resourceType']}): {item['identifier']}")


def _link(uri: str, name: str, description: Any) -> dict[str, Any]:
    if not _is_address(uri):
        return text_item(f"{name}: {uri}")
    link = {"type": "resource_link", "uri": uri, "name": name}
    return {**link, "description": description} if isinstance(description, str) else link


def _is_address(text: str) -> bool:
    """Whether this is a URI; the letter of a drive only looks like the scheme of one."""
    return is_uri(text) and len(text.partition(":")[0]) > 1
