"""How a server over HTTP checks headers and gives statuses, since 2026-07-28."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.probe import Ask, Bend, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.confirmation import Part
from mcp_assay.rules.probe.http_requests import (
    METHOD,
    NAME,
    VERSION,
    bare,
    error_code,
    in_words,
    is_about_something_else,
    succeeded,
    takes_handshakes,
)
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Known,
    Verdicts,
    fault,
    how_it_ended,
    not_testable,
    probe,
    undecided,
)
from mcp_assay.session.exchanges import headers_of, in_base64, value_at, written
from mcp_assay.session.handshake import CLIENT_CAPABILITIES, VERSION_KEY

BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
NOT_ALLOWED: Final = 405
HEADER_MISMATCH: Final = -32020
UNSUPPORTED: Final = -32022
BOTH_ERAS: Final = "the server also supports older revisions"
DISCOVER: Final = "server/discover"
NO_METHOD: Final = "mcp-assay/no-such-method"
NO_REVISION: Final = "1900-01-01"
NO_TOOL: Final = {"name": "mcp-assay-no-such-tool", "arguments": {}}
FAR_TOOL: Final = {"name": "mcp-assay-kein-sölches-werkzeug", "arguments": {}}
"""Its name can be sent in a header as base64 only."""
NO_VALUE: Final = "mcp-assay-no-such-value"
NO_CALL_WITH_HEADERS: Final = "no tool with x-mcp-header arguments may be called"
OTHER_VERSION: Final = "has a protocol version in its header that does not exist"
"""A revision of the other era may lead to what a server of both eras has for that one."""
EARLIER: Final = "this does not apply to earlier revisions"
SPEAKS_BOTH: Final = "the server also supports earlier revisions"


@probe("HTTP-033", "HTTP-042", over="streamable http")
def status_of_unknown_method(server: Known) -> Dialogue:
    """Ask for a method that nobody has, and see with which status and id it is refused."""
    if not server.is_modern:
        return [not_testable(rule, EARLIER) for rule in ("HTTP-033", "HTTP-042")]
    reply = yield Ask(NO_METHOD)
    code = error_code(reply)
    if code is None or reply.status is None:
        reason = f"the server {how_it_ended(reply)}"
        return [undecided(rule, reason) for rule in ("HTTP-033", "HTTP-042")]
    verdicts: Verdicts = []
    if code != METHOD_NOT_FOUND:
        verdicts.append(undecided("HTTP-033", f"the server rejects the method with error {code}"))
    elif reply.status != NOT_FOUND:
        text = f"Error -32601 came with HTTP status {reply.status}, not 404."
        verdicts.append(fault("HTTP-033", text))
    if reply.is_misnamed:
        text = "The error's id is not the id of the request."
        verdicts.append(fault("HTTP-042", text))
    return verdicts


@probe("HTTP-034", "HTTP-035", over="streamable http")
def headers_and_body(server: Known) -> Dialogue:
    """Ask with headers that say something else than the body, and with headers spelt otherwise."""
    if not server.is_modern:
        return [not_testable(rule, EARLIER) for rule in ("HTTP-034", "HTTP-035")]
    usual = yield Ask(DISCOVER)
    if not usual.is_result:
        reason = f"the server {how_it_ended(usual)} for an ordinary request"
        return [undecided(rule, reason) for rule in ("HTTP-034", "HTTP-035")]
    missing = yield _bent(DISCOVER, {METHOD: None})
    other = yield _bent(DISCOVER, {METHOD: "tools/list"})
    version = yield _bent(DISCOVER, {VERSION: NO_REVISION})
    spelt = yield _bent(DISCOVER, {METHOD: None, METHOD.upper(): DISCOVER})
    is_unlike = error_code(version) not in (HEADER_MISMATCH, UNSUPPORTED)
    grade = BOTH_ERAS if is_unlike and (yield from takes_handshakes(server)) else None
    verdicts: Verdicts = [
        *_mismatch(missing, usual, "has no Mcp-Method"),
        *_mismatch(other, usual, "names another method in Mcp-Method"),
        *_mismatch(version, usual, OTHER_VERSION, grade),
        *_refused_in_vain(spelt, "because of upper and lower case in a header name", "case"),
    ]
    if server.declares("tools"):
        verdicts += yield from _names()
        verdicts += yield from _arguments(server)
    if HEADER_MISMATCH not in map(error_code, (missing, other)) and not verdicts:
        came = in_words(missing)
        verdicts = [undecided("HTTP-034", f"a request without Mcp-Method gets {came}")]
    return _one_each(verdicts)


def _names() -> Part[Verdicts]:
    """Compare Mcp-Name with a tool that nobody has: whatever is served, nothing is called."""
    plain = yield Ask("tools/call", NO_TOOL)
    if error_code(plain) == HEADER_MISMATCH or plain.status is None:
        return []
    other = yield _bent("tools/call", {NAME: "mcp-assay-another-tool"}, NO_TOOL)
    far = yield Ask("tools/call", FAR_TOOL)
    return [
        *_mismatch(other, plain, "names another tool in Mcp-Name"),
        *_refused_in_vain(far, "although the base64 in Mcp-Name decodes to the right name", ""),
    ]


def _arguments(server: Known) -> Part[Verdicts]:
    """Compare the headers of arguments, with the call of a tool that may be called."""
    call = next(_calls_with_headers(server), None)
    if call is None:
        is_declared = any(map(headers_of, server.tools))
        return [undecided("HTTP-034", NO_CALL_WITH_HEADERS)] if is_declared else []
    params, header, value = call
    plain = yield Ask("tools/call", params)
    if not plain.is_result:
        came = how_it_ended(plain)
        return [
            undecided(
                "HTTP-034", f"the server {came} when a tool with x-mcp-header arguments is called"
            )
        ]
    missing = yield _bent("tools/call", {header: None}, params)
    other = yield _bent("tools/call", {header: NO_VALUE}, params)
    far = yield _bent("tools/call", {header: in_base64(value)}, params)
    return [
        *_mismatch(missing, plain, f"has no {header}"),
        *_mismatch(other, plain, f"has a value in {header} that differs from its argument"),
        *_refused_in_vain(far, f"although the base64 in {header} decodes to the right value", ""),
    ]


def _calls_with_headers(server: Known) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Calls that may be made and repeat an argument in a header: params, header and value."""
    for tool in server.tools:
        sample = server.samples.get(tool["name"]) if tool.get("name") in server.callable else None
        arguments = sample.valid if sample else None
        for path, header in headers_of(tool).items() if arguments else ():
            value = written(value_at(arguments, path))
            if value is not None:
                yield {"name": tool["name"], "arguments": arguments}, header, value


