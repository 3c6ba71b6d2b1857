"""`mcp-assay demo`: the built-in server with deliberate bugs, assessed."""

from __future__ import annotations

import os
import sys

from mcp_assay.assess.assessment import Assessment, AssessOptions
from mcp_assay.cli.assess import REPORTED, arguments_of_call, ended, remembered
from mcp_assay.cli.history_options import keeper_of
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.options import CommandLine, DemoArguments
from mcp_assay.cli.output import complain
from mcp_assay.cli.reports import events_for, publish, refuse_contradictions, settled
from mcp_assay.cli.sandbox_hint import Hinting, WorldTry
from mcp_assay.cli.ticker import Ticker
from mcp_assay.cli.worlds import sandboxed, world_of
from mcp_assay.client.sandbox.admission import typed_words
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.outcome import CLEAN, INTERRUPTED

DEMO = "demo"
"""What the server is called in a history."""
SERVER = ("-P", "-m", "mcp_assay.demo_server")
WHERE_WE_ARE = ("PYTHONPATH",)
"""What this process may need to find the package, the server needs too."""


def assess_demo(line: CommandLine, arguments: DemoArguments) -> int:
    """Assess the demo server, and write the report on it."""
    reporting = arguments.report
    refuse_contradictions(reporting)
    wanted = world_of(line, arguments.world)
    here = {name: os.environ[name] for name in WHERE_WE_ARE if name in os.environ}
    target = Command(
        command=(sys.executable, *SERVER),
        environment=allowed(os.environ, here),
        named=(DEMO,),
    )
    target = sandboxed(target, wanted) if wanted else target
    world = "".join(f"{word} " for word in typed_words(target))
    complain(f"mcp-assay assess {world}-- python {' '.join(SERVER[1:])}")
    keeper = keeper_of(line, arguments.remembered, reporting, DEMO)
    events = events_for(reporting)
    options = _options(arguments)
    run, hint = Assessment(target, options, listener=events), Hinting(target, options, WorldTry())
    interruption = Interruption()
    interruption.run(Ticker(run, quiet=reporting.quiet).while_running(run.run(hint.ask)))
    report = hint.added_to(ended(run, interruption))
    report = settled(report, reporting)
    publish(report, reporting, events)
    code = INTERRUPTED if interruption.has_come else CLEAN
    return remembered(report, code, keeper, events) if keeper else code


def _options(arguments: DemoArguments) -> AssessOptions:
    return AssessOptions(
        **{name: getattr(arguments.report, name) for name in REPORTED},
        calls="all" if arguments.world.is_disposable else "safe",
        seed=arguments.seed,
        only=arguments.only,
        args=arguments_of_call(arguments.only, arguments.args),
    )
