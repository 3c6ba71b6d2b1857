"""Take the pictures of the README and of docs/ui.md: `python -m tools.picture`.

Each picture holds the words that are on it. `--check` looks whether the pages still say the same:
numbers, times and colours may be others.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.browser import launch, missing, new_page
from tools.consoles import ROOT
from tools.picture_words import with_words, words_of

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
OF_REPORT: Final = "report.png"
NAMES: Final = (OF_REPORT, *OF_PAGES)
VISIBLE_TEXTS: Final = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const place = document.createRange();
  const seen = [];
  while (texts.nextNode()) {
    place.selectNodeContents(texts.currentNode);
    const { top, bottom, height } = place.getBoundingClientRect();
    if (height > 0 && bottom > 0 && top < window.innerHeight) seen.push(texts.currentNode.data);
  }
  return seen.join(' ');
}"""


def main(arguments: list[str] | None = None) -> int:
    """Keep what is on the first screen of the report on the demo server, and of the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which pictures are old")
    is_check = parser.parse_args(arguments).check
    lacking = missing()
    if lacking is not None:
        print(f"This needs a browser: {lacking}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        take = _look if is_check else _keep
        kept = [take(page, name) for name, page in _shown(folder)]
    return 0 if all(kept) else 1


def _shown(folder: str) -> Iterator[tuple[str, Page]]:
    """Each picture's name, with the page that it is to show in front of us."""
    with launch() as browser, new_page(browser, WIDTH, HEIGHT) as page:
        page.goto(_report(Path(folder) / "report.html").as_uri())
        yield OF_REPORT, page
        with _served(Path(folder) / "history.db") as link:
            page.goto(link)
            for name, (address, height) in OF_PAGES.items():
                page.set_viewport_size({"width": WIDTH, "height": height})
                page.goto(link.partition("/open")[0] + address)
                yield name, page


def _keep(page: Page, name: str) -> bool:
    picture = DOCS / name
    picture.write_bytes(with_words(page.screenshot(), _words(page)))
    print(f"written: {picture.relative_to(ROOT)}, {picture.stat().st_size // 1024} KB")
    return True


def _look(page: Page, name: str) -> bool:
    """Whether the picture shows what the page says now; prints what is new where it does not."""
    before, now = words_of((DOCS / name).read_bytes()), _words(page)
    if before == now:
        return True
    print(f"docs/{name} is old; python -m tools.picture takes it anew:")
    print("\n".join(unified_diff(before.split(), now.split(), "picture", "page", n=1, lineterm="")))
    return False


def _words(page: Page) -> str:
    """What is to be read on the first screen, without all that is another in each run."""
    return " ".join(re.findall(r"[^\W\d_]{3,}", page.evaluate(VISIBLE_TEXTS)))


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