def _bent(method: str, headers: dict[str, str | None], params: Any = None) -> Ask:
    return Ask(method, params, Bend(headers=headers))


def _mismatch(reply: Reply, usual: Reply, what: str, grade: str | None = None) -> Iterable[Found]:
    """Judge the answer to a request whose headers do not fit."""
    code, fix = error_code(reply), "Reject it with status 400 and error -32020."
    if code == UNSUPPORTED:  # the header's version was looked at first, and refused as it should
        return
    if code == HEADER_MISMATCH:
        if reply.status != BAD_REQUEST:
            text = f"Error -32020 came with HTTP status {reply.status}, not 400."
            yield fault("HTTP-034", text, key="status", fix=fix)
    elif (code is None and succeeded(reply)) or (code == error_code(usual) is not None):
        text = f"The server accepts a request that {what}."
        yield fault("HTTP-034", text, grade=grade, key="accepted", fix=fix)
    elif code is not None and not is_about_something_else(reply):
        text = f"The server rejects a request that {what} with error {code} instead of -32020."
        yield fault("HTTP-034", text, grade=grade, key="code", fix=fix)


def _refused_in_vain(reply: Reply, why: str, key: str) -> Iterable[Found]:
    if error_code(reply) == HEADER_MISMATCH:
        yield fault("HTTP-035", f"The server rejects a request {why}.", key=key)


def _one_each(verdicts: Verdicts) -> Verdicts:
    """Each fault once, the first of its kind: one look at the headers mends them all."""
    kinds = {(it.rule, it.key if isinstance(it, Found) else ""): it for it in reversed(verdicts)}
    return [*reversed(kinds.values())]


@probe("HTTP-036", over="streamable http")
def status_of_refusals(server: Known) -> Dialogue:
    """Ask in a revision that does not exist, and without the capabilities of the client."""
    if not server.is_modern:
        return [not_testable("HTTP-036", EARLIER)]
    bend = Bend(meta={VERSION_KEY: NO_REVISION}, headers={VERSION: NO_REVISION})
    version = yield Ask(DISCOVER, None, bend)
    meta = yield Ask(DISCOVER, None, Bend(meta={CLIENT_CAPABILITIES: None}))
    wrong = [
        fault("HTTP-036", f"Error {code} came with HTTP status {reply.status}, not 400.")
        for reply, code in ((version, UNSUPPORTED), (meta, INVALID_PARAMS))
        if error_code(reply) == code and reply.status not in (BAD_REQUEST, None)
    ]
    if wrong:
        return [*wrong[:1]]
    if error_code(version) == UNSUPPORTED or error_code(meta) == INVALID_PARAMS:
        return KEPT
    return [undecided("HTTP-036", "the server returned none of these errors")]


@probe("HTTP-037", over="streamable http")
def other_verbs(server: Known) -> Dialogue:
    """Send what earlier revisions had: a GET and a DELETE."""
    if not server.is_modern:
        return [not_testable("HTTP-037", EARLIER)]
    got = yield bare(server, "GET", Accept="text/event-stream")
    deleted = yield bare(server, "DELETE")
    both = {"GET": got, "DELETE": deleted}
    wrong = {verb: it for verb, it in both.items() if it.status != NOT_ALLOWED}
    if wrong and (yield from takes_handshakes(server)):
        return [not_testable("HTTP-037", SPEAKS_BOTH)]
    for verb, reply in wrong.items():
        if not is_about_something_else(reply):
            text = f"{verb} returned status {reply.status}, not 405."
            return [fault("HTTP-037", text)]
    came = [f"{verb} gets {in_words(reply)}" for verb, reply in wrong.items()]
    return [undecided("HTTP-037", came[0])] if came else KEPT
