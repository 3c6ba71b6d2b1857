"""What became of each finding of a server from run to run: there, gone for good, or back again.

A finding that a run does not have is fixed only where that run would have found it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, Update, bindparam, delete, insert, select, update

from mcp_assay.drift.findings import Silence
from mcp_assay.history.run_rows import FoundRow
from mcp_assay.history.tables import FINDING, FINDING_RUN, rows
from mcp_assay.model.report import Report

MOST_NAMED: Final = 500
"""Fingerprints in one query."""
SEEN: Final = (
    *("rule", "name", "severity", "tool", "message", "last_at", "last_run", "runs", "choices"),
    "reach",
)
"""What a run changes of a finding that is there still; no index has to be written for it."""
TURNED: Final = ("since_at", "is_open", "fixed_at", "fixed_run", "comings")
"""What it changes besides of one that is fixed, or back."""

_OF_SERVER: Final = FINDING.c.server_id == bindparam("server")
_WANTED: Final = FINDING.c.fingerprint.in_(bindparam("prints", expanding=True))
_OPEN: Final = select(FINDING).where(_OF_SERVER, FINDING.c.is_open)
_ONLY_WANTED: Final = select(FINDING).where(_OF_SERVER, _WANTED)
_NEW: Final = insert(FINDING)
_NEW_IN_RUN: Final = insert(FINDING_RUN)


def _change(columns: Iterable[str]) -> Update:
    its = update(FINDING).where(FINDING.c.id == bindparam("its_id"))
    return its.values({name: bindparam(f"new_{name}") for name in columns})


_SEE: Final = _change(SEEN)
_TURN: Final = _change((*SEEN, *TURNED))


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
    for change, changed in (
        (_SEE, [*_still_there(run, found, known)]),
        (_TURN, [*_come_back(run, found, known), *_fixed(run, found, known, report)]),
    ):
        if changed:
            connection.execute(change, changed)
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
    given = {"server": server_id}
    known = {row["fingerprint"]: row for row in rows(connection, _OPEN, given)}
    for chunk in _chunks(one for one in prints if one not in known):
        its = rows(connection, _ONLY_WANTED, {**given, "prints": chunk})
        known |= {row["fingerprint"]: row for row in its}
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


def _still_there(
    run: RunFacts, found: Mapping[str, FoundRow], known: Mapping[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    for key, row in found.items():
        its = known[key]
        if its["is_open"] and "is_new" not in its:
            yield _changed(its, SEEN, **_seen(run, row, its))


def _come_back(
    run: RunFacts, found: Mapping[str, FoundRow], known: Mapping[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    for key, row in found.items():
        its = known[key]
        if not its["is_open"]:
            yield _changed(
                its,
                (*SEEN, *TURNED),
                **_seen(run, row, its),
                since_at=run.at,
                is_open=True,
                fixed_at=None,
                fixed_run=None,
                comings=its["comings"] + 1,
            )


def _seen(run: RunFacts, row: FoundRow, its: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_words(row),
        "last_at": run.at,
        "last_run": run.id,
        "runs": its["runs"] + 1,
        "choices": run.choices,
        "reach": run.tools_called,
    }


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
            fixed = {"is_open": False, "fixed_at": run.at, "fixed_run": run.id}
            yield _changed(it, (*SEEN, *TURNED), **fixed)


def _changed(row: Mapping[str, Any], columns: Iterable[str], **new: Any) -> dict[str, Any]:
    its = {f"new_{name}": new[name] if name in new else row[name] for name in columns}
    return {"its_id": row["id"], **its}
