"""What answers give away: stack traces, paths of the machine, secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.behaviour.arguments import runs_programs
from mcp_assay.rules.behaviour.rule import (
    at,
    behaviour_rule,
    called,
    example,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.behaviour.texts import TRACES, texts_of
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.local_paths import local_paths
from mcp_assay.text.names import name_words, word_set
from mcp_assay.text.secrets import holds_secret, secrets_in, texts_in
from mcp_assay.text.token_shapes import TOKEN_SHAPES
from mcp_assay.wire.pointer import Path

TRACE_NAMES: Final = word_set(
    """
    backtrace backtraces console crash crashes debug debugger exception exceptions log logs
    source sources stack stacktrace stacktraces stderr stdout trace traceback tracebacks traces
    """
)
"""Words in the name of a tool that may well show stack traces: they are what it is asked for."""
TRACE_WORDS: Final = re.compile(
    r"\b(?:logs?|log ?files?|(?:stack|back)? ?traces?|tracebacks?|call stacks?|debug(?:ging|ger)?"
    r"|source (?:code|text|files?)|file contents?|contents? of (?:an? |the |any )?files?)\b",
    re.IGNORECASE,
)
"""The same in its description."""
FILES: Final = word_set("file files")
SHOWN: Final = word_set("cat content contents fetch get head open read show tail text view")
"""Words that say of a file that its text is shown."""
FILE_WORDS: Final = word_set(
    """
    cwd dir directories directory file filename filepath files folder folders path paths repo
    repository root roots workspace
    """
)
"""Words in the names of tools and arguments that are about places in a file system."""
MOST_NAMES: Final = 200
LONGEST_DESCRIPTION: Final = 4_000
LONGEST_READ: Final = 20_000
MOST_TEXTS: Final = 1_000
SHORTEST_SENT: Final = 3
"""A shorter text that was sent may stand in any other."""
BETWEEN: Final = "\0"
"""Stands between texts: no letter, no space, and no part of anything that is looked for."""


def _answer(text: str, **more: Any) -> dict[str, Any]:
    return called(result={"content": [{"type": "text", "text": text}], **more})


def _saying(tried: ToolRun, says: Callable[[str], object]) -> list[Call]:
    """The calls whose answers hold something that they should not.

    All answers are looked at together first, which is much faster: hardly any holds it.
    """
    texts = [_texts(call) for call in tried.calls]
    if not says(BETWEEN.join(chain.from_iterable(texts))):
        return []
    return [call for call, said in zip(tried.calls, texts, strict=True) if any(map(says, said))]


def _texts(call: Call) -> list[str]:
    """What an answer says to people and programs, be it a result or an error."""
    return [text[:LONGEST_READ] for text in islice(_said(call), MOST_TEXTS)]


def _said(call: Call) -> Iterator[str]:
    error, result = call.answer.error or {}, call.answer.result
    yield from (text for _, text in texts_in([error.get("message"), error.get("data")]))
    if isinstance(result, dict):
        yield from texts_of(result)
        yield from _embedded(result)
        yield from (text for _, text in texts_in(result.get("structuredContent")))


def _embedded(result: dict[str, Any]) -> Iterator[str]:
    """The texts of resources that a result holds."""
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        resource = block.get("resource") if isinstance(block, dict) else None
        text = resource.get("text") if isinstance(resource, dict) else None
        yield from [text] if isinstance(text, str) else ()


def is_to_show_traces(tool: dict[str, Any]) -> bool:
    """Whether the purpose of a tool is to show what may hold stack traces: logs, files, code."""
    description = tool.get("description")
    words = description[:LONGEST_DESCRIPTION] if isinstance(description, str) else ""
    name = frozenset(name_words(str(tool.get("name", ""))))
    if name & TRACE_NAMES or (name & FILES and name & SHOWN) or runs_programs(tool):
        return True
    return TRACE_WORDS.search(words) is not None


FENCED: Final = re.compile(r"^```[^\n]{0,80}\n.{0,10000}?^```", re.MULTILINE | re.DOTALL)
"""Code in a document."""
SHORTEST_DOCUMENT: Final = 100
A_GUIDE: Final = (
    "# How to sign in\n\nEvery client of the catalogue signs in before it asks for anything. Pass "
    "the name and the password that you were given:\n\n"
)
KEPT: Final = "Keep credentials that the server was given out of results, and rotate this one."
A_TRACE: Final = _answer("TypeError: x\n    at get (/srv/a.js:3:1)")


@behaviour_rule(
    "LEAK-001",
    "stack-trace",
    reason="stack_trace",
    good=lambda: [
        example(_answer("ValueError: no such note", isError=True)),
        example(A_TRACE, tool={"name": "tail_logs"}),
        example(A_TRACE, tool={"name": "read_file"}),
        example(A_TRACE, tool={"name": "open", "description": "Give the contents of a file."}),
        example(A_TRACE, tool={"name": "run_code", "inputSchema": {"properties": {"code": {}}}}),
    ],
    bad=lambda: [
        example(A_TRACE, pointer="/calls/0"),
        example(
            A_TRACE,
            pointer="/calls/0",
            tool={"name": "find_files", "description": "Trust the source of a catalogue."},
        ),
        example(
            A_TRACE,
            pointer="/calls/0",
            tool={"name": "run_report", "inputSchema": {"properties": {"name": {}}}},
        ),
    ],
)
def stack_trace(tried: ToolRun) -> Iterator[Found]:
    """A result contains a stack trace (tools that show logs or files are exempt).

    Why: it reveals server internals and does not help the model.
    Instead: log the trace, and return a one-sentence error message.
    """
    if is_to_show_traces(tried.tool):
        return
    if found := _saying(tried, lambda text: any(mark in text for mark in TRACES)):
        text = sentence(shown(tried), "returns stack traces", of_calls(found, tried))
        yield at(tried, found[0], text)


@behaviour_rule(
    "LEAK-002",
    "absolute-path",
    reason="absolute_path",
    good=lambda: [
        example(_answer("Saved report.pdf")),
        example(_answer("See https://example.com/home/ada/a.html and GET /data/items")),
    ],
    bad=lambda: [
        example(_answer("No such file: /home/ada/app/templates/a.html"), pointer="/calls/0"),
        example(_answer("Error in /app/main.py:12"), pointer="/calls/0"),
    ],
)
def absolute_path(tried: ToolRun) -> Iterator[Found]:
    """A result contains a local file path that the client did not send.

    Why: it reveals user names and folders of the server's machine.
    Instead: refer to files by the names that the caller uses.
    """
    if _is_about_files(tried.tool):
        return
    if found := [call for call in _saying(tried, _has_path) if any(_own_paths(call))]:
        text = sentence(shown(tried), "exposes local file paths", of_calls(found, tried))
        yield at(tried, found[0], text)


def _is_about_files(tool: Mapping[str, Any]) -> bool:
    """Whether a tool names files by its name or arguments: paths are then what it works with."""
    schema = tool.get("inputSchema")
    members = schema.get("properties") if isinstance(schema, dict) else None
    names = [str(tool.get("name", "")), *(members if isinstance(members, dict) else ())]
    return any(not FILE_WORDS.isdisjoint(name_words(name)) for name in names[:MOST_NAMES])


def _has_path(text: str) -> bool:
    return any(True for _ in local_paths(text))


def _own_paths(call: Call) -> Iterator[str]:
    """The paths in an answer that are neither sent nor inside a folder that was sent."""
    found = [path for text in _texts(call) for path in local_paths(text)]
    sent = [text for _, text in texts_in(call.scenario.arguments)] if found else []
    yield from (path for path in found if not any(_is_sent(path, text) for text in sent))


def _is_sent(path: str, sent: str) -> bool:
    folder = sent.rstrip("/\\")
    return path in sent or (len(folder) > 1 and path.startswith(folder))


@behaviour_rule(
    "LEAK-003",
    "secret",
    reason="secret",
    good=lambda: [
        example(_answer("The key is set.")),
        example(_answer(f'{A_GUIDE}```python\nlogin(password = "correct-horse-7")\n```\n')),
    ],
    bad=lambda: [example(_answer("key ghp_abcdefghijklmnopqrstuvwxyz0123"), pointer="/calls/0")],
)
def secret(tried: ToolRun) -> Iterator[Found]:
    """A result contains what looks like a key, token or password.

    Why: anyone who sees the session or its logs can use it.
    Instead: remove secrets from results, and rotate those that leaked.
    """
    given = [call for call in tried.calls if call.shows_credential]
    if given:
        text = sentence(shown(tried), "returns a credential of its caller", of_calls(given, tried))
        yield at(tried, given[0], text, key="given", fix=KEPT)
    if found := [call for call in _holding_secrets(tried) if not call.shows_credential]:
        text = sentence(shown(tried), "returns what looks like a secret", of_calls(found, tried))
        yield at(tried, found[0], text)


def _holding_secrets(tried: ToolRun) -> list[Call]:
    """The calls whose answers hold what looks like a secret that was not sent to them."""
    said = {call.number for call in _saying(tried, holds_secret)}
    found = (call for call in tried.calls if call.number in said or any(_secret_members(call)))
    return [call for call in found if _holds_other_secret(call)]


def _holds_other_secret(call: Call) -> bool:
    """Whether there is a secret in an answer when all that was sent is taken out of it."""
    if holds_secret(repr(call.scenario.arguments)):
        return False
    sent = {text for _, text in texts_in(call.scenario.arguments) if len(text) >= SHORTEST_SENT}
    members = (_value_at(call, path) for path, _ in _secret_members(call))
    if any(value not in sent and not _is_only_example(value) for value in members):
        return True
    return any(holds_secret(_without(_without_examples(text), sent)) for text in _texts(call))


def _is_only_example(value: Any) -> bool:
    """Whether a member is a document in which only the examples hold what looks like a secret."""
    is_document = isinstance(value, str) and holds_secret(value[:LONGEST_READ])
    return is_document and not holds_secret(_without_examples(value[:LONGEST_READ]))


def _without_examples(text: str) -> str:
    """A document without the code in it, but for keys that are known by their looks.

    In manuals and templates the passwords in code are made up.
    """
    prose = FENCED.sub("", text)
    if len(prose) < SHORTEST_DOCUMENT:
        return text
    keys = (re.search(shape.pattern, text, re.ASCII) for shape in TOKEN_SHAPES)
    return "\n".join((prose, *(key[0] for key in keys if key)))


def _without(text: str, sent: Iterable[str]) -> str:
    for one in sent:
        text = text.replace(one, BETWEEN)
    return text


def _value_at(call: Call, path: Path) -> Any:
    value = call.answer.result["structuredContent"]
    for step in path:
        value = value[step]
    return value


def _secret_members(call: Call) -> Iterator[tuple[Path, str]]:
    result = call.answer.result
    return secrets_in(result.get("structuredContent") if isinstance(result, dict) else None)
