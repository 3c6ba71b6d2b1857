"""Take the pictures of the README and of docs/ui.md: `python -m tools.picture`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.browser import launch, missing, new_page
from tools.consoles import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

DOCS: Final = ROOT / "docs"
WIDTH, HEIGHT = 1280, 900
SERVER: Final = ("python", "-m", "mcp_assay.demo_server")
PROGRAM: Final = (sys.executable, "-m", "mcp_assay")
RUNS: Final = 12
"""Of the demo, each with a seed of its own: so a history has something to show."""
OF_PAGES: Final[Mapping[str, tuple[str, int]]] = {
    "ui-servers.png": ("/", 300),
    "ui-server.png": ("/servers/1", 900),
}
"""The pictures of `mcp-assay ui` over the history of its demo: the address of each, its height."""


def main() -> int:
    """Keep what is on the first screen of the report on the demo server, and of the pages."""
    lacking = missing()
    if lacking is not None:
        print(f"This needs a browser: {lacking}.", file=sys.stderr)
        return 2
    with (
        tempfile.TemporaryDirectory() as folder,
        launch() as browser,
        new_page(browser, WIDTH, HEIGHT) as page,
    ):
        page.goto(_report(Path(folder) / "report.html").as_uri())
        _keep(page, "report.png")
        with _served(Path(folder) / "history.db") as link:
            page.goto(link)
            for name, (address, height) in OF_PAGES.items():
                page.set_viewport_size({"width": WIDTH, "height": height})
                page.goto(link.partition("/open")[0] + address)
                _keep(page, name)
    return 0


def _keep(page: Page, name: str) -> None:
    picture = DOCS / name
    picture.write_bytes(page.screenshot())
    print(f"written: {picture.relative_to(ROOT)}, {picture.stat().st_size // 1024} KB")


def _report(file: Path) -> Path:
    """A report whose command is the same on every machine."""
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    assess = [*PROGRAM, "assess", "--no-input", "--quiet"]
    command = [*assess, "--report", f"html={file}", "--", *SERVER]
    subprocess.run(command, env=here, stdout=subprocess.DEVNULL, check=False)
    return file


@contextmanager
def _served(store: Path) -> Iterator[str]:
    """The link to the pages over the history of the demo, which are served meanwhile."""
    history = ("--history", f"sqlite:///{store}")
    for seed in range(RUNS):
        demo = [*PROGRAM, "demo", "--quiet", "--seed", str(seed), *history]
        subprocess.run(demo, stdout=subprocess.DEVNULL, check=True)
    pages = [*PROGRAM, "ui", *history]
    with subprocess.Popen(pages, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        try:
            yield served.stdout.readline().strip()
        finally:
            served.terminate()


if __name__ == "__main__":
    sys.exit(main())
