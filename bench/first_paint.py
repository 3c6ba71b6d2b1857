"""How long a browser takes to show the HTML report of a very large run."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from bench.tables import table
from mcp_assay.report.as_html import to_html
from tests.report.large import CALLS, FINDINGS, large_report
from tools.browser import launch, missing, new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
IS_PAINTED: Final = "performance.getEntriesByName('first-contentful-paint').length"


def html(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of times, and the same as figures."""
    lacking = missing()
    if lacking is not None:
        return f"not measured: needs a browser, {lacking}", {}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "large.html"
    file.write_text(to_html(large_report()), "utf-8")
    with launch() as browser:
        rounds = [_measured(browser, file) for _ in range(ROUNDS)]
    rows = [[name, *_cells([one[name] for one in rounds])] for name in TIMES]
    size = file.stat().st_size / 1e6
    head = [f"{FINDINGS:,} findings, {CALLS:,} calls, {size:.1f} MB", "ms", "lowest", "highest"]
    return table(head, rows), {"MB": size, "milliseconds": rounds}


def _measured(browser: Browser, file: Path) -> dict[str, float]:
    with new_page(browser, WIDTH, HEIGHT) as page:
        page.goto(file.as_uri())
        page.wait_for_function(IS_PAINTED)
        return {name: float(page.evaluate(expression)) for name, expression in TIMES.items()}


def _cells(times: list[float]) -> list[str]:
    return [f"{time:.0f}" for time in (median(times), min(times), max(times))]
