"""The Chromium that is installed, driven by Playwright, which downloads none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
)
PATIENCE: Final = 120_000.0
"""Milliseconds that the browser may take for anything: a busy machine is no fault."""


def missing() -> str | None:
    """What has to be installed before a browser can be launched, None where all is there."""
    if find_spec("playwright") is None:
        return "the Python package playwright"
    return None if _path() else "the Debian package chromium"


@contextmanager
def launch(environment: Mapping[str, str] | None = None) -> Iterator[Browser]:
    """A browser while the block lasts, in which this thread can run no other asyncio loop."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  only tests install it

    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as home,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=_path(),
            args=FLAGS,
            env={**os.environ, "HOME": home, **(environment or {})},
            timeout=PATIENCE,
        ) as browser,
    ):
        yield browser


@contextmanager
def new_page(browser: Browser, width: int, height: int, **options: Any) -> Iterator[Page]:
    """An empty page of this size that shares nothing with others; options are Playwright's."""
    page = browser.new_page(
        viewport={"width": width, "height": height}, reduced_motion="reduce", **options
    )
    page.set_default_timeout(PATIENCE)
    with page:
        yield page


def _path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)
