"""What a server over standard streams does with long and foreign text, and with the end of it."""

from __future__ import annotations

import json
from typing import Final

from mcp_assay.model.probe import Anew, Ask, End, Reply
from mcp_assay.rules.probes.asking import LOST, NO_TOOL, UNSURE, is_sure, is_there, ordinary
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    KEPT,
    Dialogue,
    Verdicts,
    fault,
    how_it_ended,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2026_07_28

FOREIGN: Final = "é日本"
LONG: Final = FOREIGN * 12_500
"""Characters of two and three bytes: 100 kB, more than a pipe or a usual buffer holds."""
MARK: Final = f"{NO_TOOL}-"
"""What stands before the foreign letters, so that they are found where a server repeats them."""
NAMED: Final = Ask("tools/call", {"name": f"{MARK}{FOREIGN}", "arguments": {}})
MANGLED: Final = tuple(
    FOREIGN.encode().decode(encoding, "replace")[0] for encoding in ("latin-1", "ascii")
)
"""What the first letter looks like where it was not read as UTF-8."""
NOT_REPEATED: Final = "long text is read, but no answer repeats the letters of a short one"
END_OF_INPUT: Final = "end of input"


@probe("STDIO-007", over="stdio")
def long_and_foreign(server: Known) -> Dialogue:
    """Ask an ordinary question at length, then for a tool whose name may come back."""
    step = Ask(ordinary(server), {"_meta": {"mcp-assay/text": LONG}})
    reply = yield step
    if reply.ending in LOST:
        if not (yield from is_sure(server, step, reply)):
            return [undecided("STDIO-007", UNSURE)]
        text = f"The server {how_it_ended(reply)} when a request of 100 kB comes."
        return [fault("STDIO-007", text, key="long", fix="Read a line whole, however long it is.")]
    if not server.declares("tools"):
        return [undecided("STDIO-007", NOT_REPEATED)]
    return _judged_letters((yield NAMED))


def _judged_letters(reply: Reply) -> Verdicts:
    said = json.dumps([reply.result, reply.error], ensure_ascii=False)
    _, mark, rest = said.partition(MARK)
    if mark and rest.startswith(FOREIGN):
        return KEPT
    if not mark or not rest.startswith(MANGLED):
        return [undecided("STDIO-007", NOT_REPEATED)]
    text = "The server does not read letters outside ASCII as UTF-8."
    return [
        fault("STDIO-007", text, key="letters", fix="Read and write UTF-8, whatever the locale.")
    ]


@probe("STDIO-006", over="stdio")
def end_of_input(server: Known) -> Dialogue:
    """Close the server's input; one that stays is given another chance."""
    if not (yield from is_there(server)):
        return [undecided("STDIO-006", UNSURE)]
    first = yield End()
    if first.stopped_by in (END_OF_INPUT, None):
        return KEPT if first.stopped_by else [undecided("STDIO-006", UNSURE)]
    yield Anew()
    if not (yield from is_there(server)):
        return [undecided("STDIO-006", UNSURE)]
    second = yield End()
    if second.stopped_by in (END_OF_INPUT, None):
        return [undecided("STDIO-006", "the server did not end with its input at first, but then")]
    text = f"The server does not end with its input; it takes {second.stopped_by}."
    return [fault("STDIO-006", text)]


_MODERN: Final = Known(capabilities={"tools": {}}, revision=R2026_07_28)
_LISTED: Final = Reply(result={"tools": []})
_SILENT: Final = Reply(ending="timed_out")


def _no_such_tool(letters: str) -> Reply:
    return Reply(error={"code": -32602, "message": f"Unknown tool: {MARK}{letters}"})


probe_rule(
    "STDIO-007",
    "long-or-foreign-text-damaged",
    """Long messages, or letters outside ASCII, do not arrive intact.

    Why: files, tables and pictures make long messages, and most people's names are not ASCII.

    Instead: read lines of any length, and read and write UTF-8 whatever the locale says.
    """,
    of=long_and_foreign,
    reason="message_damaged",
    good=[replay(_LISTED, _no_such_tool(FOREIGN), known=_MODERN)],
    bad=[
        replay(_SILENT, _SILENT, Reply(), _LISTED, _SILENT, known=_MODERN),
        replay(_LISTED, _no_such_tool("Ã©æ—¥æœ¬"), known=_MODERN),
    ],
)

probe_rule(
    "STDIO-006",
    "stays-after-end-of-input",
    """A server does not end when its input does.

    Why: the client that started it has gone; nobody will ever speak to it again, and it stays.

    Instead: leave when standard input ends.
    """,
    of=end_of_input,
    reason="stays_after_end_of_input",
    good=[replay(_LISTED, Reply(stopped_by=END_OF_INPUT), known=_MODERN)],
    bad=[
        replay(
            *(_LISTED, Reply(stopped_by="SIGTERM")),
            *(Reply(), _LISTED, Reply(stopped_by="SIGKILL")),
            known=_MODERN,
        )
    ],
)
