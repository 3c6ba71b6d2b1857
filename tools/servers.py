"""`python -m tools.servers`: install real servers, each in an environment of its own.

What is installed is pinned in tests/real/servers: a file of exact versions and hashes for each
server from PyPI (`uv pip compile --universal --generate-hashes --no-strip-extras`), one lock file
for those from npm. A stamp beside each environment keeps what it was made from.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PINNED: Final = ROOT / "tests" / "real" / "servers"
HOME: Final = ROOT / ".servers"
PYPI: Final = ("time", "git", "fetch", "sqlite")
"""The servers from PyPI, mcp-server- and this word, each in an environment of its own."""
FIRST_USE: Final = {"fetch": "from readabilipy.simple_json import have_node; have_node()"}
"""What a server would install at its first call; whoever ends it meanwhile leaves half of that."""
NPM: Final = "npm"
"""The environment of all servers from npm."""
LOCKS: Final = ("package.json", "package-lock.json")
LONGEST_INSTALL: Final = 600
HINT: Final = "`make servers` installs it"


class Missing(Exception):
    """A server that is not there; the text says why."""


def pypi_command(name: str, *arguments: str) -> list[str]:
    """The command of a server from PyPI; raises Missing."""
    _require(name, f"mcp-server-{name} is not installed: {HINT}")
    return [str(HOME / name / "bin" / f"mcp-server-{name}"), *arguments]


def npm_command(name: str, *arguments: str) -> list[str]:
    """The command of a server from npm; raises Missing."""
    if shutil.which("node") is None:
        raise Missing("node is not installed")
    _require(NPM, f"server-{name} is not installed: {HINT}")
    return ["node", str(npm_folder() / f"server-{name}" / "dist" / "index.js"), *arguments]


def npm_folder() -> Path:
    """Where the servers from npm are."""
    return HOME / NPM / "node_modules" / "@modelcontextprotocol"


def version_of(name: str) -> str:
    """The pinned version of a server."""
    if name in PYPI:
        lines = (PINNED / f"{name}.txt").read_text("utf-8").splitlines()
        pinned = next(line for line in lines if line.startswith(f"mcp-server-{name}=="))
        return pinned.split("==")[1].split()[0]
    listed = (PINNED / LOCKS[0]).read_text("utf-8").split(f"/server-{name}", 1)[1]
    return listed.split('"')[2]


def install() -> Iterator[str]:
    """Install what is not there yet, and tell what could not be."""
    for name in (*PYPI, NPM):
        if _is_installed(name):
            continue
        try:
            if name == NPM:
                _install_npm(HOME / name)
            else:
                install_pypi(HOME / name, PINNED / f"{name}.txt")
        except (OSError, subprocess.SubprocessError) as fault:
            yield f"{name}: {_said(fault)}"
        else:
            _stamp(name).write_text(_made_from(name), "utf-8")


def install_pypi(home: Path, pinned: Path) -> None:
    """Install what a file pins into an environment of its own."""
    shutil.rmtree(home, ignore_errors=True)
    _run([sys.executable, "-m", "venv", "--without-pip", str(home)])
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    quiet = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
    _run([*pip, *quiet, "--require-hashes", "--requirement", str(pinned)])
    if home.name in FIRST_USE:
        _run([str(home / "bin" / "python"), "-c", FIRST_USE[home.name]])


def _install_npm(home: Path) -> None:
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            raise FileNotFoundError(f"{command} is not installed")
    home.mkdir(parents=True, exist_ok=True)
    for name in LOCKS:
        shutil.copy(PINNED / name, home / name)
    _run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], home)


def _run(command: list[str], folder: Path = ROOT) -> None:
    subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, timeout=LONGEST_INSTALL
    )


def _said(fault: OSError | subprocess.SubprocessError) -> str:
    """The last line that a failing command wrote."""
    lines = str(getattr(fault, "stderr", None) or fault).strip().splitlines()
    return lines[-1] if lines else "it failed without a word"


def _require(name: str, words: str) -> None:
    if not _is_installed(name):
        raise Missing(words)


def _is_installed(name: str) -> bool:
    stamp = _stamp(name)
    return stamp.exists() and stamp.read_text("utf-8") == _made_from(name)


def _stamp(name: str) -> Path:
    return HOME / name / ".installed"


def _made_from(name: str) -> str:
    """What an environment is made from: the pinned files, and this Python."""
    files: Iterable[str] = LOCKS if name == NPM else [f"{name}.txt"]
    pinned = b"".join((PINNED / file).read_bytes() for file in files)
    return f"{hashlib.sha256(pinned).hexdigest()} {sys.version.split()[0]}\n"


def main() -> int:
    """Install all, and say what is missing."""
    problems = list(install())
    for problem in problems:
        print(f"Not installed, {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
