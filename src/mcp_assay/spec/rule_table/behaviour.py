"""How tools behave when they are called: what their answers show, keep and give away."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26
from mcp_assay.spec.rule_table.entry import (
    ALL,
    ERROR,
    INFO,
    PROBE,
    SERVER,
    WARNING,
    Entry,
    since,
)

_A_CALL: Final = "the tool to be called"
_A_READ: Final = "resources to be read, or prompts to be asked for"
_A_WITNESS: Final = "another tool that only reads, and answers the same call always the same"
_LISTED_AGAIN: Final = "the tools to be listed once more after they were called"
_HINTS: Final = "schema#toolannotations"
_RESULTS: Final = "server/tools#calling-tools"
_ERRORS: Final = "server/tools#error-handling"
_INPUT: Final = "server/tools#tool"
_SECURITY: Final = "server/tools#security-considerations"

# fmt: off
BEHAVIOUR_RULES: Final = (
    Entry("RESP-001", ERROR, SERVER, PROBE, ALL,
          "An answer to a call has content that can be used.", _RESULTS, needs=_A_CALL,
          grades={"empty content": WARNING}),
    Entry("RESP-003", WARNING, SERVER, PROBE, ALL,
          "A result that tells of an error sets isError.", _ERRORS, needs=_A_CALL),
    Entry("RESP-004", ERROR, SERVER, PROBE, ALL,
          "A call with valid arguments does not make the tool fail by itself.", _ERRORS,
          needs=_A_CALL),
    Entry("RESP-005", WARNING, SERVER, PROBE, ALL,
          "A call with wrong arguments is refused, and does not make the tool fail.", _ERRORS,
          needs=_A_CALL),
    Entry("RESP-006", WARNING, SERVER, PROBE, ALL,
          "JSON in the text of a result says what its structuredContent says.", _RESULTS,
          needs=_A_CALL),
    Entry("RESP-007", WARNING, SERVER, PROBE, ALL,
          "What a tool needs can be reached when it is called.", _ERRORS, needs=_A_CALL),
    Entry("RESP-008", INFO, SERVER, PROBE, ALL,
          "The same call has the same answer.", _RESULTS, needs="the same call twice"),
    Entry("RESP-009", ERROR, SERVER, PROBE, ALL,
          "A call is answered before its time is up.", _RESULTS, needs=_A_CALL,
          grades={"surroundings fail": WARNING}),
    Entry("RESP-010", ERROR, SERVER, PROBE, ALL,
          "A server survives the calls of its tools.", _ERRORS, needs=_A_CALL),
    Entry("RESP-011", INFO, SERVER, PROBE, ALL,
          "An error says what went wrong.", _ERRORS, needs=_A_CALL),
    Entry("RESP-012", INFO, SERVER, PROBE, ALL,
          "A tool does not get slower the more often it is called.", _RESULTS,
          needs="many calls that succeed, and one of them once more"),
    Entry("RESP-020", ERROR, SERVER, PROBE, ALL,
          "A server answers reads of resources and requests for prompts, and survives them.",
          "server/resources#reading-resources", needs=_A_READ),
    Entry("RESP-021", WARNING, SERVER, PROBE, ALL,
          "A listed prompt that requires no arguments can be had, and has messages.",
          "server/prompts#getting-a-prompt", needs=_A_READ),
    Entry("SCEN-001", INFO, SERVER, PROBE, ALL,
          "Some valid call of a tool succeeds.", _RESULTS, needs=_A_CALL),
    Entry("SCEN-002", INFO, SERVER, PROBE, ALL,
          "Arguments for a tool can be made from its inputSchema.", _INPUT, needs=_A_CALL),
    Entry("SCEN-003", ERROR, SERVER, PROBE, ALL,
          "A tool refuses what the configuration says that it refuses.", _ERRORS, needs=_A_CALL),
    Entry("DRIFT-001", WARNING, SERVER, PROBE, ALL,
          "A tool takes every value that its schema lists.", _INPUT, needs=_A_CALL),
    Entry("DRIFT-002", WARNING, SERVER, PROBE, ALL,
          "A tool refuses values that are not among those that its schema lists.", _INPUT,
          needs=_A_CALL),
    Entry("DRIFT-003", WARNING, SERVER, PROBE, ALL,
          "A tool refuses values of other types than its schema says.", _INPUT, needs=_A_CALL),
    Entry("DRIFT-004", WARNING, SERVER, PROBE, ALL,
          "A tool refuses a call that lacks what its schema requires.", _INPUT, needs=_A_CALL),
    Entry("DRIFT-005", WARNING, SERVER, PROBE, ALL,
          "A tool refuses values that the limits and patterns of its schema exclude.", _INPUT,
          needs=_A_CALL),
    Entry("DRIFT-006", WARNING, SERVER, PROBE, ALL,
          "The values that a refusal lists as allowed are those that the schema lists.", _INPUT,
          needs=_A_CALL),
    Entry("DRIFT-007", INFO, SERVER, PROBE, ALL,
          "A tool refuses arguments that its schema excludes.", _INPUT, needs=_A_CALL),
    Entry("DRIFT-008", WARNING, SERVER, PROBE, since(R2025_03_26),
          "After a call of a tool with readOnlyHint, other tools answer as before.", _HINTS,
          needs=_A_WITNESS),
    Entry("DRIFT-009", WARNING, SERVER, PROBE, since(R2025_03_26),
          "After an equal call of a tool with idempotentHint, other tools answer as before.",
          _HINTS, needs=_A_WITNESS),
    Entry("DRIFT-010", WARNING, SERVER, PROBE, ALL,
          "After the calls a server lists the same tools as before, or has told that they changed.",
          "server/tools#list-changed-notification", needs=_LISTED_AGAIN,
          grades={"only words": INFO}),
    Entry("LEAK-001", WARNING, SERVER, PROBE, ALL,
          "Answers hold no stack traces.", _SECURITY, needs=_A_CALL),
    Entry("LEAK-002", INFO, SERVER, PROBE, ALL,
          "Answers do not name paths of the server's machine that nobody had sent.", _SECURITY,
          needs=_A_CALL),
    Entry("LEAK-003", ERROR, SERVER, PROBE, ALL,
          "Answers hold no keys, tokens or passwords.", _SECURITY, needs=_A_CALL),
)
