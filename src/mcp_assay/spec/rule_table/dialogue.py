"""What is said while a request is open, and what a server asks of its client."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.spec.rule_table.entry import (
    ALL,
    BOTH,
    CLIENT,
    ERROR,
    INFO,
    MESSAGE,
    PROBE,
    SERVER,
    SESSION,
    WARNING,
    Entry,
    only,
    since,
    until,
)

# fmt: off
DIALOGUE_RULES: Final = (
    Entry("PROG-001", ERROR, BOTH, SESSION, ALL,
          "No two open requests of a sender have the same progressToken.",
          "basic/patterns/progress#progress-flow", needs="the requests that are still open"),
    Entry("PROG-002", ERROR, BOTH, SESSION, ALL,
          "A progress notification has the progressToken of an open request from the other side.",
          "basic/patterns/progress#behavior-requirements",
          needs="the requests that are still open"),
    Entry("PROG-003", ERROR, BOTH, SESSION, ALL,
          "For one progressToken, progress grows with every notification.",
          "basic/patterns/progress#progress-flow",
          needs="the earlier progress of the same request"),
    Entry("PROG-004", ERROR, BOTH, SESSION, ALL,
          "No progress is reported after the request is done or, for a task in 2025-11-25, after "
          "the task is.",
          "basic/patterns/progress#implementation-notes",
          needs="to know whether the request is done"),
    Entry("PROG-005", WARNING, BOTH, MESSAGE, ALL,
          "Where a total is given, progress does not exceed it.",
          "basic/patterns/progress"),
    Entry("PROG-006", ERROR, CLIENT, MESSAGE, since(R2026_07_28),
          "The client sends no progress notifications.",
          "schema.ts", open_part="who sent the message, where the input does not say"),

    Entry("CANC-001", ERROR, BOTH, SESSION, ALL,
          "A cancellation has the requestId of a request by the same sender that may still be "
          "open.",
          "basic/patterns/cancellation#behavior-requirements",
          needs="the sender's earlier requests"),
    Entry("CANC-002", WARNING, BOTH, SESSION, ALL,
          "A cancelled request gets no response, unless the two crossed on their way.",
          "basic/patterns/cancellation#behavior-requirements",
          needs="to know whether the request was cancelled"),
    Entry("CANC-003", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "The initialize request is never cancelled.",
          "basic/utilities/cancellation#behavior-requirements", needs="the request that it names"),
    Entry("CANC-004", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A request that runs as a task is cancelled with tasks/cancel, not with "
          "notifications/cancelled.",
          "basic/utilities/cancellation#behavior-requirements", needs="the request that it names"),
    Entry("CANC-005", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The server sends notifications/cancelled only for a subscriptions/listen request.",
          "basic/patterns/cancellation#behavior-requirements", needs="the request that it names"),
    Entry("CANC-006", ERROR, SERVER, SESSION, since(R2026_07_28),
          "Over stdio, the server sends nothing more for a cancelled request, but for what "
          "crosses on its way.",
          "basic/transports/stdio#cancellation", needs="to know whether the request was cancelled"),
    Entry("CANC-007", WARNING, SERVER, PROBE, ALL,
          "A cancellation of an unknown or finished request is ignored in silence.",
          "basic/patterns/cancellation#error-handling"),

    Entry("PING-001", ERROR, BOTH, MESSAGE + PROBE, until(R2025_11_25),
          "A ping is answered promptly, with an empty result.",
          "basic/utilities/ping#behavior-requirements",
          open_part="whether the answer is prompt, which needs the server to be asked"),

    Entry("ROOT-001", ERROR, CLIENT, MESSAGE, ALL,
          "The uri of a root begins with file://.",
          "client/roots#root"),
    Entry("ROOT-002", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "A client without roots answers roots/list with the error -32601.",
          "client/roots#error-handling", needs="the request that it answers"),

    Entry("SAMP-001", ERROR, SERVER, MESSAGE, ALL,
          "A sampling request has messages, which are an array, and maxTokens, which is an "
          "integer.",
          "schema#createmessagerequestparams"),
    Entry("SAMP-002", ERROR, BOTH, MESSAGE, until(R2025_06_18),
          "The content of a sampling message is a single block, up to 2025-06-18.",
          "schema#samplingmessage"),
    Entry("SAMP-003", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "A user message with a tool_result block has no blocks of another type.",
          "client/sampling#tool-result-messages"),
    Entry("SAMP-004", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "After an assistant message with tool_use blocks comes, before anything else, a user "
          "message with the tool_result blocks of the same ids.",
          "client/sampling#tool-use-and-result-balance"),
    Entry("SAMP-005", ERROR, SERVER, MESSAGE, ALL,
          "The priorities among the model preferences lie between 0 and 1.",
          "schema#modelpreferences"),
    Entry("SAMP-006", WARNING, SERVER, MESSAGE, since(R2025_11_25),
          "No deprecated feature is used: includeContext with thisServer or allServers and, since "
          "2026-07-28, roots, sampling and logging.",
          "deprecated", grades={"deprecated feature": INFO}),

    Entry("ELIC-001", ERROR, SERVER, MESSAGE, since(R2025_06_18),
          "A requestedSchema is a flat object of strings, numbers, integers, booleans, enums and, "
          "since 2025-11-25, arrays of choices.",
          "client/elicitation#requested-schema"),
    Entry("ELIC-002", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          'The mode of an elicitation is "form", or absent, with a requestedSchema, or it is '
          '"url" with a url.',
          "client/elicitation#elicitation-requests"),
    Entry("ELIC-003", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "The url of an elicitation is a valid https URL.",
          "client/elicitation#url-mode-elicitation-requests", grades={"not https": WARNING}),
    Entry("ELIC-004", ERROR, SERVER, MESSAGE, only(R2025_11_25),
          'An elicitation of the mode "url" has an elicitationId, in 2025-11-25 only.',
          "client/elicitation#url-mode-elicitation-requests"),
    Entry("ELIC-005", ERROR, CLIENT, MESSAGE, since(R2025_06_18),
          'The action in the result of an elicitation is "accept", "decline" or "cancel".',
          "schema#elicitresult"),
    Entry("ELIC-006", WARNING, CLIENT, SESSION, since(R2025_06_18),
          "The result of an elicitation has content only where a form is accepted, and that "
          "content is valid in the requestedSchema.",
          "client/elicitation#response-actions", needs="the request that it answers"),
    Entry("ELIC-007", WARNING, SERVER, MESSAGE, since(R2025_06_18),
          "A form does not ask for passwords, keys or other secrets.",
          "client/elicitation#form-mode-security"),
    Entry("ELIC-008", ERROR, SERVER, MESSAGE, only(R2025_11_25),
          'The error -32042 has an array data.elicitations, in which each has the mode "url" and '
          "an elicitationId.",
          "client/elicitation#url-elicitation-required-error"),
    Entry("ELIC-009", ERROR, SERVER, SESSION, only(R2025_11_25),
          "A notifications/elicitation/complete has an elicitationId that the server used before.",
          "client/elicitation#completion-notifications-for-url-mode-elicitation",
          needs="the earlier elicitations"),
    Entry("ELIC-010", WARNING, SERVER, MESSAGE, since(R2025_11_25),
          "Choices get their titles from oneOf with const and title, not from the outdated "
          "enumNames.",
          "schema#legacytitledenumschema"),
    Entry("ELIC-011", WARNING, CLIENT, SESSION, only(R2025_11_25),
          "A client that is asked for a mode it did not declare answers with the error -32602.",
          "client/elicitation#error-handling", needs="the request that it answers"),
)
# fmt: on
