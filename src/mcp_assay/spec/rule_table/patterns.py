"""Work that spans several messages: tasks, requests for input, subscriptions and caching."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.spec.rule_table.entry import (
    BOTH,
    CLIENT,
    ERROR,
    HTTP,
    MESSAGE,
    PROBE,
    SERVER,
    SESSION,
    WARNING,
    Entry,
    only,
    since,
)

# fmt: off
PATTERN_RULES: Final = (
    Entry("TASK-001", ERROR, BOTH, MESSAGE, only(R2025_11_25),
          "A task has a taskId, which is a string, a status, createdAt and lastUpdatedAt by ISO "
          "8601, and a ttl, which is an integer or null.",
          "basic/utilities/tasks#ttl-and-resource-management"),
    Entry("TASK-002", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A request for a task that is accepted is answered with that task, and its first status "
          'is "working".',
          "basic/utilities/tasks#task-status-lifecycle", needs="the request that it answers"),
    Entry("TASK-003", ERROR, BOTH, SESSION, only(R2025_11_25),
          "The status of a task changes only in the ways that are defined, and never again once "
          "it is final.",
          "basic/utilities/tasks#task-status-lifecycle", needs="the earlier status of the task"),
    Entry("TASK-004", ERROR, BOTH, SESSION, only(R2025_11_25),
          "No two tasks of a receiver have the same taskId.",
          "basic/utilities/tasks#task-id-requirements", needs="the other tasks of the session"),
    Entry("TASK-005", ERROR, BOTH, PROBE, only(R2025_11_25),
          "An unknown taskId in tasks/get, tasks/result or tasks/cancel is answered with the "
          "error -32602.",
          "basic/utilities/tasks#protocol-errors"),
    Entry("TASK-006", ERROR, BOTH, PROBE, only(R2025_11_25),
          "A tasks/cancel for a finished task is answered with the error -32602, and for any "
          'other with the status "cancelled".',
          "basic/utilities/tasks#task-cancellation"),
    Entry("TASK-007", ERROR, BOTH, MESSAGE, only(R2025_11_25),
          "The result of tasks/result, and each message that belongs to a task, has the taskId in "
          "_meta under io.modelcontextprotocol/related-task.",
          "basic/utilities/tasks#related-task-metadata",
          open_part="whether a message other than that result belongs to a task"),
    Entry("TASK-008", ERROR, SERVER, PROBE, only(R2025_11_25),
          "A call without a task where the tool requires one, or with a task where the tool "
          "forbids it, is answered with the error -32601.",
          "basic/utilities/tasks#tool-level-negotiation",
          grades={"task forbidden": WARNING, "refused as a result": WARNING}),
    Entry("TASK-009", ERROR, BOTH, SESSION, only(R2025_11_25),
          "A tasks/result is answered once the task is finished, with exactly what its request "
          "would have given.",
          "basic/utilities/tasks#result-retrieval", needs="the task and its request"),
    Entry("TASK-010", ERROR, BOTH, MESSAGE, since(R2026_07_28),
          'Task methods and the resultType "task" are used only where both sides advertise the '
          "extension io.modelcontextprotocol/tasks, which has neither tasks/result nor "
          "tasks/list.",
          "changelog", open_part="whether both sides advertised the extension"),

    Entry("MRTR-001", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "A result that asks for input has inputRequests, a requestState, or both.",
          "basic/patterns/mrtr#server-requirements-basic-workflow"),
    Entry("MRTR-002", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A result asks for input only in answer to tools/call, prompts/get or resources/read.",
          "basic/patterns/mrtr#supported-requests", needs="the request that it answers"),
    Entry("MRTR-003", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "Each of the inputRequests is an elicitation/create, a sampling/createMessage or a "
          "roots/list, without jsonrpc and id.",
          "basic/patterns/mrtr#inputrequests", grades={"extra members": WARNING}),
    Entry("MRTR-004", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A result asks only for input that the clientCapabilities of its request allow.",
          "basic/patterns/mrtr#server-requirements-basic-workflow",
          needs="the request that it answers"),
    Entry("MRTR-005", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry has another id than the request that it repeats.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the request that it repeats"),
    Entry("MRTR-006", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry returns the requestState exactly as it was given, or has none where none was "
          "given.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the result that asked for input"),
    Entry("MRTR-007", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A retry has inputResponses for all of the inputRequests, each valid for its kind.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the result that asked for input"),
    Entry("MRTR-008", WARNING, CLIENT, SESSION, since(R2026_07_28),
          "A retry keeps the method and the params of the request that it repeats, and no other "
          "request has its requestState.",
          "basic/patterns/mrtr#client-requirements-basic-workflow",
          needs="the request that it repeats"),
    Entry("MRTR-009", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A requestState that somebody changed is refused.",
          "basic/patterns/mrtr#server-requirements-basic-workflow"),
    Entry("MRTR-010", WARNING, SERVER, PROBE, since(R2026_07_28),
          "Where inputResponses are missing the server asks again; unknown keys are ignored, and "
          "malformed responses are answered with an error.",
          "basic/patterns/mrtr#error-handling"),

    Entry("SUB-001", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The first message of a subscription is notifications/subscriptions/acknowledged.",
          "basic/patterns/subscriptions#acknowledgment", needs="the subscription's other messages"),
    Entry("SUB-002", ERROR, SERVER, SESSION, since(R2026_07_28),
          "Every notification of a subscription has the id of its subscriptions/listen request, "
          "in the same JSON type, in _meta under io.modelcontextprotocol/subscriptionId.",
          "basic/patterns/subscriptions#receiving-notifications",
          needs="the request that opened the subscription"),
    Entry("SUB-003", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A subscription brings only notifications of the kinds that the client asked for.",
          "basic/patterns/subscriptions#opening-a-stream",
          needs="the request that opened the subscription"),
    Entry("SUB-004", ERROR, SERVER, SESSION, since(R2026_07_28),
          "An acknowledgement grants nothing that the client did not ask for.",
          "basic/patterns/subscriptions#acknowledgment",
          needs="the request that opened the subscription"),
    Entry("SUB-005", ERROR, SERVER, SESSION, since(R2026_07_28),
          "A subscription announces updates only of the URIs in its resourceSubscriptions, or of "
          "parts of them.",
          "schema#resourceupdatednotification", needs="the request that opened the subscription"),
    Entry("SUB-006", ERROR, SERVER, SESSION + HTTP, since(R2026_07_28),
          "The stream of a subscription carries no progress and no log messages.",
          "basic/transports/streamable-http#receiving-messages",
          needs="the stream that it arrived on"),
    Entry("SUB-007", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The result of subscriptions/listen repeats its own id in _meta as the subscriptionId.",
          "schema#subscriptionslistenresult"),
    Entry("SUB-008", WARNING, SERVER, SESSION, since(R2026_07_28),
          "A server that ends a subscription sends the result of subscriptions/listen, or "
          "notifications/cancelled.",
          "basic/patterns/subscriptions#graceful-closure", needs="the end of the subscription"),
    Entry("SUB-009", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A server that declares listChanged tells each listening client when a list has "
          "changed.",
          "server/tools#list-changed-notification",
          needs="a list that changes while a client listens"),

    Entry("CACHE-001", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "A complete result of server/discover, of a list or of resources/read has a ttlMs and a "
          "cacheScope.",
          "server/utilities/caching#cacheable-results"),
    Entry("CACHE-002", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          'A ttlMs is an integer of 0 or more, and a cacheScope is "public" or "private".',
          "server/utilities/caching#cacheable-model"),
    Entry("CACHE-003", ERROR, SERVER, SESSION, since(R2026_07_28),
          "All pages of a list have the same cacheScope.",
          "server/utilities/caching#interaction-with-pagination", needs="every page of the list"),
    Entry("CACHE-004", WARNING, SERVER, MESSAGE, since(R2026_07_28),
          "A result that asks for input has neither a ttlMs nor a cacheScope.",
          "server/utilities/caching#cacheable-results"),
    Entry("CACHE-005", WARNING, SERVER, SESSION, since(R2026_07_28),
          "A result that depends on the credentials of the client does not have the cacheScope "
          '"public".',
          "server/utilities/caching#security-considerations",
          needs="the same request with other credentials"),
)
# fmt: on
