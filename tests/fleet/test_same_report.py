"""The same fleet gives the same report, whoever assesses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mcp_assay.fleet.entry import Fleet, WrongEntry
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.summary import FleetRunFacts, fleet_report
from mcp_assay.model.report import ToolVersion
from tests.engine.cluster import dask_cluster
from tests.fleet.runs import (
    engine_named,
    fleet_of,
    kinds,
    options,
    ran,
    recorded,
    server,
    stored,
)

NAMES = (
    *("handshake-only", "no-arguments", "many-enums", "nothing-at-all", "resources-without-tools"),
    *("ids-as-strings", "no-jsonrpc-member", "error-code-as-string", "no-server-version"),
    *("undeclared-tools", "null-cursor", "wordy-ping"),
)
FACTS = FleetRunFacts(
    tool=ToolVersion(name="mcp-assay", version="0"), options={}, started="", seconds=0
)
WRONG = WrongEntry(name="wrong", reason="it names no server")


def fleet() -> Fleet:
    return msgspec.structs.replace(fleet_of(*map(server, NAMES)), wrong=(WRONG,))


def test_a_cluster_reports_what_this_machine_reports(tmp_path: Path) -> None:
    with stored(tmp_path) as store:
        with engine_named("local", 3) as engine:
            here = ran(store, fleet(), options(), engine)
        with dask_cluster(tmp_path / "cluster") as place, engine_named(f"dask://{place}") as engine:
            there = ran(store, fleet(), options(), engine)
        assert recorded(store) == dict.fromkeys(NAMES, 2)
    assert kinds(here) == {"wrong": "wrong_entry", **dict.fromkeys(NAMES)}
    assert [without_timing(one) for one in here.values()] == [
        without_timing(one) for one in there.values()
    ]
    assert all(one.previous for name, one in there.items() if name != "wrong")
    assert whole(here) == whole(there)


def without_timing(one: ServerOutcome) -> Any:
    """What was found of a server."""
    found = msgspec.to_builtins(one.report)
    if found:
        del found["timing"]
    return one.name, one.reason, found


def whole(outcomes: dict[str, ServerOutcome]) -> Any:
    """The report on all of them."""
    report = msgspec.to_builtins(fleet_report(fleet(), outcomes.values(), FACTS))
    del report["timing"]
    return report
