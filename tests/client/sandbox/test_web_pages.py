"""Each page is what its path, or else the client, says; the same for the same question."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mcp_assay.client.sandbox.web_pages import PAGES, Asked, Page, page_for


def page(path: str, *, accept: str = "*/*", method: str = "GET", host: str = "a.test") -> Page:
    return page_for(Asked(method, "https", host, path, accept), frozenset({"/named", "/a b.json"}))


READERS: dict[str, Callable[[bytes], Any]] = {
    "text/html": lambda body: body.startswith(b"<!DOCTYPE html>"),
    "application/json": json.loads,
    "application/xml": ET.fromstring,
    "application/rss+xml": lambda body: ET.fromstring(body).findall("channel/item"),
    "text/plain": bytes.decode,
    "text/csv": lambda body: list(csv.DictReader(io.StringIO(body.decode()))),
    "image/png": lambda body: body.startswith(b"\x89PNG"),
}


@pytest.mark.parametrize("path", [*PAGES, "/named", "/a%20b.json"])
def test_every_page_is_what_it_says_and_holds_its_stamp(path: str) -> None:
    found = page(path)
    assert found.status == 200
    assert READERS[found.kind](found.body)
    assert found.stamp.encode() in found.body
    assert found == page(path)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("text/html,application/json;q=0.9", "text/html"),
        ("text/html;q=0.1, text/plain", "text/plain"),
        ("image/webp,*/*", "text/html"),
        ("image/webp", "text/html"),
        ("", "text/html"),
        ("text/html;q=much", "text/html"),
    ],
)
def test_a_page_without_an_ending_is_what_the_client_would_like(accept: str, kind: str) -> None:
    assert page("/page", accept=accept).kind == kind


def test_an_ending_says_more_than_the_client() -> None:
    assert page("/data.json", accept="text/html").kind == "application/json"


def test_pages_differ_by_host_path_and_query() -> None:
    stamps = {
        page(path, host=host).stamp for path in ("/", "/page") for host in ("a.test", "b.test")
    }
    assert len(stamps) == 4
    one, other = page("/page?part=1"), page("/page?part=2")
    assert one.stamp == other.stamp
    assert one.body != other.body


def test_what_is_not_there() -> None:
    assert page("/else").status == page("/named/else").status == 404
    assert page("/else", method="POST").status == 404
    assert (page("/old").status, page("/old").location) == (301, "/page")
    assert page("http://[bad/").status == 200  # no path can be told, so it is the first page
    assert page("/page", method="OPTIONS").status == 204


def test_what_is_sent_is_counted() -> None:
    asked = Asked("POST", "https", "a.test", "/page", size=7)
    assert json.loads(page_for(asked, frozenset()).body)["received"] == 7
