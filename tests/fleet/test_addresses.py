"""An address that a stranger named is called only where it is public."""

from __future__ import annotations

import asyncio

import pytest

from mcp_assay.fleet.addresses import checked_address
from mcp_assay.fleet.entry import FleetEntry, Remote
from mcp_assay.fleet.job import Reason


def checked(url: str, *, is_public: bool = True) -> Reason | None:
    entry = FleetEntry(name="one", origin=Remote(url=url, is_public=is_public))
    return asyncio.run(checked_address(entry))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/mcp",
        "http://127.1/mcp",
        "http://2130706433/mcp",
        "http://0x7f.0.0.1/mcp",
        "http://[::1]:8080/mcp",
        "http://[::ffff:10.0.0.1]/mcp",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://localhost:9/mcp",
        "https://ada:word@8.8.8.8/",
        "ftp://8.8.8.8/",
        "http:///mcp",
        "http://[::1/mcp",
        "http://8.8.8.8:99999/",
    ],
)
def test_an_address_at_home_is_refused(url: str) -> None:
    found = checked(url)
    assert found is not None
    assert (found.kind, found.is_passing) == ("refused_address", False)


def test_a_public_address_is_called_and_so_is_one_that_the_user_wrote() -> None:
    assert checked("https://8.8.8.8/mcp") is None
    assert checked("http://127.0.0.1/mcp", is_public=False) is None


def test_a_host_that_is_not_found_may_be_found_later() -> None:
    found = checked("https://nobody.invalid/mcp")
    assert found is not None
    assert (found.kind, found.is_passing) == ("failed", True)
