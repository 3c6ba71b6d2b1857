"""The page on all servers leads to that of each, and obeys no text of theirs."""

from __future__ import annotations

from msgspec.structs import replace

from mcp_assay.report.overall_formats import WRITERS
from tests.report.test_overall import on_all, server

REPORTS = on_all(books=server("pass"), films=server("fail"))

HOSTILE = '<script>alert("x")</script>'


def test_each_server_has_a_row_and_a_link_to_its_page() -> None:
    servers = [replace(one, file=f"{one.name} page.html") for one in REPORTS.servers]
    page = WRITERS["html"](replace(REPORTS, servers=servers))
    for one in servers:
        assert f'href="{one.name}%20page.html"' in page
    assert "default-src &#x27;none&#x27;" in page


def test_a_server_without_a_file_is_a_name_alone() -> None:
    assert "href=" not in WRITERS["html"](REPORTS)


def test_nothing_that_a_server_says_becomes_markup() -> None:
    servers = [replace(REPORTS.servers[0], name=HOSTILE, file=f"javascript:{HOSTILE}")]
    page = WRITERS["html"](replace(REPORTS, servers=servers))
    assert "<script" not in page
    assert 'href="javascript:' not in page
