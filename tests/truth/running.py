"""Assess a small server of this folder, in this process."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, Final

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.report import Report

SERVER: Final = Path(__file__).parent / "small_server.py"
PATIENT: Final = {"timeout": 30.0, "max_time": 300.0, "max_calls": 12}


def report_on(name: str, environment: dict[str, str] | None = None, **options: Any) -> Report:
    """The report on a server of this folder, made to its end."""
    given = allowed(os.environ, environment or {})
    command = (sys.executable, str(SERVER), name)
    run = Assessment(
        Command(command=command, environment=given), AssessOptions(**{**PATIENT, **options})
    )
    asyncio.run(run.run())
    return run.report()
