"""`mcp-assay demo`: the built-in server, with faults worth seeing, assessed."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.cli.application import INTERRUPTED
from mcp_assay.cli.assess import ended
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.events import events_for
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain
from mcp_assay.cli.parameters import arguments_of, seed
from mcp_assay.cli.reporting import publish, refuse_contradictions, reporting_options
from mcp_assay.cli.ticker import Ticker
from mcp_assay.drive.target import Command
from mcp_assay.transport.environment import allowed

SERVER = ("-P", "-m", "mcp_assay.demo_server")
WHERE_WE_ARE = ("PYTHONPATH",)
"""What this process may need to find the package, the server needs too."""
NAMED = ("seed", "only", "select", "ignore", "max_findings", "fail_on")


@click.command("demo", short_help="Assess a built-in server that has faults worth seeing.")
@click.option(
    "--seed",
    metavar="N|random",
    default="0",
    show_default=True,
    callback=seed,
    help="Same seed, same calls.",
)
@click.option("--only", metavar="TOOL", help="Call this tool only.")
@click.option("--args", metavar="JSON", help="With --only: make this one call.")
@reporting_options
def command(**given: Any) -> int:
    """Assess the built-in demo server; that it has faults is no failure of the demo."""
    refuse_contradictions(given)
    complain(f"mcp-assay assess -- python {' '.join(SERVER[1:])}")
    here = {name: os.environ[name] for name in WHERE_WE_ARE if name in os.environ}
    target = Command(
        command=(sys.executable, *SERVER),
        environment=allowed(os.environ, here),
        named=("demo",),
    )
    taken = {name: given[name] for name in NAMED}
    events = events_for(given)
    run = Assessment(target, AssessOptions(**taken, args=arguments_of(given)), listener=events)
    interruption = Interruption()
    interruption.run(Ticker(run.dossier, quiet=given["quiet"]).while_running(run.run()))
    publish(settled(ended(run, interruption), given), given, events)
    return INTERRUPTED if interruption.has_come else 0
