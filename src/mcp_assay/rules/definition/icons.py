"""Icons of tools, resources, templates and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.rules.definition.rule import (
    DefinitionPart,
    bad_resources,
    bad_tools,
    definition_rule,
    good_resources,
    good_tools,
    resource,
    tool,
)
from mcp_assay.rules.definition.tools import said
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.words import listing, quote

SAFE_SCHEMES: Final = ("https:", "data:")
UNSAFE_SCHEME: Final = "http:"
SIZE: Final = "[1-9][0-9]{0,4}x[1-9][0-9]{0,4}|any"
THEMES: Final = ("light", "dark")
SUN: Final = "https://example.com/sun.png"
INVALID: Final = "invalid_icon"


def _with(**members: Any) -> dict[str, Any]:
    return tool(icons=[{"src": SUN, **members}])


TIDE: Final = {"name": "get_tide", "description": "Tells when the tide is high"}


@definition_rule(
    "TOOL-027",
    "icon-source-unsafe",
    on="icon",
    reason=INVALID,
    good=lambda: [
        good_tools(_with(), _with(src="data:image/png;base64,iVBORw0KGgo=") | TIDE),
        good_resources(resource(icons=[{"src": SUN}])),
    ],
    bad=lambda: [
        bad_tools("/0/icons/0/src", _with(src="http://example.com/sun.png")),
        bad_tools("/0/icons/0/src", _with(src="javascript:alert(1)")),
        bad_tools("/0/icons/0/src", _with(src="icons/sun.png")),
        bad_resources("/0/icons/0/src", resource(icons=[{"src": "file:///sun.png"}])),
    ],
)
def icon_source_unsafe(part: DefinitionPart) -> Iterator[Found]:
    """An icon's src is neither an https nor a data URI.

    Why: clients must reject such icons: they can run code, read files or be changed in transit.
    Instead: serve the icon over https, or send it as data:image/png;base64,…
    """
    source = part.value.get("src")
    if isinstance(source, str) and not source.lower().startswith(SAFE_SCHEMES):
        grade = "http" if source.lower().startswith(UNSAFE_SCHEME) else None
        text = f"An icon of the {part.owner} has the src {quote(source)}, not https or data."
        yield Found(("src",), text, grade=grade)


@definition_rule(
    "TOOL-028",
    "icon-size-or-theme",
    on="icon",
    reason=INVALID,
    good=lambda: [good_tools(_with(sizes=["48x48", "any"], theme="dark"))],
    bad=lambda: [
        bad_tools("/0/icons/0/sizes/1", _with(sizes=["48x48", "large"])),
        bad_tools("/0/icons/0/theme", _with(theme="blue")),
    ],
)
def icon_size_or_theme(part: DefinitionPart) -> Iterator[Found]:
    """An icon has a size that is not of the form 48x48, or an unknown theme.

    Why: clients choose icons by size and theme, and skip values that they do not know.
    Instead: use 48x48 or any as the size, and light or dark as the theme.
    """
    sizes = part.value.get("sizes")
    for index, size in enumerate(sizes if isinstance(sizes, list) else ()):
        if isinstance(size, str) and not re.fullmatch(SIZE, size):
            text = f'An icon of the {part.owner} has the size {quote(size)}, not 48x48 or "any".'
            yield Found(("sizes", index), text, fix='Write it like 48x48, or "any".')
    theme = part.value.get("theme", THEMES[0])
    if theme not in THEMES:
        shown = quote(theme) if isinstance(theme, str) else said(theme)
        text = f"An icon of the {part.owner} has the theme {shown}, not {listing(THEMES)}."
        yield Found(("theme",), text, fix=f"Use {listing(THEMES)}, or omit theme.")
