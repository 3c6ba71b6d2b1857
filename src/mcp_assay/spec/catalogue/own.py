"""What mcp-assay adds: definitions, limits, how tools behave, and the response envelope."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.catalogue.row import (
    ALL,
    BOTH,
    DEFINITIONS,
    ERROR,
    HTTP,
    INFO,
    MESSAGE,
    PROBE,
    RESPONSE,
    SERVER,
    SESSION,
    WARNING,
    CatalogueEntry,
    since,
)
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, between

_EXPERIMENTAL: Final = "basic/lifecycle#capability-negotiation"
_ANNOUNCED: Final = "a server that announces toolValidation"
_A_CALLER: Final = "a program that uses the Python API directly"

# fmt: off
OWN_RULES: Final = (
    CatalogueEntry("LINT-001", WARNING, BOTH, MESSAGE, ALL,
          "A member's name does not differ only by case, separators or look-alike letters from a "
          "name that the specification defines.",
          "https://www.jsonrpc.org/specification#conventions"),
    CatalogueEntry("LINT-002", ERROR, BOTH, PROBE, ALL,
          "An error code lies in one of the registered ranges.",
          "https://www.jsonrpc.org/specification#error_object", needs=_A_CALLER),
    CatalogueEntry("LINT-003", ERROR, BOTH, PROBE, ALL,
          "A field has one of the requested JSON types.",
          "https://www.jsonrpc.org/specification#conventions", needs=_A_CALLER),
    CatalogueEntry("LINT-004", ERROR, BOTH, PROBE, ALL,
          "A message has all requested fields.",
          "https://www.jsonrpc.org/specification#conventions", needs=_A_CALLER),
    CatalogueEntry("LINT-005", WARNING, SERVER, PROBE, between(R2025_03_26, R2025_11_25),
          "Each session has an id of its own: no two sessions at a time have the same one.",
          "basic/transports#session-management",
          needs="two sessions at a time", since="0.2.0"),
    CatalogueEntry("LINT-006", WARNING, SERVER, HTTP, between(R2025_03_26, R2025_11_25),
          "Later responses of a session have the session id that initialize was answered with, "
          "or none.",
          "basic/transports#session-management", needs="the HTTP headers", since="0.2.0"),

    CatalogueEntry("LINT-101", WARNING, SERVER, DEFINITIONS, ALL,
          "If a description lists the values of an argument, they are those of its enum.",
          "server/tools#tool"),
    CatalogueEntry("LINT-102", INFO, SERVER, DEFINITIONS, ALL,
          "Tools that share an argument list the same values for it.",
          "server/tools#tool", needs="every page of the list"),
    CatalogueEntry("LINT-103", WARNING, SERVER, DEFINITIONS, ALL,
          "Every part of a tool's schema can be satisfied: its limits do not exclude each "
          "other, and at least one value of each enum is valid.",
          "server/tools#tool"),
    CatalogueEntry("LINT-104", WARNING, SERVER, DEFINITIONS, since(R2025_03_26),
          "A tool's hints agree with its name: a tool that deletes or sends is not read-only.",
          "schema#toolannotations",
          grades={"the name may mean something else": INFO,
                  "destructiveHint false": INFO}),

    CatalogueEntry("TVAL-001", ERROR, SERVER, PROBE, ALL,
          "A server that announces call validation lists the validation tool.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    CatalogueEntry("TVAL-002", ERROR, SERVER, PROBE, ALL,
          "The validation tool returns a verdict: valid, and errors exactly if valid is false.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    CatalogueEntry("TVAL-003", WARNING, SERVER, PROBE, ALL,
          "Arguments that violate a tool's inputSchema are not declared valid.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    CatalogueEntry("TVAL-004", WARNING, SERVER, PROBE, ALL,
          "The same call gets the same verdict as long as nothing changes.", _EXPERIMENTAL,
          needs=_ANNOUNCED),
    CatalogueEntry("TVAL-005", WARNING, SERVER, PROBE, ALL,
          "A call behaves as its verdict said.", _EXPERIMENTAL, needs=_ANNOUNCED,
          grades={"a call that was declared valid is rejected": INFO}),
    CatalogueEntry("TVAL-006", ERROR, SERVER, PROBE, ALL,
          "A server that announces batches returns a verdict for each call of a batch.",
          _EXPERIMENTAL, needs=_ANNOUNCED),
    CatalogueEntry("TVAL-007", ERROR, SERVER, PROBE, ALL,
          "Validating a call has no side effects.", _EXPERIMENTAL, needs=_ANNOUNCED),
    CatalogueEntry("TVAL-008", WARNING, SERVER, PROBE, ALL,
          "The toolValidation capability is valid and consistent.",
          _EXPERIMENTAL, needs=_ANNOUNCED),

    CatalogueEntry("LIMIT-001", WARNING, BOTH, MESSAGE, ALL,
          "A message is nested at most 1,024 levels deep; deeper parts are not checked.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
    CatalogueEntry("LIMIT-002", WARNING, BOTH, MESSAGE, ALL,
          "A message is at most 16 MiB long; longer ones are not checked.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
    CatalogueEntry("LIMIT-003", WARNING, BOTH, MESSAGE, ALL,
          "At most 100 findings per message are listed; the rest is counted.",
          "https://www.rfc-editor.org/rfc/rfc8259#section-9"),
)
# fmt: on


_A_CALL: Final = "calls that assess makes"
_A_READ: Final = "reads that assess makes"
_A_READER: Final = "another read-only tool with deterministic results"
_LISTED_AGAIN: Final = "a second tools/list"
_HINTS: Final = "schema#toolannotations"
_RESULTS: Final = "server/tools#calling-tools"
_ERRORS: Final = "server/tools#error-handling"
_INPUT: Final = "server/tools#tool"
_SECURITY: Final = "server/tools#security-considerations"

# fmt: off
BEHAVIOUR_RULES: Final = (
    CatalogueEntry("RESP-001", ERROR, SERVER, PROBE, ALL,
          "The result of a call has usable content.", _RESULTS, needs=_A_CALL,
          grades={"empty content": WARNING, "no information": WARNING,
                  "not implemented": WARNING, "another step": INFO}),
    CatalogueEntry("RESP-003", WARNING, SERVER, PROBE, ALL,
          "A result that reports an error sets isError.", _ERRORS, needs=_A_CALL),
    CatalogueEntry("RESP-004", ERROR, SERVER, PROBE, ALL,
          "A call with valid arguments does not crash the tool.", _ERRORS,
          needs=_A_CALL),
    CatalogueEntry("RESP-005", WARNING, SERVER, PROBE, ALL,
          "A call with invalid arguments is rejected and does not crash the tool.", _ERRORS,
          needs=_A_CALL),
    CatalogueEntry("RESP-006", WARNING, SERVER, PROBE, ALL,
          "JSON in the text of a result equals its structuredContent.", _RESULTS,
          needs=_A_CALL),
    CatalogueEntry("RESP-007", WARNING, SERVER, PROBE, ALL,
          "What a tool depends on is available when it is called.", _ERRORS, needs=_A_CALL,
          aliases=("surroundings-failed",)),
    CatalogueEntry("RESP-008", INFO, SERVER, PROBE, ALL,
          "The same call returns the same result.", _RESULTS,
          needs="the same call made twice by assess"),
    CatalogueEntry("RESP-009", ERROR, SERVER, PROBE, ALL,
          "A call returns before its timeout.", _RESULTS, needs=_A_CALL,
          grades={"dependency unavailable": WARNING}),
    CatalogueEntry("RESP-010", ERROR, SERVER, PROBE, ALL,
          "Tool calls do not crash the server.", _ERRORS, needs=_A_CALL),
    CatalogueEntry("RESP-011", INFO, SERVER, PROBE, ALL,
          "An error says what went wrong.", _ERRORS, needs=_A_CALL),
    CatalogueEntry("RESP-012", INFO, SERVER, PROBE, ALL,
          "A tool does not get slower the more often it is called.", _RESULTS,
          needs="many successful calls of assess, and a repetition of one of them"),
    CatalogueEntry("RESP-013", WARNING, SERVER, PROBE, ALL,
          "A result that reports success does not set isError.", _ERRORS, needs=_A_CALL,
          since="0.2.0"),
    CatalogueEntry("RESP-014", INFO, SERVER, PROBE, ALL,
          "A tool usually answers within three seconds.", _RESULTS,
          needs="several successful calls of assess", since="0.2.0"),
    CatalogueEntry("RESP-015", INFO, SERVER, PROBE, ALL,
          "All tools of a server refuse wrong arguments in the same form.", _ERRORS,
          needs="rejections of several tools that assess calls", since="0.2.0"),
    CatalogueEntry("RESP-020", ERROR, SERVER, PROBE, ALL,
          "Every resources/read and prompts/get is answered and does not crash the server.",
          "server/resources#reading-resources", needs=_A_READ),
    CatalogueEntry("RESP-021", WARNING, SERVER, PROBE, ALL,
          "A listed prompt that requires no arguments can be fetched and has messages.",
          "server/prompts#getting-a-prompt", needs=_A_READ),
    CatalogueEntry("SCEN-001", INFO, SERVER, PROBE, ALL,
          "At least one valid call to a tool succeeds.", _RESULTS, needs=_A_CALL),
    CatalogueEntry("SCEN-002", INFO, SERVER, PROBE, ALL,
          "Arguments can be generated from a tool's inputSchema.", _INPUT, needs=_A_CALL),
    CatalogueEntry("SCEN-003", ERROR, SERVER, PROBE, ALL,
          "A tool rejects the arguments that the configuration lists as invalid.", _ERRORS,
          needs=_A_CALL),
    CatalogueEntry("DRIFT-001", WARNING, SERVER, PROBE, ALL,
          "A tool accepts every value of its enums.", _INPUT, needs=_A_CALL),
    CatalogueEntry("DRIFT-002", WARNING, SERVER, PROBE, ALL,
          "A tool rejects values outside its enums.", _INPUT,
          needs=_A_CALL),
    CatalogueEntry("DRIFT-003", WARNING, SERVER, PROBE, ALL,
          "A tool rejects values of the wrong type.", _INPUT, needs=_A_CALL),
    CatalogueEntry("DRIFT-004", WARNING, SERVER, PROBE, ALL,
          "A tool rejects a call without a required argument.", _INPUT, needs=_A_CALL),
    CatalogueEntry("DRIFT-005", WARNING, SERVER, PROBE, ALL,
          "A tool rejects values outside the limits and patterns of its schema.", _INPUT,
          needs=_A_CALL),
    CatalogueEntry("DRIFT-006", WARNING, SERVER, PROBE, ALL,
          "The allowed values in an error message are those of the schema.", _INPUT,
          needs=_A_CALL),
    CatalogueEntry("DRIFT-007", INFO, SERVER, PROBE, ALL,
          "A tool rejects arguments that its schema does not allow.", _INPUT, needs=_A_CALL),
    CatalogueEntry("DRIFT-008", WARNING, SERVER, PROBE, since(R2025_03_26),
          "A call to a tool with readOnlyHint does not change what other tools return.", _HINTS,
          needs=_A_READER),
    CatalogueEntry("DRIFT-009", WARNING, SERVER, PROBE, since(R2025_03_26),
          "Repeating a call to a tool with idempotentHint does not change what other tools "
          "return.",
          _HINTS, needs=_A_READER),
    CatalogueEntry("DRIFT-010", WARNING, SERVER, PROBE, ALL,
          "If the tools change during a session, the server sends "
          "notifications/tools/list_changed.",
          "server/tools#list-changed-notification", needs=_LISTED_AGAIN, also=SESSION,
          grades={"only words": INFO}),
    CatalogueEntry("LEAK-001", WARNING, SERVER, PROBE, ALL,
          "Results contain no stack traces.", _SECURITY, needs=_A_CALL),
    CatalogueEntry("LEAK-002", INFO, SERVER, PROBE, ALL,
          "Results contain no local file paths that the client did not send.", _SECURITY,
          needs=_A_CALL),
    CatalogueEntry("LEAK-003", ERROR, SERVER, PROBE, ALL,
          "Results contain no keys, tokens or passwords.", _SECURITY, needs=_A_CALL),
)


_REPLIES: Final = "server/tools#calling-tools"
_FAULTS: Final = "server/tools#error-handling"
_TIMES: Final = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6"
_OURSELVES: Final = "mcp-assay's own tests"

# An error breaks the profile. What breaks MCP alone is a warning: the profile accepts it.
# fmt: off
ENVELOPE_RULES: Final = (
    CatalogueEntry("ENV-101", ERROR, SERVER, RESPONSE, ALL,
          "A response is an object with a content array.", _REPLIES),
    CatalogueEntry("ENV-102", ERROR, SERVER, RESPONSE, ALL,
          "The content array has at least one item.", _REPLIES),
    CatalogueEntry("ENV-103", ERROR, SERVER, RESPONSE, ALL,
          "Every content item is an object with a non-empty string as its type.", _REPLIES),
    CatalogueEntry("ENV-104", ERROR, SERVER, RESPONSE, ALL,
          "A text item has its text, which is a string.", _REPLIES),
    CatalogueEntry("ENV-105", ERROR, SERVER, RESPONSE, ALL,
          "An image item has url and altText, or data and mimeType as MCP has it; all are strings.",
          _REPLIES),
    CatalogueEntry("ENV-106", ERROR, SERVER, RESPONSE, ALL,
          "A resource item has the strings resourceType, identifier and name, or the resource that "
          "MCP embeds: its uri and its text or blob.", "server/tools#embedded-resources"),
    CatalogueEntry("ENV-107", ERROR, SERVER, RESPONSE, ALL,
          "A response has success, which is true or false.", _REPLIES),
    CatalogueEntry("ENV-108", ERROR, SERVER, RESPONSE, ALL,
          "A response has a timestamp: a string with date, time and offset as RFC 3339 has it.",
          _TIMES),
    CatalogueEntry("ENV-109", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports success has no error.", _FAULTS),
    CatalogueEntry("ENV-110", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports failure has an error object with a code and a message, both "
          "strings.", _FAULTS),
    CatalogueEntry("ENV-111", ERROR, SERVER, RESPONSE, ALL,
          "The data of a response and the details of its error are JSON values, of whatever type.",
          _REPLIES),
    CatalogueEntry("ENV-112", WARNING, SERVER, RESPONSE, ALL,
          "The type of a content item is one that MCP defines.", _REPLIES),
    CatalogueEntry("ENV-113", WARNING, SERVER, RESPONSE, ALL,
          "Image and resource items have the form that MCP gives them.", _REPLIES),
    CatalogueEntry("ENV-114", WARNING, SERVER, RESPONSE, ALL,
          "A response that reports failure also sets isError, which is what clients look at.",
          _FAULTS),
    CatalogueEntry("ENV-115", ERROR, SERVER, RESPONSE, ALL,
          "A response that reports success does not set isError to true.", _FAULTS),
    CatalogueEntry("ENV-116", WARNING, SERVER, RESPONSE, ALL,
          'The first text of a failure starts with "Error: " and the message of its error.',
          _FAULTS),
    CatalogueEntry("ENV-117", ERROR, SERVER, PROBE, ALL,
          "Responses made by a wrapper follow the profile.", _REPLIES, needs=_OURSELVES),
    CatalogueEntry("ENV-118", ERROR, SERVER, PROBE, ALL,
          "A response auditor never changes a response and never raises.", _REPLIES,
          needs=_OURSELVES),
    CatalogueEntry("ENV-119", ERROR, SERVER, PROBE, ALL,
          "A middleware that checks responses does not touch bodies that are not JSON.", _REPLIES,
          needs=_OURSELVES),
    CatalogueEntry("ENV-120", INFO, SERVER, RESPONSE, ALL,
          "The member success says whether a call succeeded, not ok, status or result.", _REPLIES),
    CatalogueEntry("ENV-121", INFO, SERVER, RESPONSE, ALL,
          "Text is readable for people; data carries the same for programs.", _REPLIES),
    CatalogueEntry("ENV-122", INFO, SERVER, RESPONSE, ALL,
          "A response that reports failure has no data, or null.", _FAULTS),
    CatalogueEntry("ENV-123", WARNING, SERVER, RESPONSE, ALL,
          "A response is a valid tools/call result of MCP.", _REPLIES),
)
# fmt: on
