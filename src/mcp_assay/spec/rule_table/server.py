"""What a server offers besides tools: resources, prompts, completion, pages and logs."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28
from mcp_assay.spec.rule_table.entry import (
    ALL,
    BOTH,
    CLIENT,
    DEFINITIONS,
    ERROR,
    HTTP,
    MESSAGE,
    PROBE,
    SERVER,
    SESSION,
    WARNING,
    Entry,
    since,
    until,
)

# fmt: off
SERVER_RULES: Final = (
    Entry("RES-001", ERROR, SERVER, DEFINITIONS, ALL,
          "A resource has a name and a uri, which is absolute by RFC 3986.",
          "server/resources#resource"),
    Entry("RES-002", WARNING, SERVER, DEFINITIONS, ALL,
          "No two resources have the same uri, on whichever pages they are listed.",
          "server/resources#resource", needs="every page of the list"),
    Entry("RES-003", ERROR, SERVER, DEFINITIONS, ALL,
          "A uriTemplate is a URI template by RFC 6570.",
          "schema#resourcetemplate"),
    Entry("RES-004", ERROR, SERVER, DEFINITIONS, since(R2025_06_18),
          "A URI scheme of the server's own follows RFC 3986.",
          "server/resources#custom-uri-schemes"),
    Entry("RES-005", WARNING, SERVER, DEFINITIONS, ALL,
          "A resource's size is an integer of 0 or more: the number of bytes that reading it "
          "gives.",
          "schema#resource"),
    Entry("RES-006", WARNING, SERVER, PROBE, until(R2025_11_25),
          "A read of an unknown resource is answered with the error -32002, up to 2025-11-25.",
          "server/resources#error-handling"),
    Entry("RES-007", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A read of an unknown resource is answered with the error -32602, since 2026-07-28.",
          "server/resources#error-handling"),
    Entry("RES-008", ERROR, SERVER, PROBE, since(R2026_07_28),
          "A read of an unknown resource does not give empty contents.",
          "server/resources#error-handling"),
    Entry("RES-009", ERROR, SERVER, SESSION, until(R2025_11_25),
          "The server announces updates only of resources that the client subscribed to, or of "
          "parts of them.",
          "server/resources#subscriptions", needs="the client's subscriptions"),
    Entry("RES-010", ERROR, SERVER, PROBE, ALL,
          "The server checks each URI and refuses one that climbs out of its folder.",
          "server/resources#security-considerations"),
    Entry("RES-011", WARNING, SERVER, PROBE, ALL,
          "Every listed resource can be read, and its contents have the URI that was asked for or "
          "one beneath it.",
          "server/resources#reading-resources"),

    Entry("PROMPT-001", WARNING, SERVER, DEFINITIONS, ALL,
          "No two prompts have the same name, and no two arguments of a prompt do.",
          "server/prompts#prompt", needs="every page of the list"),
    Entry("PROMPT-002", ERROR, CLIENT, MESSAGE, ALL,
          "The arguments of prompts/get have strings as values.",
          "schema#getpromptrequest"),
    Entry("PROMPT-003", WARNING, SERVER, PROBE, ALL,
          "A request for an unknown prompt is answered with the error -32602.",
          "server/prompts#error-handling"),
    Entry("PROMPT-004", WARNING, SERVER, PROBE, ALL,
          "A request for a prompt that lacks a required argument is answered with the error "
          "-32602.",
          "server/prompts#error-handling"),
    Entry("PROMPT-005", ERROR, SERVER, MESSAGE, ALL,
          "Images and, since 2025-03-26, audio clips have base64 as data and a valid media type.",
          "server/prompts#image-content"),
    Entry("PROMPT-006", ERROR, SERVER, MESSAGE, ALL,
          "An embedded resource has a URI, a media type, and text or a blob.",
          "server/prompts#embedded-resources"),

    Entry("COMP-001", ERROR, SERVER, MESSAGE, ALL,
          "A completion has at most 100 values.",
          "server/utilities/completion#completion-results"),
    Entry("COMP-002", ERROR, CLIENT, MESSAGE, ALL,
          "The ref of a completion has the type ref/prompt and a name, or the type ref/resource "
          "and a uri.",
          "server/utilities/completion#reference-types"),
    Entry("COMP-003", WARNING, SERVER, PROBE, since(R2025_03_26),
          "A completion for an unknown prompt or template, or without a needed argument, is "
          "answered with the error -32602, and one that the server does not offer with -32601.",
          "server/utilities/completion#error-handling"),
    Entry("COMP-004", WARNING, SERVER, MESSAGE, ALL,
          "The total of a completion is not below the number of its values, and hasMore agrees "
          "with it.",
          "server/utilities/completion#completeresult"),

    Entry("PAGE-001", ERROR, SERVER, MESSAGE, ALL,
          "A nextCursor, where there is one, is a string, never null.",
          "server/utilities/pagination#response-format"),
    Entry("PAGE-002", WARNING, SERVER, PROBE, ALL,
          "An invalid cursor is answered with the error -32602.",
          "server/utilities/pagination#error-handling"),
    Entry("PAGE-003", ERROR, CLIENT, SESSION, ALL,
          "The client sends only cursors that it was given, unchanged and for the same method.",
          "server/utilities/pagination#implementation-guidelines",
          needs="the cursors that the server gave"),
    Entry("PAGE-004", ERROR, CLIENT, SESSION, since(R2026_07_28),
          "The client treats an empty nextCursor as a cursor, not as the end of the list.",
          "server/utilities/pagination#implementation-guidelines",
          needs="what the client asks for next"),
    Entry("PAGE-005", WARNING, SERVER, PROBE, ALL,
          "A list comes to its end, page by page, without repeating a cursor or an item.",
          "server/utilities/pagination"),

    Entry("LOG-001", ERROR, BOTH, MESSAGE, ALL,
          "A log level is debug, info, notice, warning, error, critical, alert or emergency.",
          "server/utilities/logging#log-levels"),
    Entry("LOG-002", ERROR, SERVER, SESSION, since(R2026_07_28),
          "The server sends no log messages for a request without a logLevel in its _meta.",
          "server/utilities/logging#per-request-log-level", needs="the request that it belongs to"),
    Entry("LOG-003", WARNING, SERVER, SESSION, ALL,
          "The server sends no log messages below the level asked for with logging/setLevel or, "
          "since 2026-07-28, with the request's logLevel.",
          "server/utilities/logging", needs="the level that the client asked for"),
    Entry("LOG-004", ERROR, SERVER, SESSION + HTTP, since(R2026_07_28),
          "A log message goes to the stream of the request that it belongs to, never to that of a "
          "subscription.",
          "server/utilities/logging#per-request-log-level", needs="the stream that it arrived on"),
    Entry("LOG-005", WARNING, SERVER, PROBE, ALL,
          "An invalid log level is answered with the error -32602.",
          "server/utilities/logging#error-handling"),
    Entry("LOG-006", WARNING, SERVER, MESSAGE, ALL,
          "A log message reveals no passwords, keys or personal data.",
          "server/utilities/logging#security"),
)
# fmt: on
