"""How long a browser takes to show the HTML report of a very large run."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.tables import table
from mcp_assay.report.as_html import to_html
from tests.report.large import CALLS, FINDINGS, large_report
from tools.browser import PACKAGE, Browser, Page, path_of_browser

ROUNDS: Final = 5
WIDTH, HEIGHT = 1280, 800
TIMES: Final = {
    "first paint": "performance.getEntriesByName('first-contentful-paint')[0].startTime",
    "ready": "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd",
    "a filter": (
        "(() => { const since = performance.now(); findings.text.value = 'note tool_7';"
        " findings.paint(); document.body.offsetHeight; return performance.now() - since; })()"
    ),
}
"""What is measured, as the page itself can tell it, in milliseconds."""


def html(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of times, and the same as figures."""
    path = path_of_browser()
    if path is None:
        return f"not measured: needs a browser, the Debian package {PACKAGE}", {}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "large.html"
    file.write_text(to_html(large_report()), "utf-8")
    with Browser(path) as browser:
        rounds = [_measured(browser.page(), file) for _ in range(ROUNDS)]
    rows = [[name, *_cells([one[name] for one in rounds])] for name in TIMES]
    size = file.stat().st_size / 1e6
    head = [f"{FINDINGS:,} findings, {CALLS:,} calls, {size:.1f} MB", "ms", "lowest", "highest"]
    return table(head, rows), {"MB": size, "milliseconds": rounds}


def _measured(page: Page, file: Path) -> dict[str, float]:
    page.sized(WIDTH, HEIGHT)
    page.open(file)
    taken = {name: float(page.see(expression)) for name, expression in TIMES.items()}
    page.close()
    return taken


def _cells(times: list[float]) -> list[str]:
    return [f"{time:.0f}" for time in (median(times), min(times), max(times))]
