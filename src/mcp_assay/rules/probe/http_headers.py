"""How a server over HTTP checks headers and gives statuses, since 2026-07-28."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mcp_assay.model.probe import Ask, Bend, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.confirmation import (
    NO_TOOL,
    Part,
    fails_alone,
    fails_only_so,
    failure_in_words,
    has_failed,
)
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
UNKNOWN_CALL: Final = {"name": NO_TOOL, "arguments": {}}
FAR_TOOL: Final = {"name": "mcp-assay-kein-sölches-werkzeug", "arguments": {}}
"""Its name can be sent in a header as base64 only."""
NO_VALUE: Final = "mcp-assay-no-such-value"
NO_CALL_WITH_HEADERS: Final = "no tool with x-mcp-header arguments may be called"
OTHER_VERSION: Final = "has a protocol version in its header that does not exist"
"""A revision of the other era may lead to what a server of both eras has for that one."""
OF_CASE: Final = "because of upper and lower case in a header name"
NO_NAMES: Final = "only requests that name a tool show whether base64 in headers is decoded"
NOT_BOTH: Final = "the server did not return error {} where it should"
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
    usual = Ask(DISCOVER)
    served = yield usual
    if not served.is_result:
        reason = f"the server {how_it_ended(served)} for an ordinary request"
        return [undecided(rule, reason) for rule in ("HTTP-034", "HTTP-035")]
    changes: list[dict[str, str | None]] = [
        {METHOD: None},
        {METHOD: "tools/list"},
        {VERSION: NO_REVISION},
        {METHOD: None, METHOD.upper(): DISCOVER},
    ]
    steps = [_bent(DISCOVER, headers) for headers in changes]
    missing, other, version, spelt = yield from _asked(steps)
    is_unlike = error_code(version) not in (HEADER_MISMATCH, UNSUPPORTED)
    grade = BOTH_ERAS if is_unlike and (yield from takes_handshakes(server)) else None
    pair = Pair(usual, served)
    verdicts: Verdicts = [
        *(yield from _mismatch(pair, steps[0], missing, "has no Mcp-Method")),
        *(yield from _mismatch(pair, steps[1], other, "names another method in Mcp-Method")),
        *(yield from _mismatch(pair, steps[2], version, OTHER_VERSION, grade)),
        *(yield from _refused_in_vain(pair, steps[3], spelt, OF_CASE, "case")),
    ]
    if server.declares("tools"):
        verdicts += yield from _names()
        verdicts += yield from _arguments(server)
    else:
        verdicts.append(undecided("HTTP-035", NO_NAMES))
    return _one_each(verdicts)


class Pair(NamedTuple):
    """A request as a good client makes it, and what came of it."""

    step: Ask
    reply: Reply


def _asked(steps: Iterable[Ask]) -> Part[list[Reply]]:
    replies: list[Reply] = []
    for step in steps:
        replies += [(yield step)]
    return replies


def _names() -> Part[Verdicts]:
    """Compare Mcp-Name with a tool that nobody has: whatever is served, nothing is called."""
    usual = Ask("tools/call", UNKNOWN_CALL)
    plain = yield usual
    if error_code(plain) == HEADER_MISMATCH or has_failed(plain):
        reason = f"the server {how_it_ended(plain)} when an unknown tool is called"
        return [undecided(rule, reason) for rule in ("HTTP-034", "HTTP-035")]
    steps = [
        _bent("tools/call", {NAME: "mcp-assay-another-tool"}, UNKNOWN_CALL),
        Ask("tools/call", FAR_TOOL),
    ]
    other, far = yield from _asked(steps)
    pair, why = Pair(usual, plain), "although the base64 in Mcp-Name decodes to the right name"
    return [
        *(yield from _mismatch(pair, steps[0], other, "names another tool in Mcp-Name")),
        *(yield from _refused_in_vain(pair, steps[1], far, why, "")),
    ]


def _arguments(server: Known) -> Part[Verdicts]:
    """Compare the headers of arguments, with the call of a tool that may be called."""
    call = next(_calls_with_headers(server), None)
    if call is None:
        is_declared = any(map(headers_of, server.tools))
        return [undecided("HTTP-034", NO_CALL_WITH_HEADERS)] if is_declared else []
    params, header, value = call
    usual = Ask("tools/call", params)
    plain = yield usual
    if not plain.is_result:
        came = how_it_ended(plain)
        return [
            undecided(
                "HTTP-034", f"the server {came} when a tool with x-mcp-header arguments is called"
            )
        ]
    changes = ({header: None}, {header: NO_VALUE}, {header: in_base64(value)})
    steps = [_bent("tools/call", headers, params) for headers in changes]
    missing, other, far = yield from _asked(steps)
    pair, unlike = Pair(usual, plain), f"has a value in {header} that differs from its argument"
    why = f"although the base64 in {header} decodes to the right value"
    return [
        *(yield from _mismatch(pair, steps[0], missing, f"has no {header}")),
        *(yield from _mismatch(pair, steps[1], other, unlike)),
        *(yield from _refused_in_vain(pair, steps[2], far, why, "")),
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


def _bent(method: str, headers: Mapping[str, str | None], params: Any = None) -> Ask:
    return Ask(method, params, Bend(headers=headers))


def _mismatch(
    usual: Pair, step: Ask, reply: Reply, what: str, grade: str | None = None
) -> Part[Verdicts]:
    """Judge the answer to a request whose headers do not fit."""
    code, fix = error_code(reply), "Reject it with status 400 and error -32020."
    if code == UNSUPPORTED:  # the header's version was looked at first, and refused as it should
        return KEPT
    if code == HEADER_MISMATCH:
        text = f"Error -32020 came with HTTP status {reply.status}, not 400."
        is_right = reply.status == BAD_REQUEST
        return KEPT if is_right else [fault("HTTP-034", text, key="status", fix=fix)]
    if (code is None and succeeded(reply)) or (code == error_code(usual.reply) is not None):
        text = f"The server accepts a request that {what}."
        return [fault("HTTP-034", text, grade=grade, key="accepted", fix=fix)]
    if (yield from fails_alone(*usual, step, reply)):
        text = f"The server {failure_in_words(reply)} to a request that {what}."
        return [fault("HTTP-034", text, grade=grade, key="code", fix=fix)]
    if code is None or is_about_something_else(reply):
        return [undecided("HTTP-034", f"a request that {what} gets {in_words(reply)}")]
    text = f"The server rejects a request that {what} with error {code} instead of -32020."
    return [fault("HTTP-034", text, grade=grade, key="code", fix=fix)]


def _refused_in_vain(usual: Pair, step: Ask, reply: Reply, why: str, key: str) -> Part[Verdicts]:
    """Judge the answer to a request that is right, and only written in another way."""
    served = usual.reply
    if error_code(reply) == HEADER_MISMATCH:
        return [fault("HTTP-035", f"The server rejects a request {why}.", key=key)]
    if (reply.is_result, error_code(reply)) == (served.is_result, error_code(served)):
        return KEPT
    if (yield from fails_alone(*usual, step, reply)):
        text = f"The server {failure_in_words(reply)} to a request {why}."
        return [fault("HTTP-035", text, key=key)]
    came = how_it_ended(reply)
    return [undecided("HTTP-035", f"the server {came} for a request that it should accept")]


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
    wanted = ((version, UNSUPPORTED), (meta, INVALID_PARAMS))
    came = [(reply, code) for reply, code in wanted if error_code(reply) == code]
    for reply, code in came:
        if reply.status not in (BAD_REQUEST, None):
            text = f"Error {code} came with HTTP status {reply.status}, not 400."
            return [fault("HTTP-036", text)]
    seen = [code for reply, code in came if reply.status is not None]
    missing = [str(code) for _, code in wanted if code not in seen]
    if missing:
        return [undecided("HTTP-036", NOT_BOTH.format(" or ".join(missing)))]
    return KEPT


@probe("HTTP-037", over="streamable http")
def other_verbs(server: Known) -> Dialogue:
    """Send what earlier revisions had: a GET and a DELETE."""
    if not server.is_modern:
        return [not_testable("HTTP-037", EARLIER)]
    steps = {
        "GET": bare(server, "GET", Accept="text/event-stream"),
        "DELETE": bare(server, "DELETE"),
    }
    came: dict[str, Reply] = {}
    for verb, step in steps.items():
        came[verb] = yield step
    wrong = {verb: it for verb, it in came.items() if it.status != NOT_ALLOWED}
    if wrong and (yield from takes_handshakes(server)):
        return [not_testable("HTTP-037", SPEAKS_BOTH)]
    for verb, reply in wrong.items():
        if not is_about_something_else(reply):
            text = f"{verb} returned status {reply.status}, not 405."
            return [fault("HTTP-037", text)]
        if (yield from fails_only_so(server, steps[verb], reply)):
            text = f"The server {failure_in_words(reply)} to {verb}, but serves POST."
            return [fault("HTTP-037", text)]
    reasons = [f"{verb} gets {in_words(reply)}" for verb, reply in wrong.items()]
    return [undecided("HTTP-037", reasons[0])] if reasons else KEPT
