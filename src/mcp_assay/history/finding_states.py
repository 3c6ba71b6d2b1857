"""What became of each finding of a server from run to run: there, gone for good, or back again.

A finding that a run does not have is fixed only where that run would have found it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from mcp_assay.drift.findings import Silence
from mcp_assay.history.run_rows import FoundRow
from mcp_assay.history.tables import FINDING, FINDING_RUN, rows
from mcp_assay.model.report import Report

MOST_NAMED: Final = 500
"""Fingerprints in one query."""
CHANGING: Final = (
    *("rule", "name", "severity", "tool", "message", "last_at", "last_run", "since_at", "is_open"),
    *("fixed_at", "fixed_run", "runs", "comings", "choices", "reach"),
)
"""What a run changes of a finding that is known."""

_OF_SERVER: Final = FINDING.c.server_id == bindparam("server")
_WANTED: Final = FINDING.c.fingerprint.in_(bindparam("prints", expanding=True))
_OPEN: Final = select(FINDING).where(_OF_SERVER, FINDING.c.is_open)
_OPEN_OR_WANTED: Final = select(FINDING).where(_OF_SERVER, or_(FINDING.c.is_open, _WANTED))
_ONLY_WANTED: Final = select(FINDING).where(_OF_SERVER, _WANTED)
_NEW: Final = insert(FINDING)
_NEW_IN_RUN: Final = insert(FINDING_RUN)
_CHANGE: Final = (
    update(FINDING)
    .where(FINDING.c.id == bindparam("its_id"))
    .values({name: bindparam(f"new_{name}") for name in CHANGING})
)


class RunFacts(Struct, frozen=True, kw_only=True):
    """A run whose findings are taken in."""

    id: int
    server_id: int
    at: str
    choices: str
    tools_called: int


def take_findings(
    connection: Connection, run: RunFacts, found: Mapping[str, FoundRow], report: Report
) -> None:
    """Note which findings a run has, which are fixed by it, and which came back."""
    known = _known(connection, run.server_id, found)
    new = [_new(run, row) for key, row in found.items() if key not in known]
    if new:
        connection.execute(_NEW, new)
        known |= {
            key: {**row, "is_new": True}
            for key, row in _known(
                connection, run.server_id, [it["fingerprint"] for it in new]
            ).items()
            if key in found
        }
    changed = [*_seen_again(run, found, known), *_fixed(run, found, known, report)]
    if changed:
        connection.execute(_CHANGE, changed)
    in_run = [
        {
            "finding_id": known[key]["id"],
            "run_id": run.id,
            "severity": it.severity,
            "count": it.count,
        }
        for key, it in found.items()
    ]
    if in_run:
        connection.execute(_NEW_IN_RUN, in_run)


def forget_findings(connection: Connection, server_id: int) -> None:
    """Forget all findings of a server, to take them in anew."""
    its = select(FINDING.c.id).where(FINDING.c.server_id == server_id)
    connection.execute(delete(FINDING_RUN).where(FINDING_RUN.c.finding_id.in_(its)))
    connection.execute(delete(FINDING).where(FINDING.c.server_id == server_id))


def _known(
    connection: Connection, server_id: int, prints: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """The findings of a server that are open, or have one of these fingerprints."""
    known: dict[str, dict[str, Any]] = {}
    for number, chunk in enumerate([*_chunks(prints)] or [()]):
        its = _ONLY_WANTED if number else _OPEN_OR_WANTED if chunk else _OPEN
        given = {"server": server_id, "prints": chunk} if chunk else {"server": server_id}
        known |= {row["fingerprint"]: row for row in rows(connection, its, given)}
    return known


def _chunks(texts: Iterable[str]) -> Iterator[Sequence[str]]:
    left = iter(texts)
    while chunk := tuple(islice(left, MOST_NAMED)):
        yield chunk


def _new(run: RunFacts, row: FoundRow) -> dict[str, Any]:
    return {
        "server_id": run.server_id,
        **_words(row),
        "fingerprint": row.fingerprint,
        "first_at": run.at,
        "first_run": run.id,
        "last_at": run.at,
        "last_run": run.id,
        "since_at": run.at,
        "is_open": True,
        "fixed_at": None,
        "fixed_run": None,
        "runs": 1,
        "comings": 1,
        "choices": run.choices,
        "reach": run.tools_called,
    }


def _words(row: FoundRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("rule", "name", "severity", "tool", "message")}


def _seen_again(
    run: RunFacts, found: Mapping[str, FoundRow], known: Mapping[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    for key, row in found.items():
        its = known[key]
        if "is_new" in its:
            continue
        is_back = not its["is_open"]
        yield _changed(
            its,
            **_words(row),
            last_at=run.at,
            last_run=run.id,
            since_at=run.at if is_back else its["since_at"],
            is_open=True,
            fixed_at=None,
            fixed_run=None,
            runs=its["runs"] + 1,
            comings=its["comings"] + is_back,
            choices=run.choices,
            reach=run.tools_called,
        )


def _fixed(
    run: RunFacts,
    found: Mapping[str, FoundRow],
    known: Mapping[str, dict[str, Any]],
    report: Report,
) -> Iterator[dict[str, Any]]:
    silent = [it for key, it in known.items() if it["is_open"] and key not in found]
    if not silent:
        return
    silences = {
        (same, reach): Silence(report, has_same_calls=same, has_same_reach=reach)
        for same, reach in ((False, False), (True, False), (True, True))
    }
    for it in silent:
        same = it["choices"] == run.choices
        reach = same and it["reach"] <= run.tools_called
        if silences[same, reach].why(it["rule"], it["tool"]) is None:
            yield _changed(it, is_open=False, fixed_at=run.at, fixed_run=run.id)


def _changed(row: Mapping[str, Any], **new: Any) -> dict[str, Any]:
    its = {f"new_{name}": row[name] for name in CHANGING}
    return {"its_id": row["id"], **its, **{f"new_{name}": value for name, value in new.items()}}
