"""Addresses fit what a tool reads, and those that it names are tried where a site answers."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.path_values import KnownPlaces
from mcp_assay.scenario.plan import plan
from mcp_assay.scenario.web_values import addresses_in
from mcp_assay.schema.checker import Schemas

GUIDE = "https://docs.vendor.dev/guide/first.html"


def first_address(
    name: str,
    description: str = "",
    *,
    argument: str = "url",
    about: str = "",
    has_site: bool = False,
) -> Any:
    """What the first call of a tool has in its argument."""
    member = {"type": "string", "description": about}
    schema = {"type": "object", "properties": {argument: member}}
    tool = {
        "name": name,
        "description": description,
        "inputSchema": {**schema, "required": [argument]},
    }
    values = Values(places=KnownPlaces(has_site=has_site))
    made = plan(tool, seed=0, budget=1, values=values, schemas=Schemas())
    return made.scenarios[0].arguments[argument]


@pytest.mark.parametrize(
    ("tool", "about", "path"),
    [
        ("fetch", "", "/"),
        ("fetch_json", "", "/data.json"),
        ("read_feed", "", "/feed.xml"),
        ("load", "URL of the CSV to load", "/table.csv"),
        ("describe", "Address of an image", "/picture.png"),
        ("check_sitemap", "", "/sitemap.xml"),
        ("audit_robots", "", "/robots.txt"),
        ("fetch_txt", "", "/notes.txt"),
    ],
)
def test_a_page_is_of_the_kind_that_is_asked_for(tool: str, about: str, path: str) -> None:
    assert first_address(tool, about=about) == f"https://example.invalid{path}"


def test_what_is_no_address_is_left_alone() -> None:
    assert first_address("read_json", argument="name") == "example"


def test_an_address_that_a_tool_names_is_called_in_a_world_alone() -> None:
    words = f"Reads a page of the vendor. Addresses must be like {GUIDE}."
    assert first_address("read_guide", words) == "https://example.invalid/"
    assert first_address("read_guide", words, has_site=True) == GUIDE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"such as {GUIDE}, or '{GUIDE}'", [GUIDE]),
        (f"({GUIDE}).", [GUIDE]),
        ("https://api.vendor.dev/users/{id}", []),
        ("https://api.vendor.dev/<path>", []),
        ("https://vendor.dev and http://vendor.dev/", []),
    ],
)
def test_addresses_are_whole(text: str, found: list[str]) -> None:
    assert list(addresses_in(text)) == found
