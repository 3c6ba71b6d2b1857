"""The pages in a real browser: quiet, closed to all sides, and usable by hand and by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.web.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_link_leads_to_the_servers_without_its_token(
    visit: Callable[..., Page], served: Served
) -> None:
    page = visit()
    assert page.url == f"{served.origin}/"
    assert page.get_by_role("link", name="demo").count() == 1


def test_a_run_is_shown_with_its_calls(visit: Callable[..., Page]) -> None:
    page = visit("/runs/1")
    assert page.locator("#calls, #timeline").count() == 2
