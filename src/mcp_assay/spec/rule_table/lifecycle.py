"""How two sides come to an understanding: initialisation, versions and capabilities."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28, between
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
LIFECYCLE_RULES: Final = (
    Entry("LIFE-001", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "A session begins with the client's initialize request.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    Entry("LIFE-002", ERROR, CLIENT, MESSAGE, until(R2025_11_25),
          "The params of initialize have a protocolVersion, capabilities, and clientInfo with a "
          "name and a version.",
          "basic/lifecycle#initialization"),
    Entry("LIFE-003", ERROR, SERVER, MESSAGE, until(R2025_11_25),
          "The result of initialize has a protocolVersion, capabilities, and serverInfo with a "
          "name and a version.",
          "basic/lifecycle#initialization"),
    Entry("LIFE-004", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "Once initialize has succeeded, the client sends notifications/initialized exactly "
          "once.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    Entry("LIFE-005", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "Until initialize is answered, the client sends no other request than ping.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    Entry("LIFE-006", WARNING, SERVER, SESSION, until(R2025_11_25),
          "Until the client has sent notifications/initialized, the server sends no requests but "
          "ping; log messages are allowed.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    Entry("LIFE-007", ERROR, SERVER, SESSION + PROBE, until(R2025_11_25),
          "A server that supports the version it is asked for answers with that same version.",
          "basic/lifecycle#version-negotiation",
          needs="to know which versions the server supports"),
    Entry("LIFE-008", ERROR, SERVER, PROBE, until(R2025_11_25),
          "A server that is asked for an unknown version offers one that it supports, and never "
          "repeats the unknown one. The error -32602 with a list of supported versions is "
          "accepted too.",
          "basic/lifecycle#version-negotiation"),
    Entry("LIFE-009", WARNING, SERVER, PROBE, until(R2025_11_25),
          "A server that is asked for an unknown version offers the latest one that it supports.",
          "basic/lifecycle#version-negotiation"),
    Entry("LIFE-010", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "A client that does not support the version it is offered disconnects.",
          "basic/lifecycle#version-negotiation",
          needs="to know which versions the client supports"),
    Entry("LIFE-011", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "The client sends initialize only once in a session.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    Entry("LIFE-012", WARNING, BOTH, SESSION, until(R2025_03_26),
          "Both sides keep to the version and the capabilities that they agreed on.",
          "basic/lifecycle#operation", needs="what both sides agreed on"),
    Entry("LIFE-013", ERROR, BOTH, SESSION, between(R2025_06_18, R2025_11_25),
          "Both sides keep to the agreed version and use no capability that was not agreed on.",
          "basic/lifecycle#operation", needs="what both sides agreed on"),
    Entry("LIFE-014", WARNING, BOTH, MESSAGE, until(R2025_11_25),
          "A protocolVersion is the name of a released revision.",
          "basic/lifecycle#version-negotiation"),
    Entry("LIFE-015", WARNING, SERVER, PROBE, until(R2025_11_25),
          "A request before initialize is not served as if the session had begun.",
          "basic/lifecycle#initialization", grades={"a list that anybody may have": INFO}),
    Entry("LIFE-016", WARNING, BOTH, MESSAGE, ALL,
          "The name and the version of a client or server are not empty.",
          "schema#implementation"),

    Entry("VER-001", ERROR, SERVER, PROBE, since(R2026_07_28),
          "The server offers server/discover.",
          "server/discover"),
    Entry("VER-002", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The result of server/discover has a resultType, an array supportedVersions, "
          "capabilities, ttlMs and cacheScope.",
          "server/discover#discoverresult"),
    Entry("VER-003", WARNING, SERVER, SESSION, since(R2026_07_28),
          "The supportedVersions of a server include the version of the request that they answer.",
          "server/discover#response", needs="the request that it answers"),
    Entry("VER-004", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request in a version that the server does not support is answered with the error "
          "-32022.",
          "basic/versioning#protocol-version-negotiation"),
    Entry("VER-005", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The error -32022 gives the supported versions as strings in data.supported, and the "
          "version of the request in data.requested.",
          "schema#unsupportedprotocolversionerror",
          open_part="whether data.requested is the version that was sent"),
    Entry("VER-006", WARNING, CLIENT, SESSION, since(R2026_07_28),
          "After the error -32022 the client tries a version from data.supported, or reports the "
          "error.",
          "basic/versioning#protocol-version-negotiation",
          needs="what the client does after the error"),
    Entry("VER-007", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request that lacks a required _meta member is answered with the error -32602, even "
          "after valid requests on the same connection.",
          "basic/index#meta"),
    Entry("VER-008", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request without clientInfo is served, because clientInfo is optional.",
          "basic/index#meta"),
    Entry("VER-009", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request that needs a capability which the client did not declare is answered with "
          "the error -32021, and its data.requiredCapabilities is an object of such capabilities.",
          "basic/index#meta"),
    Entry("VER-010", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The server sends no JSON-RPC requests.",
          "basic/patterns/index#request-and-response", needs="to know who sent the message"),
    Entry("VER-011", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "The client sends no JSON-RPC responses.",
          "basic/transports/stdio#sending-messages", needs="to know who sent the message"),
    Entry("VER-012", ERROR, SERVER, PROBE, since(R2026_07_28),
          "Methods that 2026-07-28 removed are answered with the error -32601: initialize, ping, "
          "logging/setLevel, resources/subscribe, resources/unsubscribe and the task methods.",
          "changelog"),
    Entry("VER-013", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A server without support for initialize answers it with an error that names the "
          "versions it supports.",
          "basic/versioning#backward-compatibility-with-initialization-based-versions"),
    Entry("VER-014", ERROR, SERVER, PROBE, since(R2026_07_28),
          "Requests that build on each other also succeed over separate connections, because no "
          "connection has a state of its own.",
          "basic/index#statelessness"),
    Entry("VER-015", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A client that also knows initialize does not fall back to it after the errors -32020, "
          "-32021 and -32022, and does not make the fallback depend on a single error code.",
          "basic/transports/stdio#backward-compatibility",
          needs="a client that falls back after an error"),
    Entry("VER-016", WARNING, SERVER, PROBE, since(R2026_07_28),
          "The list method of a declared capability is answered, and that of any other gives the "
          "error -32601.",
          "schema#methodnotfounderror"),

    Entry("CAP-001", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers tools requests declares the capability tools.",
          "server/tools#capabilities", needs="the capabilities that the server declared"),
    Entry("CAP-002", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers prompts requests declares the capability prompts.",
          "server/prompts#capabilities", needs="the capabilities that the server declared"),
    Entry("CAP-003", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers resources requests declares the capability resources.",
          "server/resources#capabilities", needs="the capabilities that the server declared"),
    Entry("CAP-004", ERROR, SERVER, SESSION, ALL,
          "A server that sends log messages declares the capability logging.",
          "server/utilities/logging#capabilities",
          needs="the capabilities that the server declared"),
    Entry("CAP-005", ERROR, SERVER, SESSION + PROBE, since(R2025_03_26),
          "A server that answers completion requests declares the capability completions.",
          "server/utilities/completion#capabilities",
          needs="the capabilities that the server declared"),
    Entry("CAP-006", ERROR, BOTH, SESSION, until(R2025_11_25),
          "Clients subscribe to resources, and servers announce updates of them, only where the "
          "server declares resources.subscribe as true.",
          "server/resources#capabilities", needs="the capabilities that the server declared"),
    Entry("CAP-007", ERROR, SERVER, SESSION, ALL,
          "The server announces that a list has changed only where it declares listChanged as "
          "true for that list.",
          "server/tools#capabilities", needs="the capabilities that the server declared"),
    Entry("CAP-008", ERROR, SERVER, SESSION, ALL,
          "The server asks for roots only where the client declares the capability roots.",
          "client/roots#capabilities", needs="the capabilities that the client declared"),
    Entry("CAP-009", ERROR, SERVER, SESSION, ALL,
          "The server asks for sampling only where the client declares the capability sampling.",
          "client/sampling#capabilities", needs="the capabilities that the client declared"),
    Entry("CAP-010", ERROR, SERVER, SESSION, since(R2025_06_18),
          "The server asks for elicitation only where the client declares the capability "
          "elicitation.",
          "client/elicitation#capabilities", needs="the capabilities that the client declared"),
    Entry("CAP-011", ERROR, SERVER, SESSION, since(R2025_11_25),
          "A sampling request has tools or toolChoice only where the client declares "
          "sampling.tools.",
          "client/sampling#tools-in-sampling", needs="the capabilities that the client declared"),
    Entry("CAP-012", ERROR, SERVER, SESSION, since(R2025_11_25),
          "An elicitation has a mode that the client declares; an empty capability stands for "
          "forms only.",
          "client/elicitation#capabilities", needs="the capabilities that the client declared"),
    Entry("CAP-013", WARNING, SERVER, SESSION, since(R2025_11_25),
          "A sampling request sets includeContext to thisServer or allServers only where the "
          "client declares sampling.context.",
          "client/sampling#capabilities", needs="the capabilities that the client declared"),
    Entry("CAP-014", ERROR, BOTH, SESSION, only(R2025_11_25),
          "Tasks are requested, listed and cancelled only as far as the other side's capability "
          "tasks allows.",
          "basic/utilities/tasks#capability-negotiation",
          needs="the capabilities that the other side declared"),
    Entry("CAP-015", ERROR, SERVER, PROBE, ALL,
          "The methods of a declared capability are not answered with the error -32601.",
          "server/tools#capabilities"),
    Entry("CAP-016", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "The client announces that its roots have changed only where it declares "
          "roots.listChanged as true.",
          "client/roots#capabilities", needs="the capabilities that the client declared"),
)
# fmt: on
