"""Where reports on several servers go: one file for all, one for each, or both in a folder."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mcp_assay.cli.output import UsageError
from mcp_assay.report.formats import TEXT
from mcp_assay.report.overall_formats import WRITERS
from mcp_assay.text.names import word_set

PLACE: Final = "{server}"
"""Stands in a path for the name of a server."""
OVERALL: Final = "overall"
OVERALL_FORMATS: Final = (TEXT, *WRITERS)
FILES: Final[Mapping[str, str]] = {
    "text": "{server}.txt",
    "json": "{server}.json",
    "jsonl": "{server}.jsonl",
    "junit": "{server}.xml",
    "sarif": "{server}.sarif",
    "markdown": "{server}.md",
    "html": "{server}.html",
    "pytest": "test_{server}.py",
    "badge": "{server}.svg",
    "policy": "{server}.policy.json",
}
"""What the file of each form is called in a folder."""
LONGEST: Final = 60
NAMELESS: Final = "server"
DEVICES: Final = word_set(
    """
    aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9
    lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9
    """
)
"""Names that are no files on Windows, whatever stands behind a dot."""
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


class Destination(NamedTuple):
    """A path for one form of the report: of all servers, or with {server} of each."""

    format: str
    path: str

    @property
    def is_for_each(self) -> bool:
        """Whether each server has a file of its own."""
        return PLACE in self.path

    def of(self, file_name: str) -> str:
        """The path of one server."""
        return self.path.replace(PLACE, file_name)


def destinations(reports: Iterable[tuple[str, str]]) -> list[Destination]:
    """Where everything goes; a usage error where there is no report of such a form on all."""
    return [one for format, path in reports for one in _destinations(format, path)]


def _destinations(format: str, path: str) -> Iterator[Destination]:
    is_folder = os.path.isdir(path) or path.endswith(("/", os.sep))
    if is_folder:
        pattern = FILES.get(format, f"{PLACE}.{format}")
        yield Destination(format, os.path.join(path, pattern))
        if format in OVERALL_FORMATS and PLACE not in path:
            yield Destination(format, os.path.join(path, pattern.replace(PLACE, OVERALL)))
        return
    if PLACE not in path:
        require_overall(format, f"--report {format}={path}")
    yield Destination(format, path)


def require_overall(format: str, option: str) -> None:
    """Refuse a form in which several servers cannot be reported."""
    if format not in OVERALL_FORMATS:
        words = f"{format} reports cover one server each; with {PLACE} in the path,"
        raise UsageError(f"{option}: {words} --report {format}=PATH writes one for each.")


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A harmless name for the file of each server; no two are alike, not even on macOS."""
    taken, alike, chosen = {OVERALL}, Counter[str](), dict[str, str]()
    for name in names:
        candidate = plain = _harmless(name)
        while candidate.lower() in taken:
            alike[plain.lower()] += 1
            candidate = f"{plain}-{alike[plain.lower()] + 1}"
        taken.add(candidate.lower())
        chosen[name] = candidate
    return chosen


def _harmless(name: str) -> str:
    """The name without what could lead to another folder or mean something to a system."""
    plain = _UNSAFE.sub("-", name).strip(".-")[:LONGEST].rstrip(".-") or NAMELESS
    is_device = plain.partition(".")[0].lower() in DEVICES
    return f"{NAMELESS}-{plain}" if is_device else plain


def per_server(path: str | None, option: str, file_name: str) -> str | None:
    """The path of an option for one server; a usage error where all would have the same."""
    if path is not None and PLACE not in path:
        words = f"each server needs its own file; put {PLACE} into the path"
        raise UsageError(f"{option} {path} with --all: {words}.")
    return None if path is None else path.replace(PLACE, file_name)
