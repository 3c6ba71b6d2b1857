"""How the keys of `_meta` may look, revision by revision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25
from mcp_assay.spec.shapes import SHAPES

SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
"""The key under which a message says which subscription it belongs to."""
RESERVED_LABELS: Final = ("mcp", "modelcontextprotocol")
"""Labels that reserve a prefix for MCP."""

# fmt: off
TOP_LEVEL_DOMAINS: Final = frozenset((
    "ai", "app", "au", "biz", "br", "ca", "cc", "ch", "cloud", "cn", "co", "com", "de", "dev",
    "edu", "es", "eu", "fi", "fr", "gov", "in", "info", "int", "io", "is", "it", "jp", "kr", "me",
    "mil", "net", "nl", "no", "nz", "org", "pl", "pt", "ru", "se", "sh", "site", "software",
    "tech", "to", "tools", "tv", "uk", "us", "xyz", "za",
))
# fmt: on
"""First labels by which a reverse-DNS prefix is recognised."""

_LABEL: Final = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_NAME: Final = "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?"
_PREFIX: Final = rf"{_LABEL}(?:\.{_LABEL})*"


def key_faults(key: str, revision: str, defined: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The rules that a `_meta` key breaks, each with the rest of a sentence about the key."""
    if revision < R2025_06_18 or key in defined:
        return
    prefix, slash, name = key.rpartition("/") if key.count("/") == 1 else key.partition("/")
    if not slash:
        prefix, name = "", key
    if slash and not re.fullmatch(_PREFIX, prefix):
        yield "META-002", "has a prefix that is no dotted series of labels"
    elif slash:
        yield from _prefix_faults(prefix.split("."), revision)
    if not re.fullmatch(_NAME, name):
        yield "META-003", "has a name with characters that are not allowed there"


def _prefix_faults(labels: list[str], revision: str) -> Iterator[tuple[str, str]]:
    if is_reserved(labels, revision):
        yield "META-005", "lies under a prefix that is reserved for MCP, which does not define it"
    elif revision >= R2025_11_25 and labels[0].lower() not in TOP_LEVEL_DOMAINS:
        yield "META-004", "has a prefix that is not in reverse-DNS form, such as com.example/"


def is_reserved(labels: list[str], revision: str) -> bool:
    """Whether a prefix of these labels belongs to MCP itself in `revision`."""
    place = 1 if revision >= R2025_11_25 else -2
    return len(labels) > 1 and labels[place] in RESERVED_LABELS


def is_prefixed_key(key: str) -> bool:
    """Whether the key has a well-formed prefix and name, as the name of an extension must."""
    prefix, slash, name = key.partition("/")
    return bool(slash and re.fullmatch(_PREFIX, prefix) and re.fullmatch(_NAME, name))


def strict_keys(revision: str, defined: frozenset[str]) -> dict[str, Any]:
    """A JSON Schema for the names of `_meta` members about which there is nothing to say.

    MCP's own prefix, unknown to the first revisions, may mean that a message is of a later one.
    """
    if revision < R2025_06_18:
        return {"not": {"pattern": r"^io\.modelcontextprotocol/"}}
    domains = "|".join(sorted(TOP_LEVEL_DOMAINS))
    first = (
        rf"(?:{domains})\.{_LABEL}(?:\.{_LABEL})*/"
        if revision >= R2025_11_25
        else (rf"{_LABEL}(?:\.{_LABEL})*/")
    )
    reserved = "|".join(RESERVED_LABELS)
    free = {
        "pattern": f"^(?:{first})?{_NAME}$",
        "not": {"pattern": rf"(?:^|\.)(?:{reserved})[./]"},
    }
    return {"anyOf": [{"enum": sorted(defined)}, free]}


def strict_extension_keys() -> dict[str, Any]:
    """A JSON Schema for the names of extensions."""
    return {"pattern": rf"^{_LABEL}(?:\.{_LABEL})*/{_NAME}$"}


@cache
def defined_keys(revision: str) -> frozenset[str]:
    """The keys with a prefix that the revision itself defines somewhere in a `_meta`."""
    shapes = (shape for shape in SHAPES.values() if shape.name.endswith("MetaObject"))
    return frozenset(
        field.name for shape in shapes for field in shape.fields_in(revision) if "/" in field.name
    )
