"""How pip and npm are set up, read without anybody's secrets."""

from __future__ import annotations

import asyncio

import pytest

from mcp_assay.fleet.entry import Package
from mcp_assay.fleet.packages.linked_hosts import new_hosts
from mcp_assay.fleet.packages.registries import Registries, pip_settings

SAID = """\
:env:.index-url='https://env.example/simple'
:env:.client-cert='/home/ada/key.pem'
global.extra-index-url='https://a.example/simple\\nhttps://b.example:8443/simple'
global.index-url='https://global.example/simple'
install.find-links='/opt/files'
install.proxy='http://ada:swordfish@proxy.example'
global.timeout='5'
odd
"""


def test_what_counts_more_is_taken_and_what_is_secret_is_not() -> None:
    assert pip_settings(SAID) == {
        "index-url": "https://env.example/simple",
        "extra-index-url": "https://a.example/simple https://b.example:8443/simple",
        "find-links": "/opt/files",
    }


def test_hosts_have_ports_and_pages_have_names() -> None:
    found = Registries(
        indexes=("https://a.example/simple", "http://b.example:81/x/"), linked=("c.example:443",)
    )
    assert found.hosts == ("a.example:443", "b.example:81", "c.example:443")
    package = Package(registry="pypi", name="one[extra]")
    assert found.pages(package) == ["https://a.example/simple/one/", "http://b.example:81/x/one/"]
    npm = Registries(indexes=("https://a.example/",), npmrc="registry=x")
    scoped = Package(registry="npm", name="@me/one")
    assert npm.pages(scoped) == ["https://a.example/@me%2fone"]


@pytest.mark.parametrize(
    ("index", "linked", "new"),
    [
        ("https://8.8.8.8/simple", ["8.8.4.4", "8.8.8.8"], ("8.8.4.4:443",)),
        ("https://8.8.8.8/simple", ["127.0.0.1:22", "169.254.169.254", "0x7f000001"], ()),
        ("http://127.0.0.1:80/simple", ["127.0.0.1:8080"], ("127.0.0.1:8080",)),
        ("https://8.8.8.8/simple", None, ()),
        ("https://8.8.8.8/simple", [5, "a b", "[", "x:99999"], ()),
    ],
)
def test_a_page_of_a_public_index_leads_to_nobody_in_our_network(
    index: str, linked: object, new: tuple[str, ...]
) -> None:
    assert asyncio.run(new_hosts(linked, Registries(indexes=(index,)))) == new
