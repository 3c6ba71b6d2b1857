"""Absolute paths of a machine in a text; paths of addresses and routes of an API are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

OF_MACHINES: Final = (
    "Applications|Library|Users|Volumes|etc|home|mnt|nix|opt|private|proc|root|run/secrets|run/user"
    "|srv|tmp|usr|var"
)
"""Roots that only machines have."""
INSTALLED: Final = "site-packages|dist-packages|node_modules"
"""Folders that are below the root of a program."""
ENDINGS: Final = (
    "cfg|conf|cs|db|dll|env|go|ini|jar|java|key|lock|log|pem|php|py|pyc|rb|rs|sh|so|sqlite|sqlite3"
    "|toml|yaml|yml"
)
"""How files end that no web server gives away: of other roots these alone are paths."""
MISSED: Final = re.compile(
    r"(?i:no such file|not a directory|is a directory|permission denied|enoent|eacces|enotdir"
    r"|file not found|filenotfound|cannot open|could not open|failed to open|unable to read)"
)
"""Near such words any path is one of the machine."""
NEAR: Final = 80
"""Characters around a path in which these words count."""
EVERYWHERE: Final = (
    *("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"),
    *("/bin/bash", "/bin/sh", "/usr/bin/env", "/etc/hosts", "/etc/passwd"),
)
"""Paths that all machines have."""
UNFINISHED: Final = ("{", "?", "*", "<", "$", ":")
"""What goes on behind a route: a parameter, or a question."""

_STEP: Final = r"[A-Za-z0-9_.@+~-]{1,100}"
_BEFORE: Final = r"(?:(?<![A-Za-z0-9_./:@~%)}\]<$\\-])|(?<=file://))"
_UNIX: Final = rf"{_BEFORE}(?:/{_STEP}){{2,30}}(?P<line>:[0-9]{{1,7}})?"
_FOLDERS: Final = r"""(?:\\{1,2}[^\\/:*?"<>|\r\n\t]{1,100}){1,30}"""
_WINDOWS: Final = rf"(?<![A-Za-z0-9])(?:[A-Za-z]:{_FOLDERS}|[A-Z]:(?:/{_STEP}){{1,30}})"
_SHARED: Final = rf"(?<![\\A-Za-z0-9])\\{{2,4}}[A-Za-z0-9_.-]{{2,60}}{_FOLDERS}"
_PATH: Final = re.compile(f"(?P<unix>{_UNIX})|{_WINDOWS}|{_SHARED}")
_ROUTE: Final = re.compile(
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|ANY|[Rr]outes?|[Ee]ndpoints?):? $"
)
_CERTAIN: Final = re.compile(
    rf"/(?:{OF_MACHINES})/|/.{{1,500}}/(?:{INSTALLED})/|.{{1,500}}\.(?:{ENDINGS})$"
)


def local_paths(text: str) -> Iterator[str]:
    """The paths in a text that tell about the machine; found in linear time."""
    if "/" not in text and "\\" not in text:
        return
    for found in _PATH.finditer(text):
        if found["unix"] is None or _is_of_machine(found):
            yield found[0].rstrip(".,;:")


def _is_of_machine(found: re.Match[str]) -> bool:
    text, start, end = found.string, found.start(), found.end()
    path = found[0].removesuffix(found["line"] or "").rstrip(".")
    if path in EVERYWHERE or _ROUTE.search(text[max(0, start - 12) : start]):
        return False
    if found["line"] or _CERTAIN.match(path):
        return not text[end:].startswith("/{")
    is_missed = MISSED.search(text[max(0, start - NEAR) : end + NEAR]) is not None
    return is_missed and not text[end:].startswith(UNFINISHED)
