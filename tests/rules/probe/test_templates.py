"""URI templates are filled in as RFC 6570 says; what is optional is left out."""

from __future__ import annotations

import pytest

from mcp_assay.spec.uri_templates import expanded, variables

VALUES = {"odd": "\ud800", "id": "a b", "path": "x/y.md", "page": "2"}


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("notes://{id}", "notes://a%20b"),
        ("notes://{path}", "notes://x%2Fy.md"),
        ("notes://{+path}", "notes://x/y.md"),
        ("notes://{path*}", "notes://x/y.md"),
        ("notes:/{/path}", "notes://x%2Fy.md"),
        ("notes://all{#path}", "notes://all#x/y.md"),
        ("notes://{id}{?page}", "notes://a%20b"),
        ("notes://{id,page}", "notes://a%20b,2"),
        ("notes://{path:1}", "notes://x"),
        ("notes://{unknown}", "notes://"),
        ("notes://all", "notes://all"),
        ("notes://{odd}", "notes://%3F"),
    ],
)
def test_a_template_is_filled_in(template: str, uri: str) -> None:
    assert expanded(template, VALUES) == uri


def test_only_what_is_needed_is_asked_for() -> None:
    assert variables("notes://{folder}/{+path}/{id:3}/{folder}{?page,size}{&more}") == [
        "folder",
        "path",
        "id",
    ]
