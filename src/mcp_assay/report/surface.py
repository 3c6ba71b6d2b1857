"""What a server lists, in numbers: how many definitions, how large, and which are largest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_assay.report.lines import Line, counted, indented, said
from mcp_assay.report.plain import shorten

KINDS = {"resources": "resource", "templates": "resource template", "prompts": "prompt"}
LARGEST_SHOWN = 3
LONGEST_NAME = 40


def listed(surface: Mapping[str, Any]) -> str:
    """How many definitions there are of each kind; tools are named also where there are none."""
    tools = [counted(len(surface["tools"]), "tool")]
    others = [counted(surface[key], noun) for key, noun in KINDS.items() if surface.get(key)]
    return ", ".join((tools if surface["tools"] or not others else []) + others)


def size(surface: Mapping[str, Any], *, verbose: bool = False) -> Iterator[Line]:
    """How large the surface is, and which tools take most of it; `verbose` tells of all."""
    total = f"{surface['bytes']:,} bytes, about {surface['tokens_estimated']:,} tokens"
    largest = sorted(surface["tools"], key=lambda tool: -tool["bytes"])[:LARGEST_SHOWN]
    names = [f"{_name(tool)} {tool['tokens_estimated']:,}" for tool in largest]
    is_short = verbose or len(surface["tools"]) < 2
    yield said(f"Surface: {total}" + ("" if is_short else f"; most in {', '.join(names)}"))
    for tool in surface["tools"] if verbose else ():
        facts = f"{tool['bytes']:>9,} bytes {tool['tokens_estimated']:>7,} tokens  {_name(tool)}"
        yield indented(said(facts))


def _name(tool: Mapping[str, Any]) -> str:
    return shorten(str(tool["name"] or "(no name)"), LONGEST_NAME)
