"""What each tool did to the machine, one row each, for all formats that people read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.effect import ConnectionTry, Effects, FileChange, SandboxRow
from mcp_assay.model.report import Report
from mcp_assay.report.declared_behaviour import definitions
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    counted,
    cut,
    indented,
    padded,
    said,
    sentences,
    width,
)
from mcp_assay.text.safe import shorten

TITLE: Final = "What each tool did to the machine"
COLUMNS: Final = ("tool", "hints", "files", "programs", "network", "secrets")
HINTS: Final[Mapping[str, str]] = {
    "readOnlyHint": "R",
    "destructiveHint": "D",
    "idempotentHint": "I",
    "openWorldHint": "O",
}
LEGEND: Final = "hints: R read-only, D destructive, I idempotent, O open world"
BACKENDS: Final[Mapping[str, str]] = {
    "namespaces": "own namespaces",
    "sudo": "own namespaces, made by root",
    "bwrap": "bubblewrap",
}
FILE_WORDS: Final[Mapping[str, str]] = {
    "created": "created",
    "changed": "changed",
    "deleted": "deleted",
    "permissions": "other permissions",
}
NONE: Final = "-"
NO_HINTS: Final = " ".join(NONE for _ in HINTS)
EMPTY: Final = (NONE, NO_HINTS, "")
"""What stands in the cells of a column that nobody needs."""
BOOKKEEPING: Final = "bookkeeping"
AT_START: Final = "at start"
BETWEEN: Final = "between calls"
LATE: Final = "after the answer"
MOST_NAMED: Final = 2
"""So many programs, hosts or secrets are named in a cell; the others are counted."""
MOST_PATHS: Final = 3
"""So many paths stand under a row, and so many requests."""
MOST_IDLE: Final = 12
"""So many tools without any effect have a row each; more are one row."""
MOST_DEEDS: Final = 20
"""So much of what a tool did is told where a row can be expanded."""
MOST_LIMITS: Final = 4
"""So much is named of what a world could not do or see."""
LONGEST_LIMIT: Final = 160
LONGEST_DIFF: Final = 1500
LEAST_COLUMN: Final = 7
MARGIN: Final = 2


Diffs: TypeAlias = Mapping[tuple[str, str], str]
"""By path and by what became of it, the difference that was made there."""


class EffectRow(Struct, frozen=True, kw_only=True):
    """A row of the table; its texts are not made safe yet."""

    cells: tuple[str, ...]
    """One for each of COLUMNS."""
    paths: tuple[str, ...] = ()
    """What became of the first files, and the first requests, in words."""
    deeds: tuple[tuple[str, str], ...] = ()
    """All that was done, each in words and with the difference of a text, or ""."""

    @property
    def is_idle(self) -> bool:
        """Whether nothing was seen."""
        return set(self.cells[2:]) == {NONE}


def world_words(row: SandboxRow) -> str:
    """The world in a few words, with what it could not do or see."""
    network = "no network" if row.network == "none" else f"network: {row.network}"
    backend = BACKENDS.get(row.backend, row.backend)
    words = [f"sandbox: {backend}, {network}, work folder {row.work}"]
    words += [cut(limit, LONGEST_LIMIT) for limit in row.limits[:MOST_LIMITS]]
    more = len(row.limits) - MOST_LIMITS
    return "; ".join([*words, *([f"{more:,} more limits"] if more > 0 else [])])


def effect_rows(report: Report) -> list[EffectRow]:
    """The tools that were watched, then what belongs to none of them."""
    if report.sandbox is None:
        return []
    hints = {name: _hints(tool) for name, tool in definitions(report).items()}
    watched = [(tool.name, tool.effects) for tool in report.tools if tool.effects is not None]
    diffs = _diffs(report)
    rows = [
        _row(name, hints.get(name, ""), effects, diffs.get(name, {})) for name, effects in watched
    ]
    others = ((AT_START, report.sandbox.at_start), (BETWEEN, report.sandbox.between))
    more = [
        _row(name, "", it, _first_diffs(it.files))
        for name, it in others
        if it is not None and not it.is_empty
    ]
    return [*_folded(rows), *more]


def _folded(rows: list[EffectRow]) -> list[EffectRow]:
    """The rows; very many without any effect are one."""
    idle = [row for row in rows if row.is_idle]
    if len(idle) <= MOST_IDLE:
        return rows
    name = counted(len(idle), "other tool")
    empty = (NONE,) * (len(COLUMNS) - 2)
    return [*(row for row in rows if not row.is_idle), EffectRow(cells=(name, "", *empty))]


def _hints(tool: Mapping[str, Any]) -> str:
    given = tool.get("annotations")
    known = given if isinstance(given, dict) else {}
    return " ".join(letter if known.get(hint) is True else NONE for hint, letter in HINTS.items())


def _diffs(report: Report) -> dict[str, Diffs]:
    """By tool, the differences that the first of its calls of each kind made."""
    files = defaultdict[str, list[FileChange]](list)
    for call in report.calls:
        files[call.tool] += call.effects.files if call.effects else ()
    return {tool: _first_diffs(found) for tool, found in files.items()}


def _first_diffs(files: Iterable[FileChange]) -> Diffs:
    found: dict[tuple[str, str], str] = {}
    for one in files:
        if one.diff:
            found.setdefault((one.path, one.what), one.diff)
    return found


def _row(name: str, hints: str, effects: Effects, diffs: Diffs) -> EffectRow:
    cells = (_files(effects), _programs(effects), _network(effects), _secrets(effects))
    paths = [f"{FILE_WORDS.get(one.what, one.what)} {one.path}" for one in effects.kept_files]
    more = effects.left_out.get("files", 0)
    sent = [f"sent {one.method} {one.url}" for one in effects.requests]
    shown = (*_first(paths, more), *_first(sent, 0))
    deeds = tuple(_deeds(effects, diffs))
    return EffectRow(cells=(name, hints, *cells), paths=shown, deeds=deeds)


def _first(texts: Sequence[str], left_out: int) -> list[str]:
    """The first of several texts, and how many more there are."""
    more = len(texts) - MOST_PATHS + left_out
    return [*texts[:MOST_PATHS], *([f"and {more:,} more"] if more > 0 else [])]


def _deeds(effects: Effects, diffs: Diffs) -> Iterator[tuple[str, str]]:
    """All that was done, what others may miss first."""
    files = sorted(effects.files, key=lambda it: it.bookkeeping)
    told = [
        *(
            (_file_words(one), shorten(diffs.get((one.path, one.what), ""), LONGEST_DIFF))
            for one in files
        ),
        *((f"started {' '.join(one.argv)}", "") for one in effects.programs),
        *((f"left running {' '.join(one.argv)}", "") for one in effects.processes),
        *((f"asked for {one}", "") for one in effects.names),
        *((f"tried to reach {_host(one)}", "") for one in effects.connections),
        *((f"sent {one.method} {one.url}", one.body) for one in effects.requests),
        *((f"{one.how} {one.path}", "") for one in effects.secrets),
        *((f"tried {one}", "") for one in effects.attempts),
    ]
    yield from told[:MOST_DEEDS]
    more = max(len(told) - MOST_DEEDS, 0) + sum(effects.left_out.values())
    if more > 0:
        yield f"and {more:,} more", ""


def _file_words(change: FileChange) -> str:
    kind = f" ({BOOKKEEPING})" if change.bookkeeping else ""
    when = f" {LATE}" if change.late else ""
    return f"{FILE_WORDS.get(change.what, change.what)} {change.path}{kind}{when}"


def _files(effects: Effects) -> str:
    counts: Counter[str] = Counter(_file_word(one) for one in effects.files)
    if more := effects.left_out.get("files"):
        counts["more"] += more
    ordered = sorted(counts.items(), key=lambda it: it[0] == BOOKKEEPING)
    words = [f"{number:,} {word}" for word, number in ordered]
    if any(one.late for one in effects.files):
        words.append(LATE)
    return ", ".join(words) or NONE


def _file_word(change: FileChange) -> str:
    if change.bookkeeping:
        return BOOKKEEPING
    if change.temporary and change.what == "created":
        return "temporary"
    return FILE_WORDS.get(change.what, change.what)


def _programs(effects: Effects) -> str:
    names = [_program(one.argv) for one in effects.programs]
    left = [_program(one.argv) for one in effects.processes]
    names = [name for name in names if name not in left]
    return _named([*(f"{one} (runs on)" for one in left), *names], _more(effects, "programs"))


def _program(argv: Sequence[str]) -> str:
    return argv[0].rpartition("/")[2] or argv[0] if argv else "?"


def _network(effects: Effects) -> str:
    reached = [_host(one) for one in effects.connections]
    asked = [name for name in effects.names if name not in {it.host for it in effects.connections}]
    return _named([*reached, *asked], _more(effects, "connections", "names"))


def _more(effects: Effects, *names: str) -> int:
    return sum(effects.left_out.get(name, 0) for name in names)


def _host(found: ConnectionTry) -> str:
    address = f"[{found.address}]" if ":" in found.address else found.address
    place = found.host or address
    return f"{place}:{found.port}" if found.port else f"{place} ({found.protocol})"


def _secrets(effects: Effects) -> str:
    return _named(["/".join(one.path.split("/")[-2:]) for one in effects.secrets], 0)


def _named(names: Iterable[str], left_out: int) -> str:
    """The first of several names, each once, and how many more there are."""
    found = list(dict.fromkeys(names))
    more = len(found) - MOST_NAMED + left_out
    shown = found[:MOST_NAMED] + ([f"and {more:,} more"] if more > 0 else [])
    return ", ".join(shown) or NONE


def effects_text(report: Report) -> Iterator[Line]:
    """The table for a terminal; nothing where no sandbox saw anything."""
    rows = effect_rows(report)
    if not rows or report.sandbox is None:
        return
    yield said(TITLE, "strong")
    yield from sentences(world_words(report.sandbox), style="faint")
    columns = [
        column
        for column in range(len(COLUMNS))
        if column in (0, 2) or any(row.cells[column] not in EMPTY for row in rows)
    ]
    sizes = _sizes(rows, columns)
    yield _line([COLUMNS[column] for column in columns], sizes, is_head=True)
    for row in rows:
        yield _line([row.cells[column] for column in columns], sizes)
        for path in row.paths:
            yield indented(said(cut(path, SCREEN - 3 * MARGIN), "faint"), 3 * MARGIN)
    if 1 in columns:
        yield from sentences(LEGEND, style="faint")
    yield BLANK


def _sizes(rows: Sequence[EffectRow], columns: Sequence[int]) -> list[int]:
    """How wide each column is; the widest give way until all fit the screen."""
    sizes = [
        max(
            width(cut(text, SCREEN))
            for text in (COLUMNS[column], *(row.cells[column] for row in rows))
        )
        for column in columns
    ]
    room = SCREEN - MARGIN - 2 * (len(columns) - 1)
    while sum(sizes) > room and max(sizes) > LEAST_COLUMN:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def _line(cells: Sequence[str], sizes: Sequence[int], *, is_head: bool = False) -> Line:
    shown = (padded(cut(cell, size), size) for cell, size in zip(cells, sizes, strict=True))
    return indented(said("  ".join(shown).rstrip(), "faint" if is_head else ""), MARGIN)
