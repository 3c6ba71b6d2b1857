"""Take the picture of the HTML report that the README shows: `python -m tools.picture`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools.browser import launch, missing, new_page
from tools.consoles import ROOT

PICTURE: Final = ROOT / "docs" / "report.png"
WIDTH, HEIGHT = 1280, 900
SERVER: Final = ("python", "-m", "mcp_assay.demo_server")


def main() -> int:
    """Assess the demo server, open the report, and keep what is on the first screen."""
    lacking = missing()
    if lacking is not None:
        print(f"This needs a browser: {lacking}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_bytes(_screenshot(_report(Path(folder) / "report.html")))
    print(f"written: {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size // 1024} KB")
    return 0


def _report(file: Path) -> Path:
    """A report whose command is the same on every machine."""
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    assess = [sys.executable, "-m", "mcp_assay", "assess", "--no-input", "--quiet"]
    command = [*assess, "--report", f"html={file}", "--", *SERVER]
    subprocess.run(command, env=here, stdout=subprocess.DEVNULL, check=False)
    return file


def _screenshot(file: Path) -> bytes:
    with launch() as browser, new_page(browser, WIDTH, HEIGHT) as page:
        page.goto(file.as_uri())
        return page.screenshot()


if __name__ == "__main__":
    sys.exit(main())
