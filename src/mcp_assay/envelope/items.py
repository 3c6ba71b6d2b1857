"""Content items in any form -> in the form that MCP gives them."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.envelope.build import text_item
from mcp_assay.envelope.values import readable
from mcp_assay.rules.envelope.content import MCP_TYPES, is_mcp_form, is_own_form, type_of
from mcp_assay.spec.formats import is_uri
from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18

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
    """An item in MCP's form as a revision has it: what it does not know is told in words."""
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
