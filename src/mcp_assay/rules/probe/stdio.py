"""What a server over standard streams does with long and foreign text, and with the end of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.model.ending import LOST
from mcp_assay.model.probe import Anew, Ask, End, Reply
from mcp_assay.rules.probe.confirmation import (
    NO_TOOL,
    UNSURE,
    ordinary,
    reply_repeats,
    server_responds,
)
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
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
NOT_REPEATED: Final = "long messages are read, but no response echoes non-ASCII text"
END_OF_INPUT: Final = "end of input"


@probe("STDIO-007", over="stdio")
def long_and_foreign(server: Known) -> Dialogue:
    """Ask an ordinary question at length, then for a tool whose name may come back."""
    step = Ask(ordinary(server), {"_meta": {"mcp-assay/text": LONG}})
    reply = yield step
    if reply.ending in LOST:
        if not (yield from reply_repeats(server, step, reply)):
            return [undecided("STDIO-007", UNSURE)]
        text = f"The server {how_it_ended(reply)} for a request of 100 kB."
        return [
            fault("STDIO-007", text, key="long", fix=("Read whole lines, however long they are."))
        ]
    if not server.declares("tools"):
        return [undecided("STDIO-007", NOT_REPEATED)]
    return _judged_letters((yield NAMED))


def _judged_letters(reply: Reply) -> Verdicts:
    _, mark, rest = " ".join(_texts(reply)).partition(MARK)
    if mark and rest.startswith(FOREIGN):
        return KEPT
    if not mark or not rest.startswith(MANGLED):
        return [undecided("STDIO-007", NOT_REPEATED)]
    text = "The server does not read non-ASCII text as UTF-8."
    return [
        fault(
            "STDIO-007", text, key="letters", fix=("Read and write UTF-8 regardless of the locale.")
        )
    ]


def _texts(reply: Reply) -> Iterator[str]:
    """The words in an answer to a call."""
    content = reply.result.get("content") if reply.is_result else None
    blocks = content if isinstance(content, list) else []
    words = [block.get("text") for block in blocks if isinstance(block, dict)]
    words += [reply.error.get("message")] if reply.is_error else []
    yield from (text for text in words if isinstance(text, str))


@probe("STDIO-006", over="stdio")
def end_of_input(server: Known) -> Dialogue:
    """Close the server's input; one that stays is given another chance."""
    if not (yield from server_responds(server)):
        return [undecided("STDIO-006", UNSURE)]
    first = yield End()
    if first.stopped_by in (END_OF_INPUT, None):
        return KEPT if first.stopped_by else [undecided("STDIO-006", UNSURE)]
    yield Anew()
    if not (yield from server_responds(server)):
        return [undecided("STDIO-006", UNSURE)]
    second = yield End()
    if second.stopped_by in (END_OF_INPUT, None):
        return [
            undecided(
                "STDIO-006", "the server ignored closed stdin once, but exited the second time"
            )
        ]
    text = (
        "The server keeps running after stdin closes and had to be stopped with "
        f"{second.stopped_by}."
    )
    return [fault("STDIO-006", text)]


_MODERN: Final = Known(capabilities={"tools": {}}, revision=R2026_07_28)
_LISTED: Final = Reply(result={"tools": []})
_SILENT: Final = Reply(ending="timed_out")


def _no_such_tool(letters: str) -> Reply:
    return Reply(error={"code": -32602, "message": f"Unknown tool: {MARK}{letters}"})


probe_rule(
    "STDIO-007",
    "long-or-foreign-text-damaged",
    """The server does not handle long messages or non-ASCII text.

    Why: files, tables and images make long messages, and many names contain non-ASCII characters.
    Instead: read lines of any length, and read and write UTF-8 regardless of the locale.
    """,
    of=long_and_foreign,
    reason="message_damaged",
    good=lambda: [replay(_LISTED, _no_such_tool(FOREIGN), known=_MODERN)],
    bad=lambda: [
        replay(_SILENT, _SILENT, Reply(), _LISTED, _SILENT, known=_MODERN),
        replay(_LISTED, _no_such_tool("Ã©æ—¥æœ¬"), known=_MODERN),
    ],
)

probe_rule(
    "STDIO-006",
    "stays-after-end-of-input",
    """The server keeps running after stdin closes.

    Why: the client that started it is gone, so the process is orphaned and stays behind.
    Instead: exit when stdin closes.
    """,
    of=end_of_input,
    reason="stays_after_end_of_input",
    good=lambda: [replay(_LISTED, Reply(stopped_by=END_OF_INPUT), known=_MODERN)],
    bad=lambda: [
        replay(
            *(_LISTED, Reply(stopped_by="SIGTERM")),
            *(Reply(), _LISTED, Reply(stopped_by="SIGKILL")),
            known=_MODERN,
        )
    ],
)
