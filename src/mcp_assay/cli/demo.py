"""`mcp-assay demo`: the built-in server, with faults worth seeing, assessed."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.cli.application import INTERRUPTED
from mcp_assay.cli.assess import ended
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain
from mcp_assay.cli.reporting import publish, refuse_quiet_and_verbose, reporting_options
from mcp_assay.drive.target import Command
from mcp_assay.transport.environment import allowed

SERVER = ("-P", "-m", "mcp_assay.demo_server")
WHERE_WE_ARE = ("PYTHONPATH",)
"""What this process may need to find the package, the server needs too."""
NAMED = ("seed", "select", "ignore", "max_findings", "fail_on")


@click.command("demo", short_help="Assess a built-in server that has faults worth seeing.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same calls.")
@reporting_options
def command(**given: Any) -> int:
    """Assess the built-in demo server; that it has faults is no failure of the demo."""
    refuse_quiet_and_verbose(given)
    complain(f"mcp-assay assess -- python {' '.join(SERVER[1:])}")
    here = {name: os.environ[name] for name in WHERE_WE_ARE if name in os.environ}
    target = Command(command=(sys.executable, *SERVER), environment=allowed(os.environ, here))
    run = Assessment(target, AssessOptions(**{name: given[name] for name in NAMED}))
    interruption = Interruption()
    interruption.run(run.run())
    publish(ended(run, interruption), given)
    return INTERRUPTED if interruption.has_come else 0
