"""What all tests of the pages share: a history with some runs, the pages about it, a browser.

`served` has a store of its own each time, with the servers DEMO (a real run of the demo server),
NOTES (runs of two weeks: a tool breaks and is mended) and HOSTILE (all that it says is markup).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from mcp_assay.web.live.servers import LiveSettings
from tests.patience import LONGEST
from tests.web.live import Gate, configuration, live_settings
from tests.web.recorded import record_runs
from tests.web.served import Served, serving
from tools.browser import launch, missing, new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Request

DESK, PHONE = (1280, 800), (360, 740)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with the runs of DEMO, NOTES and HOSTILE; to be copied, not changed."""
    file = tmp_path_factory.mktemp("recorded") / "history.db"
    url = f"sqlite:///{file}"
    command = [sys.executable, "-m", "mcp_assay", "demo", "--quiet", "--history", url]
    subprocess.run(command, check=True, capture_output=True, timeout=LONGEST)
    store = Store(located(url))
    record_runs(store)
    store.close()
    return file


@pytest.fixture
def history_url(recorded: Path, tmp_path: Path) -> str:
    """The URL of a store of this test's own, with the runs of `recorded`."""
    file = tmp_path / "history.db"
    shutil.copyfile(recorded, file)
    return f"sqlite:///{file}"


@pytest.fixture(autouse=True)
def private_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short path for private sockets, where nobody else has any."""
    with TemporaryDirectory(prefix="ui-") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


@pytest.fixture
def served(history_url: str) -> Iterator[Served]:
    """The pages about `history_url`, served by the real thing at a free port."""
    with serving(history_url) as its:
        yield its


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    """The gate of the gated server of `live_served`."""
    its = Gate(tmp_path)
    yield its
    its.close()


@pytest.fixture
def live(gate: Gate, tmp_path: Path, history_url: str) -> LiveSettings:
    """What the pages of `live_served` may do: the servers DEMO, GATED and FLOOD."""
    return live_settings(configuration(tmp_path, gate), history_url)


@pytest.fixture
def live_served(live: LiveSettings, history_url: str) -> Iterator[Served]:
    """The pages about `history_url`, from which servers can be assessed."""
    with serving(history_url, live=live) as its:
        yield its


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A real Chromium; until it ends, nothing else in its thread can run an asyncio loop.

    A file that uses it stands in TOGETHER of tests/kinds.py, so that one worker runs all of it.
    """
    font = pytest.importorskip("tests.report.font", reason="fonttools is not installed")
    lacking = missing()
    if lacking is not None:
        pytest.skip(f"needs a browser: {lacking}")
    with launch(font.only_font(tmp_path_factory.mktemp("font"))) as launched:
        yield launched


@pytest.fixture
def noise() -> Iterator[list[str]]:
    """Complaints of pages and requests to other places: at the end there are none.

    A test that expects some takes them out.
    """
    received: list[str] = []
    yield received
    assert received == []


@pytest.fixture
def visit(browser: Browser, served: Served, noise: list[str]) -> Iterator[Callable[..., Page]]:
    """Opens a path of `served` in a browser that was let in: `visit("/", PHONE, **options)`."""
    with _visiting(browser, served, noise) as open_path:
        yield open_path


@pytest.fixture
def visit_live(
    browser: Browser, live_served: Served, noise: list[str]
) -> Iterator[Callable[..., Page]]:
    """The same for `live_served`."""
    with _visiting(browser, live_served, noise) as open_path:
        yield open_path


@contextmanager
def _visiting(browser: Browser, served: Served, noise: list[str]) -> Iterator[Callable[..., Page]]:
    with ExitStack() as pages:

        def open_path(path: str = "/", size: tuple[int, int] = DESK, **options: Any) -> Page:
            page = pages.enter_context(new_page(browser, *size, **options))
            _listen(page, served.origin, noise)
            page.goto(served.link())
            if path != "/":
                page.goto(f"{served.origin}{path}")
            return page

        yield open_path


def _listen(page: Page, origin: str, noise: list[str]) -> None:
    def refuse(dialog: Dialog) -> None:
        noise.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if not request.url.startswith(f"{origin}/"):
            noise.append(f"request: {request.url}")

    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda fault: noise.append(f"fault: {fault}"))
    page.on("dialog", refuse)
    page.on("request", note)
