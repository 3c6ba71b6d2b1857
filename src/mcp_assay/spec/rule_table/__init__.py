"""Every rule, one row each: its facts, its statement, its page; what else is known comes last."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.rule_table.behaviour import BEHAVIOUR_RULES
from mcp_assay.spec.rule_table.dialogue import DIALOGUE_RULES
from mcp_assay.spec.rule_table.envelope import ENVELOPE_RULES
from mcp_assay.spec.rule_table.lifecycle import LIFECYCLE_RULES
from mcp_assay.spec.rule_table.messages import MESSAGE_RULES
from mcp_assay.spec.rule_table.own import OWN_RULES
from mcp_assay.spec.rule_table.patterns import PATTERN_RULES
from mcp_assay.spec.rule_table.server import SERVER_RULES
from mcp_assay.spec.rule_table.tools import TOOL_RULES
from mcp_assay.spec.rule_table.transports import TRANSPORT_RULES

RULES: Final = (
    *MESSAGE_RULES,
    *LIFECYCLE_RULES,
    *TOOL_RULES,
    *SERVER_RULES,
    *DIALOGUE_RULES,
    *PATTERN_RULES,
    *TRANSPORT_RULES,
    *OWN_RULES,
    *ENVELOPE_RULES,
    *BEHAVIOUR_RULES,
)
"""All rows: those of the specification in its order, then our own."""
