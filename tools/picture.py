"""Take the picture of the HTML report that the README shows: `python -m tools.picture`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools.browser import PACKAGE, Browser, path_of_browser
from tools.consoles import ROOT

PICTURE: Final = ROOT / "docs" / "report.png"
WIDTH, HEIGHT = 1280, 900
SERVER: Final = ("python", "-m", "mcp_assay.demo_server")


def main() -> int:
    """Assess the demo server, open the report, and keep what is on the first screen."""
    path = path_of_browser()
    if path is None:
        print(f"This needs a browser: the Debian package {PACKAGE}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_bytes(_taken(path, _report(Path(folder) / "report.html")))
    print(f"written: {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size // 1024} KB")
    return 0


def _report(file: Path) -> Path:
    """A report whose command is the same on every machine."""
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    assess = [sys.executable, "-m", "mcp_assay", "assess", "--no-input", "--quiet"]
    command = [*assess, "--report", f"html={file}", "--", *SERVER]
    subprocess.run(command, env=here, stdout=subprocess.DEVNULL, check=False)
    return file


def _taken(browser: str, file: Path) -> bytes:
    with Browser(browser) as opened:
        page = opened.page()
        page.sized(WIDTH, HEIGHT)
        page.open(file)
        return page.picture()


if __name__ == "__main__":
    sys.exit(main())
