"""Resources, resource templates and prompts, as they are listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.rules.definition.rule import (
    DefinitionPart,
    bad_resources,
    definition_rule,
    good_resources,
    resource,
)
from mcp_assay.rules.definition.surface import Surface, name_of
from mcp_assay.rules.definition.tools import repeated, said
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.rules.engine.samples import bad, good
from mcp_assay.spec.formats import FORMATS, is_uri
from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18
from mcp_assay.text.words import quote

SCHEME: Final = "[A-Za-z][A-Za-z0-9+.-]*"
BEFORE_COLON: Final = r"(?P<scheme>[^:/?#{}\s]*)://"
RES_004_SINCE: Final = R2025_06_18
INVALID: Final = "invalid_definition"
NOT_MEASURED: Final = "no listed size was compared with what reading the resource gives"
"""Definitions can break the rule about sizes, but not show that it is kept."""


def _templates(*addresses: Any) -> dict[str, Any]:
    return {
        "resourceTemplates": [{"uriTemplate": address, "name": "note"} for address in addresses]
    }


def _prompt(name: str, *arguments: str) -> dict[str, Any]:
    return {"name": name, "arguments": [{"name": argument} for argument in arguments]}


def _bad_prompts(pointer: str, *prompts: Any) -> Example:
    return bad({"prompts": list(prompts)}, f"/prompts{pointer}")


@definition_rule(
    "RES-001",
    "resource-without-name-or-uri",
    on="resource",
    reason=INVALID,
    good=lambda: [
        good_resources(resource("file:///notes/7.md")),
        good_resources(resource("urn:note:7")),
    ],
    bad=lambda: [
        bad_resources("/0/uri", resource(None)),
        bad_resources("/0/uri", resource("notes/7.md")),
        bad_resources("/0/uri", resource("file:///my notes")),
        bad_resources("/0/uri", resource("my_notes://7"), revision=R2025_03_26),
        bad_resources("/0/name", resource(name=None)),
    ],
)
def resource_without_name_or_uri(part: DefinitionPart) -> Iterator[Found]:
    """A resource has no name, no uri, or a uri that is not absolute.

    Why: clients read resources by their URIs; many parse them first and drop the whole list.
    Instead: use a scheme and percent-encode special characters, as in file:///my%20notes.
    """
    if "uri" not in part.value:
        yield Found(("uri",), f"The {part.owner} has no uri.", fix="Give it an absolute URI.")
    elif _is_relative(part.value["uri"], part.revision):
        uri = part.value["uri"]
        shown = quote(uri) if isinstance(uri, str) else said(uri)
        yield Found(("uri",), f"The uri of the {part.owner} is {shown}, not an absolute URI.")
    if name_of(part.value) is None:
        yield Found(("name",), f"The {part.owner} has no name.", fix="Give it a name.")


@definition_rule(
    "RES-002",
    "resource-uri-twice",
    on="surface",
    reason=INVALID,
    good=lambda: [good_resources(resource("notes://7"), resource("notes://8"))],
    bad=lambda: [bad_resources("/1/uri", resource("notes://7"), resource("notes://7"))],
)
def resource_uri_twice(part: DefinitionPart) -> Iterator[Found]:
    """Two resources have the same uri.

    Why: reading returns only one of them, and which one is undefined.
    Instead: list each resource once, across all pages.
    """
    surface: Surface = part.value
    addressed = (
        (index, value["uri"])
        for index, value in enumerate(surface.resources)
        if isinstance(value, dict) and isinstance(value.get("uri"), str)
    )
    fix = "List {} once, across all pages."
    yield from repeated(addressed, "resources", "uri", "resources have the uri", fix)


@definition_rule(
    "RES-003",
    "uri-template-invalid",
    on="resourceTemplate",
    reason=INVALID,
    good=lambda: [good(_templates("notes://{id}", "notes://{folder}/{id}{?page,size}"))],
    bad=lambda: [
        bad(_templates("notes://{id"), "/resourceTemplates/0/uriTemplate"),
        bad(_templates("notes://{note id}"), "/resourceTemplates/0/uriTemplate"),
        bad({"resourceTemplates": [{"name": "note"}]}, "/resourceTemplates/0/uriTemplate"),
    ],
)
def uri_template_invalid(part: DefinitionPart) -> Iterator[Found]:
    """A resource template's uriTemplate is not a valid URI template.

    Why: clients cannot fill it in, so the resources behind it cannot be read.
    Instead: write variables in braces, as in notes://{folder}/{id}.
    """
    template = part.value.get("uriTemplate")
    accepts = FORMATS["uri-template"].checks[0].accepts
    if "uriTemplate" not in part.value:
        fix = "Give it a uriTemplate, or list it as a resource with a uri."
        yield Found(("uriTemplate",), f"The {part.owner} has no uriTemplate.", fix=fix)
    elif not isinstance(template, str) or not accepts(template):
        shown = quote(template) if isinstance(template, str) else said(template)
        text = f"The uriTemplate of the {part.owner} is {shown}, not a URI template."
        yield Found(("uriTemplate",), text)


@definition_rule(
    "RES-004",
    "uri-scheme-invalid",
    on="any resource",
    reason=INVALID,
    good=lambda: [good_resources(resource("my-notes://7")), good(_templates("my.notes://{id}"))],
    bad=lambda: [
        bad_resources("/0/uri", resource("my_notes://7")),
        bad_resources("/0/uri", resource("7notes://7")),
        bad(_templates("my_notes://{id}"), "/resourceTemplates/0/uriTemplate"),
    ],
)
def uri_scheme_invalid(part: DefinitionPart) -> Iterator[Found]:
    """A URI scheme contains an invalid character, such as an underscore.

    Why: parsers treat the URI as a relative path, or reject it.
    Instead: start with a letter, then use only letters, digits, +, - and .
    """
    for member in ("uri", "uriTemplate"):
        uri = part.value.get(member) if isinstance(part.value, dict) else None
        scheme = _wrong_scheme(uri)
        if scheme is not None:
            text = f"The {member} of the {part.owner} has the scheme {quote(scheme)}."
            yield Found((member,), text, fix=_renamed_scheme(scheme))


@definition_rule(
    "RES-005",
    "resource-size-invalid",
    on="resource",
    reason=INVALID,
    good=lambda: [good_resources(resource(size=0))],
    bad=lambda: [
        bad_resources("/0/size", resource(size=-1)),
        bad_resources("/0/size", resource(size="2 kB")),
        bad_resources("/0/size", resource(size=1.5)),
    ],
)
def resource_size_invalid(part: DefinitionPart) -> Iterator[Found]:
    """A resource's size is not a whole number of bytes.

    Why: clients show it and use it to decide whether to read the resource.
    Instead: send the number of bytes, or leave size out.
    """
    size = part.value.get("size", 0)
    part.desk.leave_open("RES-005", NOT_MEASURED)
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        what = "negative" if isinstance(size, int) and size < 0 else f"{said(size)}, not an integer"
        yield Found(("size",), f"The size of the {part.owner} is {what}.")


@definition_rule(
    "PROMPT-001",
    "prompt-name-twice",
    on="surface",
    reason=INVALID,
    good=lambda: [good({"prompts": [_prompt("sum", "text", "tone"), _prompt("title", "text")]})],
    bad=lambda: [
        _bad_prompts("/1/name", _prompt("sum", "text"), _prompt("sum")),
        _bad_prompts("/0/arguments/1/name", _prompt("sum", "text", "text")),
    ],
)
def prompt_name_twice(part: DefinitionPart) -> Iterator[Found]:
    """Two prompts, or two arguments of a prompt, have the same name.

    Why: prompts and arguments are identified by name, so one hides the other.
    Instead: give each a name of its own.
    """
    surface: Surface = part.value
    fix = "Rename all but one of the prompts called {}."
    yield from repeated(_named(surface.prompts), "prompts", "name", "prompts are called", fix)
    for index, prompt in enumerate(surface.prompts):
        arguments = prompt.get("arguments") if isinstance(prompt, dict) else None
        words = f"arguments of the prompt {quote(name_of(prompt) or '')} are called"
        fix = "Rename all but one of the arguments called {}."
        for found in repeated(_named(arguments), "arguments", "name", words, fix):
            yield Found(("prompts", index, *found.path), found.text, fix=found.fix)


def _named(values: Any) -> Iterator[tuple[int, str]]:
    for index, value in enumerate(values if isinstance(values, list | tuple) else ()):
        if name := name_of(value):
            yield index, name


def _renamed_scheme(scheme: str) -> str | None:
    """How to write a scheme, None where nothing of it can stay."""
    valid = re.sub(r"[^A-Za-z0-9+.-]+", "-", scheme).strip("-").lstrip("0123456789+.-")
    return f"Write {quote(valid)} instead of {quote(scheme)}." if valid else None


def _is_relative(uri: Any, revision: str) -> bool:
    """Whether it is no absolute URI, and no other rule says so."""
    if not isinstance(uri, str):
        return True
    is_reported = revision >= RES_004_SINCE and _wrong_scheme(uri) is not None
    return not is_uri(uri) and not is_reported


def _wrong_scheme(uri: Any) -> str | None:
    found = re.match(BEFORE_COLON, uri) if isinstance(uri, str) else None
    return None if found is None or re.fullmatch(SCHEME, found["scheme"]) else found["scheme"]
