"""What errors of the world are worded like: one table per family."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import Pattern
from mcp_assay.judge.errors.tables.databases import DATABASES
from mcp_assay.judge.errors.tables.http import HTTP
from mcp_assay.judge.errors.tables.languages import LANGUAGES
from mcp_assay.judge.errors.tables.machine import MACHINE
from mcp_assay.judge.errors.tables.network import NETWORK_AND_SERVICES
from mcp_assay.judge.errors.tables.own_faults import OWN_FAULTS
from mcp_assay.judge.errors.tables.protocols import PROTOCOLS
from mcp_assay.judge.errors.tables.python import PYTHON_WORDING
from mcp_assay.judge.errors.tables.refusals import REFUSALS
from mcp_assay.judge.errors.tables.services import OUTSIDE_SERVICES
from mcp_assay.judge.errors.tables.silence import SILENCE
from mcp_assay.judge.errors.tables.speech import SPEECH
from mcp_assay.judge.errors.tables.validators import VALIDATORS
from mcp_assay.judge.errors.tables.wrappers import WRAPPERS

PATTERNS: Final[tuple[Pattern, ...]] = (
    SPEECH
    + REFUSALS
    + SILENCE
    + NETWORK_AND_SERVICES
    + MACHINE
    + OWN_FAULTS
    + PYTHON_WORDING
    + LANGUAGES
    + DATABASES
    + HTTP
    + PROTOCOLS
    + VALIDATORS
    + OUTSIDE_SERVICES
    + WRAPPERS
)
