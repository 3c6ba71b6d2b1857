"""`python -m tools.changelog`: what the next release says, joined from the files in changes/.

changes/README.md says how such a file is written.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from mcp_assay import __version__
from tools.consoles import ROOT

KINDS: Final[Mapping[str, str]] = {
    "added": "Added",
    "changed": "Changed",
    "fixed": "Fixed",
    "removed": "Removed",
}
"""Each kind of change and its heading, in the order in which they are shown."""

LONGEST_LINE: Final = 110
_NAME: Final = re.compile(r"(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)\.(?P<kind>[a-z]+)\.md")
_MARKUP: Final = ("#", "-", "*", "+")
"""What a heading or a list begins with: the text becomes an item of a list."""
_VERSION: Final = re.compile(r"^## (\S+)", re.MULTILINE)


class NotReleased(Exception):
    """Changes that cannot be released; the text says why."""


def fragments(root: Path = ROOT) -> list[Path]:
    """The files of changes that are not released yet."""
    found = (root / "changes").glob("*")
    return sorted(path for path in found if path.name != "README.md")


def require_fit(root: Path = ROOT) -> None:
    """Raise NotReleased, with every complaint, where a file is not written as it should be."""
    found = [f"changes/{path.name}: {fault}" for path in fragments(root) for fault in _faults(path)]
    if found:
        raise NotReleased("\n".join(found))


def section(version: str, root: Path = ROOT) -> str:
    """The section of the changelog that the files make."""
    parts = [f"## {version}\n"]
    for kind, heading in KINDS.items():
        texts = [_item(path) for path in fragments(root) if path.name.endswith(f".{kind}.md")]
        parts += [f"### {heading}\n", "\n".join(texts) + "\n"] if texts else []
    return "\n".join(parts)


def released(root: Path = ROOT) -> list[str]:
    """The versions that the changelog has a section for, the newest first."""
    return _VERSION.findall((root / "CHANGELOG.md").read_text("utf-8"))


def release(version: str, root: Path = ROOT) -> None:
    """Write the section of a version into the changelog and remove its files."""
    require_fit(root)
    if not fragments(root):
        raise NotReleased("changes/ holds nothing to release")
    if version in released(root):
        raise NotReleased(f"CHANGELOG.md has {version} already: raise __version__ first")
    changelog = root / "CHANGELOG.md"
    head, mark, older = changelog.read_text("utf-8").partition("\n## ")
    changelog.write_text(f"{head}\n{section(version, root)}{mark}{older}", "utf-8")
    for path in fragments(root):
        path.unlink()


def _faults(path: Path) -> Iterator[str]:
    name = _NAME.fullmatch(path.name)
    if name is None or name["kind"] not in KINDS:
        yield f"is not named NAME.KIND.md, with KIND one of {', '.join(KINDS)}"
    text = path.read_text("utf-8")
    if not text.strip():
        yield "is empty"
    if text.startswith(_MARKUP):
        yield "begins with a heading or a bullet; write sentences"
    if any(len(line) > LONGEST_LINE for line in text.splitlines()):
        yield f"has lines of more than {LONGEST_LINE} characters"


def _item(path: Path) -> str:
    lines = path.read_text("utf-8").strip().splitlines()
    return "- " + "\n".join(f"  {line}".rstrip() for line in lines).lstrip()


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Show, check or release what has changed."""
    parser = argparse.ArgumentParser(prog="python -m tools.changelog", description=__doc__)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", action="store_true", help="complain about files that do not fit")
    either.add_argument("--release", action="store_true", help="write CHANGELOG.md, remove them")
    options = parser.parse_args(arguments)
    try:
        if options.release:
            release(__version__, root)
        elif options.check:
            require_fit(root)
        else:
            is_open = __version__ not in released(root)
            print(section(__version__ if is_open else "Unreleased", root), end="")
    except NotReleased as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
