"""What is said while a request is open, and work that spans several messages."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.catalogue.row import (
    ALL,
    BOTH,
    CLIENT,
    ERROR,
    HTTP,
    INFO,
    MESSAGE,
    PROBE,
    SERVER,
    SESSION,
    WARNING,
    CatalogueEntry,
    NeededEvidence,
    only,
    since,
    until,
)
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28

# fmt: off
DIALOGUE_RULES: Final = (
    CatalogueEntry("PROG-001", ERROR, BOTH, SESSION, ALL,
          "No two open requests of a sender have the same progressToken.",
          "basic/patterns/progress#progress-flow", needs="the requests that are still open"),
    CatalogueEntry("PROG-002", ERROR, BOTH, SESSION, ALL,
          "A progress notification has the progressToken of an open request from the other side.",
          "basic/patterns/progress#behavior-requirements",
          needs="the requests that are still open"),
    CatalogueEntry("PROG-003", ERROR, BOTH, SESSION, ALL,
          "For one progressToken, progress grows with every notification.",
          "basic/patterns/progress#progress-flow",
          needs="the earlier progress of the same request"),
    CatalogueEntry("PROG-004", ERROR, BOTH, SESSION, ALL,
          "No progress is reported after the request is done or, for a task in 2025-11-25, after "
          "the task is.",
          "basic/patterns/progress#implementation-notes",
          needs="whether the request is done"),
    CatalogueEntry("PROG-005", WARNING, BOTH, MESSAGE, ALL,
          "Where a total is given, progress does not exceed it.",
          "basic/patterns/progress"),
    CatalogueEntry("PROG-006", ERROR, CLIENT, MESSAGE, since(R2026_07_28),
          "The client sends no progress notifications.",
          "schema.ts", open_part=NeededEvidence.SENDER),

    CatalogueEntry("CANC-001", ERROR, BOTH, SESSION, ALL,
          "A cancellation has the requestId of a request by the same sender that may still be "
          "open.",
          "basic/patterns/cancellation#behavior-requirements",
          needs="the sender's earlier requests"),
    CatalogueEntry("CANC-002", WARNING, BOTH, SESSION, ALL,
          "A cancelled request gets no response, unless response and cancellation crossed.",
          "basic/patterns/cancellation#behavior-requirements",
          needs="whether the request was cancelled"),
    CatalogueEntry("CANC-003", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "The initialize request is never cancelled.",
          "basic/utilities/cancellation#behavior-requirements", needs="the cancelled request"),
    CatalogueEntry("CANC-004", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A request that runs as a task is cancelled with tasks/cancel, not with "
          "notifications/cancelled.",
          "basic/utilities/cancellation#behavior-requirements", needs="the cancelled request"),
    CatalogueEntry("CANC-005", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The server sends notifications/cancelled only for a subscriptions/listen request.",
          "basic/patterns/cancellation#behavior-requirements", needs="the cancelled request"),
    CatalogueEntry("CANC-006", ERROR, SERVER, SESSION, since(R2026_07_28),
          "Over stdio, the server sends nothing more for a cancelled request, except "
          "messages already on their way.",
          "basic/transports/stdio#cancellation", needs="whether the request was cancelled"),
    CatalogueEntry("CANC-007", WARNING, SERVER, PROBE, ALL,
          "A cancellation of an unknown or finished request is silently ignored.",
          "basic/patterns/cancellation#error-handling"),

    CatalogueEntry("PING-001", ERROR, BOTH, MESSAGE + PROBE, until(R2025_11_25),
          "A ping is answered promptly, with an empty result.",
          "basic/utilities/ping#behavior-requirements",
          open_part="whether the response is prompt, which needs a request that assess sends"),

    CatalogueEntry("ROOT-001", ERROR, CLIENT, MESSAGE, ALL,
          "The uri of a root begins with file://.",
          "client/roots#root"),
    CatalogueEntry("ROOT-002", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "A client without roots answers roots/list with the error -32601.",
          "client/roots#error-handling", needs="the request that it answers"),

    CatalogueEntry("SAMP-001", ERROR, SERVER, MESSAGE, ALL,
          "A sampling request has messages, which are an array, and maxTokens, which is an "
          "integer.",
          "schema#createmessagerequestparams"),
    CatalogueEntry("SAMP-002", ERROR, BOTH, MESSAGE, until(R2025_06_18),
          "The content of a sampling message is a single block, up to 2025-06-18.",
          "schema#samplingmessage"),
    CatalogueEntry("SAMP-003", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "A user message with a tool_result block has no blocks of another type.",
          "client/sampling#tool-result-messages"),
    CatalogueEntry("SAMP-004", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "After an assistant message with tool_use blocks comes, before anything else, a user "
          "message with the tool_result blocks of the same ids.",
          "client/sampling#tool-use-and-result-balance"),
    CatalogueEntry("SAMP-005", ERROR, SERVER, MESSAGE, ALL,
          "The priorities among the model preferences lie between 0 and 1.",
          "schema#modelpreferences"),
    CatalogueEntry("SAMP-006", WARNING, SERVER, MESSAGE, since(R2025_11_25),
          "No deprecated feature is used: includeContext with thisServer or allServers and, since "
          "2026-07-28, roots, sampling and logging.",
          "deprecated", grades={"deprecated feature": INFO}),

    CatalogueEntry("ELIC-001", ERROR, SERVER, MESSAGE, since(R2025_06_18),
          "A requestedSchema is a flat object of strings, numbers, integers, booleans, enums and, "
          "since 2025-11-25, arrays of choices.",
          "client/elicitation#requested-schema"),
    CatalogueEntry("ELIC-002", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          'The mode of an elicitation is "form", or absent, with a requestedSchema, or it is '
          '"url" with a url.',
          "client/elicitation#elicitation-requests"),
    CatalogueEntry("ELIC-003", ERROR, SERVER, MESSAGE, since(R2025_11_25),
          "The url of an elicitation is a valid https URL.",
          "client/elicitation#url-mode-elicitation-requests", grades={"not https": WARNING}),
    CatalogueEntry("ELIC-004", ERROR, SERVER, MESSAGE, only(R2025_11_25),
          'An elicitation of the mode "url" has an elicitationId, in 2025-11-25 only.',
          "client/elicitation#url-mode-elicitation-requests"),
    CatalogueEntry("ELIC-005", ERROR, CLIENT, MESSAGE, since(R2025_06_18),
          'The action in the result of an elicitation is "accept", "decline" or "cancel".',
          "schema#elicitresult"),
    CatalogueEntry("ELIC-006", WARNING, CLIENT, SESSION, since(R2025_06_18),
          "The result of an elicitation has content only where a form is accepted, and that "
          "content is valid in the requestedSchema.",
          "client/elicitation#response-actions", needs="the request that it answers"),
    CatalogueEntry("ELIC-007", WARNING, SERVER, MESSAGE, since(R2025_06_18),
          "A form does not ask for passwords, keys or other secrets.",
          "client/elicitation#form-mode-security"),
    CatalogueEntry("ELIC-008", ERROR, SERVER, MESSAGE, only(R2025_11_25),
          'The error -32042 has an array data.elicitations, in which each has the mode "url" and '
          "an elicitationId.",
          "client/elicitation#url-elicitation-required-error"),
    CatalogueEntry("ELIC-009", ERROR, SERVER, SESSION, only(R2025_11_25),
          "A notifications/elicitation/complete has an elicitationId that the server used before.",
          "client/elicitation#completion-notifications-for-url-mode-elicitation",
          needs="the earlier elicitations"),
    CatalogueEntry("ELIC-010", WARNING, SERVER, MESSAGE, since(R2025_11_25),
          "Choices get their titles from oneOf with const and title, not from the outdated "
          "enumNames.",
          "schema#legacytitledenumschema"),
    CatalogueEntry("ELIC-011", WARNING, CLIENT, SESSION, only(R2025_11_25),
          "A client rejects an elicitation mode that it did not declare with error -32602.",
          "client/elicitation#error-handling", needs="the request that it answers"),
)
# fmt: on


# fmt: off
PATTERN_RULES: Final = (
    CatalogueEntry("TASK-001", ERROR, BOTH, MESSAGE, only(R2025_11_25),
          "A task has a taskId, which is a string, a status, createdAt and lastUpdatedAt by ISO "
          "8601, and a ttl, which is an integer or null.",
          "basic/utilities/tasks#ttl-and-resource-management"),
    CatalogueEntry("TASK-002", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A request for a task that is accepted is answered with that task, and its first status "
          'is "working".',
          "basic/utilities/tasks#task-status-lifecycle", needs="the request that it answers"),
    CatalogueEntry("TASK-003", ERROR, BOTH, SESSION, only(R2025_11_25),
          "The status of a task changes only in the ways that are defined, and never again once "
          "it is final.",
          "basic/utilities/tasks#task-status-lifecycle", needs="the earlier status of the task"),
    CatalogueEntry("TASK-004", ERROR, BOTH, SESSION, only(R2025_11_25),
          "No two tasks of a receiver have the same taskId.",
          "basic/utilities/tasks#task-id-requirements", needs="the other tasks of the session"),
    CatalogueEntry("TASK-005", ERROR, BOTH, PROBE, only(R2025_11_25),
          "An unknown taskId in tasks/get, tasks/result or tasks/cancel is answered with the "
          "error -32602.",
          "basic/utilities/tasks#protocol-errors"),
    CatalogueEntry("TASK-006", ERROR, BOTH, PROBE, only(R2025_11_25),
          "A tasks/cancel for a finished task is answered with the error -32602, and for any "
          'other with the status "cancelled".',
          "basic/utilities/tasks#task-cancellation"),
    CatalogueEntry("TASK-007", ERROR, BOTH, MESSAGE, only(R2025_11_25),
          "The result of tasks/result, and each message that belongs to a task, has the taskId in "
          "_meta under io.modelcontextprotocol/related-task.",
          "basic/utilities/tasks#related-task-metadata",
          open_part="whether a message other than that result belongs to a task"),
    CatalogueEntry("TASK-008", ERROR, SERVER, PROBE, only(R2025_11_25),
          "A call without a task where the tool requires one, or with a task where the tool "
          "forbids it, is answered with the error -32601.",
          "basic/utilities/tasks#tool-level-negotiation",
          grades={"task forbidden": WARNING, "refused as a result": WARNING}),
    CatalogueEntry("TASK-009", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A tasks/result is answered once the task is finished, with exactly what its request "
          "would have given.",
          "basic/utilities/tasks#result-retrieval", needs="the task and its request"),
    CatalogueEntry("TASK-010", ERROR, BOTH, MESSAGE, since(R2026_07_28),
          'Task methods and the resultType "task" are used only where both sides advertise the '
          "extension io.modelcontextprotocol/tasks, which has neither tasks/result nor "
          "tasks/list.",
          "changelog", open_part="whether both sides advertised the extension"),

    CatalogueEntry("MRTR-001", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "A result that asks for input has inputRequests, a requestState, or both.",
          "basic/patterns/mrtr#server-requirements-basic-workflow"),
    CatalogueEntry("MRTR-002", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A result asks for input only in answer to tools/call, prompts/get or resources/read.",
          "basic/patterns/mrtr#supported-requests", needs="the request that it answers"),
    CatalogueEntry("MRTR-003", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "Each of the inputRequests is an elicitation/create, a sampling/createMessage or a "
          "roots/list, without jsonrpc and id.",
          "basic/patterns/mrtr#inputrequests", grades={"extra members": WARNING}),
    CatalogueEntry("MRTR-004", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A result asks only for input that the clientCapabilities of its request allow.",
          "basic/patterns/mrtr#server-requirements-basic-workflow",
          needs="the request that it answers"),
    CatalogueEntry("MRTR-005", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry has a different id than the original request.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the original request"),
    CatalogueEntry("MRTR-006", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry returns the requestState exactly as it was given, or has none where none was "
          "given.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the result that asked for input"),
    CatalogueEntry("MRTR-007", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry has inputResponses for all of the inputRequests, each valid for its kind.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the result that asked for input"),
    CatalogueEntry("MRTR-008", WARNING, CLIENT, SESSION, since(R2026_07_28),
          "A retry keeps the method and the params of the original request, and no other "
          "request has its requestState.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the original request"),
    CatalogueEntry("MRTR-009", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A requestState that was tampered with is rejected.",
          "basic/patterns/mrtr#server-requirements-basic-workflow"),
    CatalogueEntry("MRTR-010", WARNING, SERVER, PROBE, since(R2026_07_28),
          "If inputResponses are missing, the server asks again; unknown keys are ignored, "
          "and malformed responses are answered with an error.",
          "basic/patterns/mrtr#error-handling"),

    CatalogueEntry("SUB-001", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The first message of a subscription is notifications/subscriptions/acknowledged.",
          "basic/patterns/subscriptions#acknowledgment", needs="the subscription's other messages"),
    CatalogueEntry("SUB-002", ERROR, SERVER, SESSION, since(R2026_07_28),
          "Every notification of a subscription has the id of its subscriptions/listen request, "
          "in the same JSON type, in _meta under io.modelcontextprotocol/subscriptionId.",
          "basic/patterns/subscriptions#receiving-notifications",
          needs="the request that opened the subscription"),
    CatalogueEntry("SUB-003", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A subscription delivers only the kinds of notifications that the client requested.",
          "basic/patterns/subscriptions#opening-a-stream",
          needs="the request that opened the subscription"),
    CatalogueEntry("SUB-004", ERROR, SERVER, SESSION, since(R2026_07_28),
          "An acknowledgement includes nothing that the client did not request.",
          "basic/patterns/subscriptions#acknowledgment",
          needs="the request that opened the subscription"),
    CatalogueEntry("SUB-005", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A subscription announces updates only of the URIs in its resourceSubscriptions, or of "
          "parts of them.",
          "schema#resourceupdatednotification", needs="the request that opened the subscription"),
    CatalogueEntry("SUB-006", ERROR, SERVER, SESSION + HTTP, since(R2026_07_28),
          "The stream of a subscription carries no progress and no log messages.",
          "basic/transports/streamable-http#receiving-messages",
          needs="the stream that it arrived on"),
    CatalogueEntry("SUB-007", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The result of subscriptions/listen repeats its own id in _meta as the subscriptionId.",
          "schema#subscriptionslistenresult"),
    CatalogueEntry("SUB-008", WARNING, SERVER, SESSION, since(R2026_07_28),
          "A server that ends a subscription sends the result of subscriptions/listen, or "
          "notifications/cancelled.",
          "basic/patterns/subscriptions#graceful-closure", needs="the end of the subscription"),
    CatalogueEntry("SUB-009", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A server that declares listChanged notifies each subscribed client when a list "
          "changes.",
          "server/tools#list-changed-notification",
          needs="a list that changes while a client is subscribed", also=SESSION,
          aliases=("change-not-told",)),

    CatalogueEntry("CACHE-001", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "A complete result of server/discover, of a list or of resources/read has a ttlMs and a "
          "cacheScope.",
          "server/utilities/caching#cacheable-results"),
    CatalogueEntry("CACHE-002", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          'A ttlMs is an integer of 0 or more, and a cacheScope is "public" or "private".',
          "server/utilities/caching#cacheable-model"),
    CatalogueEntry("CACHE-003", ERROR, SERVER, SESSION, since(R2026_07_28),
          "All pages of a list have the same cacheScope.",
          "server/utilities/caching#interaction-with-pagination", needs="every page of the list"),
    CatalogueEntry("CACHE-004", WARNING, SERVER, MESSAGE, since(R2026_07_28),
          "A result that asks for input has neither a ttlMs nor a cacheScope.",
          "server/utilities/caching#cacheable-results"),
    CatalogueEntry("CACHE-005", WARNING, SERVER, SESSION, since(R2026_07_28),
          "A result that depends on the credentials of the client does not have the cacheScope "
          '"public".',
          "server/utilities/caching#security-considerations",
          needs="the same request with other credentials"),
)
# fmt: on
