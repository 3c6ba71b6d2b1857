"""How two sides come to an understanding: initialisation, versions and capabilities."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.catalogue.row import (
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
    CatalogueEntry,
    NeededEvidence,
    only,
    since,
    until,
)
from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28, between

# fmt: off
LIFECYCLE_RULES: Final = (
    CatalogueEntry("LIFE-001", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "A session begins with the client's initialize request.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    CatalogueEntry("LIFE-002", ERROR, CLIENT, MESSAGE, until(R2025_11_25),
          "The params of initialize have a protocolVersion, capabilities, and clientInfo with a "
          "name and a version.",
          "basic/lifecycle#initialization"),
    CatalogueEntry("LIFE-003", ERROR, SERVER, MESSAGE, until(R2025_11_25),
          "The result of initialize has a protocolVersion, capabilities, and serverInfo with a "
          "name and a version.",
          "basic/lifecycle#initialization"),
    CatalogueEntry("LIFE-004", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "Once initialize has succeeded, the client sends notifications/initialized exactly "
          "once.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    CatalogueEntry("LIFE-005", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "Until initialize is answered, the client sends no other request than ping.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    CatalogueEntry("LIFE-006", WARNING, SERVER, SESSION, until(R2025_11_25),
          "Until the client has sent notifications/initialized, the server sends no requests but "
          "ping; log messages are allowed.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    CatalogueEntry("LIFE-007", ERROR, SERVER, SESSION + PROBE, until(R2025_11_25),
          "If the server supports the requested version, it answers with that version.",
          "basic/lifecycle#version-negotiation",
          needs="which versions the server supports"),
    CatalogueEntry("LIFE-008", ERROR, SERVER, PROBE, until(R2025_11_25),
          "If the client requests an unknown version, the server offers one that it supports "
          "and never repeats the unknown one. The error -32602 with a list of supported "
          "versions is accepted too.",
          "basic/lifecycle#version-negotiation"),
    CatalogueEntry("LIFE-009", WARNING, SERVER, PROBE, until(R2025_11_25),
          "If the client requests an unknown version, the server offers the latest one that "
          "it supports.",
          "basic/lifecycle#version-negotiation"),
    CatalogueEntry("LIFE-010", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "A client that does not support the version it is offered disconnects.",
          "basic/lifecycle#version-negotiation",
          needs="which versions the client supports"),
    CatalogueEntry("LIFE-011", WARNING, CLIENT, SESSION, until(R2025_11_25),
          "The client sends initialize only once in a session.",
          "basic/lifecycle#initialization", needs="the beginning of the session"),
    CatalogueEntry("LIFE-012", WARNING, BOTH, SESSION, until(R2025_03_26),
          "Both sides keep to the version and the capabilities that they agreed on.",
          "basic/lifecycle#operation", needs="what both sides agreed on"),
    CatalogueEntry("LIFE-013", ERROR, BOTH, SESSION, between(R2025_06_18, R2025_11_25),
          "Both sides keep to the agreed version and use no capability that was not agreed on.",
          "basic/lifecycle#operation", needs="what both sides agreed on"),
    CatalogueEntry("LIFE-014", WARNING, BOTH, MESSAGE, until(R2025_11_25),
          "A protocolVersion is the name of a released revision.",
          "basic/lifecycle#version-negotiation"),
    CatalogueEntry("LIFE-015", WARNING, SERVER, PROBE, until(R2025_11_25),
          "Requests before initialize are rejected.",
          "basic/lifecycle#initialization", grades={"a harmless list": INFO}),
    CatalogueEntry("LIFE-016", WARNING, BOTH, MESSAGE, ALL,
          "The name and the version of a client or server are not empty.",
          "schema#implementation"),

    CatalogueEntry("VER-001", ERROR, SERVER, PROBE, since(R2026_07_28),
          "The server implements server/discover.",
          "server/discover"),
    CatalogueEntry("VER-002", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The result of server/discover has a resultType, an array supportedVersions, "
          "capabilities, ttlMs and cacheScope.",
          "server/discover#discoverresult"),
    CatalogueEntry("VER-003", WARNING, SERVER, SESSION, since(R2026_07_28),
          "The supportedVersions of a server include the version of the request that they answer.",
          "server/discover#response", needs="the request that it answers"),
    CatalogueEntry("VER-004", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request in a version that the server does not support is answered with the error "
          "-32022.",
          "basic/versioning#protocol-version-negotiation"),
    CatalogueEntry("VER-005", ERROR, SERVER, MESSAGE, since(R2026_07_28),
          "The error -32022 gives the supported versions as strings in data.supported, and the "
          "version of the request in data.requested.",
          "schema#unsupportedprotocolversionerror",
          open_part="whether data.requested is the version that was sent"),
    CatalogueEntry("VER-006", WARNING, CLIENT, SESSION, since(R2026_07_28),
          "After the error -32022 the client tries a version from data.supported, or reports the "
          "error.",
          "basic/versioning#protocol-version-negotiation",
          needs="what the client does after the error"),
    CatalogueEntry("VER-007", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request that lacks a required _meta member is answered with the error -32602, even "
          "after valid requests on the same connection.",
          "basic/index#meta"),
    CatalogueEntry("VER-008", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request without clientInfo is accepted, because clientInfo is optional.",
          "basic/index#meta"),
    CatalogueEntry("VER-009", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A request that needs a capability which the client did not declare is answered with "
          "the error -32021, and its data.requiredCapabilities is an object of such capabilities.",
          "basic/index#meta"),
    CatalogueEntry("VER-010", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The server sends no JSON-RPC requests.",
          "basic/patterns/index#request-and-response", needs=NeededEvidence.SENDER),
    CatalogueEntry("VER-011", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "The client sends no JSON-RPC responses.",
          "basic/transports/stdio#sending-messages", needs=NeededEvidence.SENDER),
    CatalogueEntry("VER-012", ERROR, SERVER, PROBE, since(R2026_07_28),
          "Methods that 2026-07-28 removed are answered with the error -32601: initialize, ping, "
          "logging/setLevel, resources/subscribe, resources/unsubscribe and the task methods.",
          "changelog"),
    CatalogueEntry("VER-013", WARNING, SERVER, PROBE, since(R2026_07_28),
          "A server without support for initialize answers it with an error that names the "
          "versions it supports.",
          "basic/versioning#backward-compatibility-with-initialization-based-versions"),
    CatalogueEntry("VER-014", ERROR, SERVER, PROBE, since(R2026_07_28),
          "Requests that build on each other also succeed over separate connections, because "
          "connections have no state.",
          "basic/index#statelessness"),
    CatalogueEntry("VER-015", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "A client that also knows initialize does not fall back to it after the errors -32020, "
          "-32021 and -32022, and does not make the fallback depend on a single error code.",
          "basic/transports/stdio#backward-compatibility",
          needs="a client that falls back after an error"),
    CatalogueEntry("VER-016", WARNING, SERVER, PROBE, since(R2026_07_28),
          "The list method of a declared capability is answered; any other returns error -32601.",
          "schema#methodnotfounderror"),

    CatalogueEntry("CAP-001", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers tools requests declares the capability tools.",
          "server/tools#capabilities", needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-002", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers prompts requests declares the capability prompts.",
          "server/prompts#capabilities", needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-003", ERROR, SERVER, SESSION + PROBE, ALL,
          "A server that answers resources requests declares the capability resources.",
          "server/resources#capabilities", needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-004", ERROR, SERVER, SESSION, ALL,
          "A server that sends log messages declares the capability logging.",
          "server/utilities/logging#capabilities",
          needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-005", ERROR, SERVER, SESSION + PROBE, since(R2025_03_26),
          "A server that answers completion requests declares the capability completions.",
          "server/utilities/completion#capabilities",
          needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-006", ERROR, BOTH, SESSION, until(R2025_11_25),
          "Clients subscribe to resources, and servers announce updates of them, only where the "
          "server declares resources.subscribe as true.",
          "server/resources#capabilities", needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-007", ERROR, SERVER, SESSION, ALL,
          "The server announces that a list has changed only where it declares listChanged as "
          "true for that list.",
          "server/tools#capabilities", needs="the capabilities that the server declared"),
    CatalogueEntry("CAP-008", ERROR, SERVER, SESSION, ALL,
          "The server asks for roots only where the client declares the capability roots.",
          "client/roots#capabilities", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-009", ERROR, SERVER, SESSION, ALL,
          "The server asks for sampling only where the client declares the capability sampling.",
          "client/sampling#capabilities", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-010", ERROR, SERVER, SESSION, since(R2025_06_18),
          "The server asks for elicitation only where the client declares the capability "
          "elicitation.",
          "client/elicitation#capabilities", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-011", ERROR, SERVER, SESSION, since(R2025_11_25),
          "A sampling request has tools or toolChoice only where the client declares "
          "sampling.tools.",
          "client/sampling#tools-in-sampling", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-012", ERROR, SERVER, SESSION, since(R2025_11_25),
          "An elicitation has a mode that the client declares; an empty capability stands for "
          "forms only.",
          "client/elicitation#capabilities", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-013", WARNING, SERVER, SESSION, since(R2025_11_25),
          "A sampling request sets includeContext to thisServer or allServers only where the "
          "client declares sampling.context.",
          "client/sampling#capabilities", needs="the capabilities that the client declared"),
    CatalogueEntry("CAP-014", ERROR, BOTH, SESSION, only(R2025_11_25),
          "Tasks are requested, listed and cancelled only as far as the other side's capability "
          "tasks allows.",
          "basic/utilities/tasks#capability-negotiation",
          needs="the capabilities that the other side declared"),
    CatalogueEntry("CAP-015", ERROR, SERVER, PROBE, ALL,
          "The methods of a declared capability are not answered with the error -32601.",
          "server/tools#capabilities"),
    CatalogueEntry("CAP-016", ERROR, CLIENT, SESSION, until(R2025_11_25),
          "The client announces that its roots have changed only where it declares "
          "roots.listChanged as true.",
          "client/roots#capabilities", needs="the capabilities that the client declared"),
)
# fmt: on
