"""What `fleet run --dry-run` says: what would be done, in which order, and what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.cli.options import FleetArguments
from mcp_assay.cli.output import show, write
from mcp_assay.engine.choice import cores
from mcp_assay.fleet.entry import Fleet, FleetEntry
from mcp_assay.fleet.order import FleetEstimate, FleetPlan, estimate, plan_of, urgency
from mcp_assay.fleet.record import FleetRecord
from mcp_assay.fleet.report.words import duration
from mcp_assay.history.fleet_runs import FleetServerRow
from mcp_assay.report.as_json import json_text
from mcp_assay.text.lines import BLANK, Line, counted, said

WHY: Final = ("never assessed", "changed", "assessed")
"""What decides the place of a server, by its urgency."""


def show_plan(
    fleet: Fleet, record: FleetRecord, arguments: FleetArguments, since: str | None
) -> None:
    """Print what would be done."""
    plan = plan_of(fleet.entries, record.known, record.assessed, since)
    workers = arguments.jobs or cores()
    cost = estimate(plan.to_do, record.assessed, workers)
    if arguments.report.format == "json":
        write(json_text(_value(fleet, plan, record.assessed, cost, workers)))
    else:
        lines = _lines(fleet, plan, record.assessed, cost, workers)
        show(lines, color=not arguments.report.no_color)


def _value(
    fleet: Fleet,
    plan: FleetPlan,
    assessed: Mapping[str, FleetServerRow],
    cost: FleetEstimate,
    workers: int,
) -> dict[str, Any]:
    return {
        "fleet": fleet.name,
        "workers": workers,
        "estimate": cost,
        "done": list(plan.done),
        "to_do": [
            {"name": one.name, "why": _why(one, assessed.get(one.name))} for one in plan.to_do
        ],
        "wrong": list(fleet.wrong),
        "left_out": fleet.left_out,
    }


def _lines(
    fleet: Fleet,
    plan: FleetPlan,
    assessed: Mapping[str, FleetServerRow],
    cost: FleetEstimate,
    workers: int,
) -> Iterator[Line]:
    yield (("Would assess ", ""), (counted(len(plan.to_do), "server"), "strong"))
    for one in plan.to_do:
        yield ((f"  {one.name}", ""), (f"  {_why(one, assessed.get(one.name))}", "faint"))
    for wrong in fleet.wrong:
        yield ((f"  {wrong.name}", ""), (f"  {wrong.reason}", "error"))
    if plan.done:
        yield said(f"{counted(len(plan.done), 'server')} done already")
    yield BLANK
    yield said(_estimate(cost, workers))


def _estimate(cost: FleetEstimate, workers: int) -> str:
    time = f"about {duration(cost.seconds)} with {counted(workers, 'worker')}"
    price = f"{duration(cost.worker_seconds)} of work in all"
    guess = f"; {cost.unknown} never assessed before are taken to be like the others"
    return f"{time}, {price}{guess if cost.unknown else ''}"


def _why(entry: FleetEntry, last: FleetServerRow | None) -> str:
    why = WHY[urgency(entry, last)[0]]
    return f"{why} {last.at}" if last is not None else why
