"""How many modules of ours each command loads: what a start costs, told without a clock."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.consoles import ROOT

SECONDS: Final = 60
"""What a command may take; it needs less than one."""

_EXAMPLES: Final = ROOT / "examples"
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "version": ("version",),
    "--help": ("--help",),
    "assess --help": ("assess", "--help"),
    "proxy --help": ("proxy", "--help"),
    "rules": ("rules",),
    "explain RULE": ("explain", "JSONRPC-005"),
    "validate MESSAGE": ("validate", str(_EXAMPLES / "ping.json")),
    "validate TRACE": ("validate", str(_EXAMPLES / "notes.jsonl")),
    "lint FILE": ("lint", str(_EXAMPLES / "weather-tools.json")),
}
"""The commands that are measured, as a reader would type them, and their arguments."""

_PROGRAM: Final = """
import sys
from pathlib import Path
loaded, *arguments = sys.argv[1:]
from mcp_assay.cli.main import main
code = main(arguments)
Path(loaded).write_text("\\n".join(sys.modules), "utf-8")
sys.exit(code)
"""


def loaded_modules(arguments: Sequence[str]) -> list[str]:
    """The modules of ours that are loaded when the command has done its work."""
    names = all_loaded_modules(arguments)
    return sorted(name for name in names if name.partition(".")[0] == "mcp_assay")


def all_loaded_modules(arguments: Sequence[str]) -> list[str]:
    """The same, with those of Python and of others."""
    with TemporaryDirectory() as folder:
        loaded = Path(folder) / "loaded"
        _run(["-c", _PROGRAM, str(loaded), *arguments], folder)
        return loaded.read_text("utf-8").splitlines()


def _run(arguments: Sequence[str], folder: str) -> None:
    """Run Python where no configuration is found; findings (1) are no failure."""
    ended = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if ended.returncode not in (0, 1) or "Traceback" in ended.stderr:
        raise RuntimeError(ended.stderr)
