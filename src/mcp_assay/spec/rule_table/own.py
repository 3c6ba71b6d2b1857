"""What mcp-assay adds of its own: odd names and definitions, and the limits of what it judges."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26
from mcp_assay.spec.rule_table.entry import (
    ALL,
    BOTH,
    DEFINITIONS,
    ERROR,
    INFO,
    MESSAGE,
    PROBE,
    SERVER,
    WARNING,
    Entry,
    since,
)

_EXPERIMENTAL: Final = "basic/lifecycle#capability-negotiation"
_ANNOUNCED: Final = "a server that announces toolValidation"
_A_CALLER: Final = "a caller of the Python API who asks for it"

# fmt: off
OWN_RULES: Final = (
    Entry("LINT-001", WARNING, BOTH, MESSAGE, ALL,
          "A member's name does not differ only by case, separators or look-alike letters from a "
          "name that the specification defines.",
          "https://www.jsonrpc.org/specification#conventions"),
    Entry("LINT-002", ERROR, BOTH, PROBE, ALL,
          "An error code lies in one of the registered ranges.",
          "https://www.jsonrpc.org/specification#error_object", needs=_A_CALLER),
    Entry("LINT-003", ERROR, BOTH, PROBE, ALL,
          "A field is of one of the JSON types that were asked for.",
          "https://www.jsonrpc.org/specification#conventions", needs=_A_CALLER),
    Entry("LINT-004", ERROR, BOTH, PROBE, ALL,
          "A message has all the fields that were asked for.",
          "https://www.jsonrpc.org/specification#conventions", needs=_A_CALLER),

    Entry("LINT-101", WARNING, SERVER, DEFINITIONS, ALL,
          "A description that lists the values of an argument lists those of its enum.",
          "server/tools#tool"),
    Entry("LINT-102", INFO, SERVER, DEFINITIONS, ALL,
          "An argument that several tools have lists the same values in each of them.",
          "server/tools#tool", needs="every page of the list"),
    Entry("LINT-103", WARNING, SERVER, DEFINITIONS, ALL,
          "Every part of a tool's schema can be met: its limits do not exclude each other, and "
          "some value of its enum is valid.",
          "server/tools#tool"),
    Entry("LINT-104", WARNING, SERVER, DEFINITIONS, since(R2025_03_26),
          "A tool's hints agree with its name: what deletes or sends is not called read-only.",
          "schema#toolannotations",
          grades={"the name may mean something else": INFO,
                  "destructiveHint false": INFO}),

    Entry("TVAL-001", ERROR, SERVER, PROBE, ALL,
          "A server that announces the validation of calls lists the tool that validates.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    Entry("TVAL-002", ERROR, SERVER, PROBE, ALL,
          "The validation of a call answers with a verdict: valid, with errors only where it is "
          "false.", _EXPERIMENTAL, needs=_ANNOUNCED),
    Entry("TVAL-003", WARNING, SERVER, PROBE, ALL,
          "Arguments that the inputSchema of a tool refuses are not said to be valid.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    Entry("TVAL-004", WARNING, SERVER, PROBE, ALL,
          "The same call has the same verdict, while nothing has changed.", _EXPERIMENTAL,
          needs=_ANNOUNCED),
    Entry("TVAL-005", WARNING, SERVER, PROBE, ALL,
          "A call does what its verdict said.", _EXPERIMENTAL, needs=_ANNOUNCED,
          grades={"a call that was said to be valid is refused": INFO}),
    Entry("TVAL-006", ERROR, SERVER, PROBE, ALL,
          "A server that announces batches answers each call in one.", _EXPERIMENTAL,
          needs=_ANNOUNCED),
    Entry("TVAL-007", ERROR, SERVER, PROBE, ALL,
          "The validation of a call changes nothing.", _EXPERIMENTAL, needs=_ANNOUNCED),
    Entry("TVAL-008", WARNING, SERVER, PROBE, ALL,
          "The announcement of the validation is well formed, and its parts go together.",
          _EXPERIMENTAL, needs=_ANNOUNCED),

    Entry("LIMIT-001", WARNING, BOTH, MESSAGE, ALL,
          "A message is nested at most 1,024 levels deep; what lies deeper is not judged.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
    Entry("LIMIT-002", WARNING, BOTH, MESSAGE, ALL,
          "A message is at most 16 MiB long; a longer one is not judged.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
    Entry("LIMIT-003", WARNING, BOTH, MESSAGE, ALL,
          "A message has at most 100 faults that are listed one by one; the rest is counted.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
)
# fmt: on
