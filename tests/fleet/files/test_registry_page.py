"""Pages of the MCP registry: what is taken of them, and what is never obeyed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.fleet.entry import Fleet, Package, Remote
from mcp_assay.fleet.files import content
from mcp_assay.fleet.files.content import WrongFleet
from mcp_assay.fleet.files.fleet_file import read_fleet
from mcp_assay.fleet.files.registry_page import MEANT, OFFICIAL

NPM: dict[str, Any] = {
    "registryType": "npm",
    "identifier": "@acme/notes",
    "version": "1.2.0",
    "transport": {"type": "stdio"},
}
OCI: dict[str, Any] = {"registryType": "oci", "identifier": "docker.io/acme/notes:1.2.0"}
FAR: dict[str, Any] = {"type": "streamable-http", "url": "https://notes.example.com/mcp"}


def listed(name: str = "com.example/notes", **server: Any) -> dict[str, Any]:
    return {"server": {"name": name, "version": "1.0.0", **server}}


def with_meta(entry: dict[str, Any], **official: Any) -> dict[str, Any]:
    return {**entry, "_meta": {OFFICIAL: official}}


def read(folder: Path, *servers: object) -> Fleet:
    return read_text(folder, json.dumps({"servers": servers, "metadata": {"count": 1}}))


def read_text(folder: Path, text: str) -> Fleet:
    path = folder / "page.json"
    path.write_text(text, "utf-8")
    return read_fleet(str(path))


def test_the_package_that_can_be_prepared_is_taken(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, listed(packages=[OCI, NPM], remotes=[FAR])).entries
    assert entry.origin == Package(registry="npm", name="@acme/notes", version="1.2.0")
    assert entry.is_foreign


def test_without_such_a_package_the_remote_is_taken_and_must_be_public(tmp_path: Path) -> None:
    sse = {"type": "sse", "url": "https://notes.example.com/sse"}
    (entry,) = read(tmp_path, listed(packages=[OCI], remotes=[sse, FAR])).entries
    assert entry.origin == Remote(url="https://notes.example.com/mcp", is_public=True)


def test_an_image_or_another_package_alone_is_an_entry_whose_job_will_say_so(
    tmp_path: Path,
) -> None:
    nuget = {"registryType": "nuget", "identifier": "Acme.Notes", "version": "1.0.0"}
    fleet = read(tmp_path, listed("a/image", packages=[OCI]), listed("a/net", packages=[nuget]))
    image, net = fleet.entries
    assert isinstance(image.origin, Package)
    assert isinstance(net.origin, Package)
    assert (image.origin.registry, net.origin.registry) == ("oci", "other")
    assert net.origin.name == "nuget:Acme.Notes"


def test_arguments_variables_and_parts_of_addresses_are_filled_as_the_page_says(
    tmp_path: Path,
) -> None:
    package = {
        **NPM,
        "packageArguments": [
            {"type": "positional", "value": "serve"},
            {"type": "named", "name": "--mode", "default": "local"},
            {"type": "named", "name": "--verbose", "isRequired": True, "format": "boolean"},
            {"type": "named", "name": "--left-out"},
            {"type": "positional", "value": "{who}", "variables": {"who": {"value": "me"}}},
        ],
        "environmentVariables": [
            {"name": "KEY", "isRequired": True, "isSecret": True},
            {"name": "LEVEL", "default": "info"},
            {"name": "MODE", "value": "fixed"},
        ],
    }
    remote = {**FAR, "url": "https://{t}.example.com", "variables": {"t": {"default": "acme"}}}
    fleet = read(tmp_path, listed("a/one", packages=[package]), listed("a/two", remotes=[remote]))
    one, two = fleet.entries
    assert isinstance(one.origin, Package)
    assert one.origin.arguments == ("serve", "--mode", "local", "--verbose", "me")
    assert (one.variables, one.optional) == (("KEY", "MODE"), ("LEVEL",))
    assert two.origin == Remote(url="https://acme.example.com", is_public=True)


def test_of_several_versions_the_latest_is_taken(tmp_path: Path) -> None:
    old = with_meta(listed(version="1.9.0", packages=[NPM]), isLatest=False, publishedAt="2026-02")
    new = with_meta(listed(version="1.1.0", remotes=[FAR]), isLatest=True, updatedAt="2026-03")
    fleet = read(tmp_path, old, new)
    (entry,) = fleet.entries
    assert (entry.origin.__class__, entry.updated, fleet.left_out) == (Remote, "2026-03", 1)


def test_the_same_version_twice_is_a_row(tmp_path: Path) -> None:
    fleet = read(tmp_path, listed(packages=[NPM]), listed(remotes=[FAR]))
    assert [row.reason for row in fleet.wrong] == ["stands in the file twice"]
    assert len(fleet.entries) == 1


def test_deleted_servers_are_left_out(tmp_path: Path) -> None:
    gone = with_meta(listed("a/gone", packages=[NPM]), status="deleted")
    fleet = read(tmp_path, gone, listed(packages=[NPM]))
    assert (len(fleet.entries), fleet.left_out) == (1, 1)


@pytest.mark.parametrize(
    "form", ["{page}{page2}", "[{page},{page2}]", "[{one},{two}]", "{one}\n{two}\n"]
)
def test_several_pages_may_follow_one_another(tmp_path: Path, form: str) -> None:
    one, two = listed("a/one", packages=[NPM]), listed("a/two", packages=[NPM])
    text = form
    values = {"page": {"servers": [one]}, "page2": {"servers": [two]}, "one": one, "two": two}
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", json.dumps(value))
    assert [entry.name for entry in read_text(tmp_path, text).entries] == ["a/one", "a/two"]


def test_pages_of_2025_07_are_read(tmp_path: Path) -> None:
    package = {
        "registry_type": "pypi",
        "registry_base_url": f"https://{'.'.join(MEANT['pypi'])}",
        "identifier": "notes",
        "version": "1.0.0",
        "environment_variables": [{"name": "KEY", "is_required": True}],
    }
    old = {"name": "a/notes", "version_detail": {"version": "1.0.0"}, "packages": [package]}
    far = {"name": "a/far", "remotes": [{"transport_type": "sse", "url": "https://a.example/sse"}]}
    notes, remote = read(tmp_path, old, far).entries
    assert (notes.variables, remote.host) == (("KEY",), "a.example")


@pytest.mark.parametrize(
    ("server", "words"),
    [
        (listed(), "has neither packages nor remotes"),
        (listed("a\x1b[31mb", packages=[NPM]), "some that cannot be seen"),
        (listed("", packages=[NPM]), "has no name"),
        (listed("x" * 300, packages=[NPM]), "more than 200 characters"),
        (listed("a\ud800", packages=[NPM]), "some that cannot be seen"),
        (listed(packages=[{**NPM, "identifier": "../../etc"}]), "is not the name of a package"),
        (listed(packages=[{**NPM, "identifier": "a b"}]), "is not the name of a package"),
        (listed(packages=[{**NPM, "identifier": "https://b.example/x.tgz"}]), "is not the name"),
        (listed(packages=[{**NPM, "version": "^1.0.0"}]), "is not one version"),
        (
            listed(packages=[{**NPM, "registryBaseUrl": "https://npm.b.example"}]),
            "in a registry of its own",
        ),
        (listed(packages=[{**NPM, "transport": {"type": "sse"}}]), "not spoken to over stdio"),
        (
            listed(
                packages=[
                    {**NPM, "packageArguments": [{"valueHint": "folder", "isRequired": True}]}
                ]
            ),
            "needs a value for folder, which only you know",
        ),
        (listed(remotes=[{**FAR, "url": "https://{tenant}.example.com"}]), "parts that only you"),
        (listed(remotes=[{**FAR, "url": "javascript:alert(1)"}]), "not an http or https address"),
        (listed(remotes=[{**FAR, "headers": [{"name": "a: b\r\nc"}]}]), "is no such name"),
        (
            listed(packages=[{**NPM, "packageArguments": [{"value": "a\0b"}]}]),
            "no process can have",
        ),
    ],
)
def test_a_wrong_or_hostile_entry_is_a_row_that_says_why(
    tmp_path: Path, server: dict[str, Any], words: str
) -> None:
    fleet = read(tmp_path, server, listed("com.example/good", packages=[NPM]))
    (row,) = fleet.wrong
    assert words in row.reason
    assert row.name.isprintable()
    assert len(row.name) <= 200
    assert [entry.name for entry in fleet.entries] == ["com.example/good"]


@pytest.mark.parametrize("junk", [None, 5, "x", [], {}, {"server": 5}, {"server": {"name": 5}}])
def test_junk_between_entries_raises_nothing(tmp_path: Path, junk: object) -> None:
    fleet = read(tmp_path, junk, listed(packages=[NPM]))
    assert [entry.name for entry in fleet.entries] == ["com.example/notes"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"servers": [' + "1" * 5000, "is not JSON"),
        ('{"servers": []}', "it names no server"),
        ("[]", "a registry's page a list of servers"),
        ('{"a": 1}', "has neither mcpServers nor servers"),
        ("hello", "is not JSON"),
    ],
)
def test_a_page_that_is_none_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(WrongFleet) as why:
        read_text(tmp_path, text)
    assert words in str(why.value)


def test_a_file_that_is_too_large_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "LARGEST", 1 << 20)
    with pytest.raises(WrongFleet, match="has more than 1 MB"):
        read_text(tmp_path, " " * (2 << 20))
