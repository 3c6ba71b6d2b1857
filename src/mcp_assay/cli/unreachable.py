"""A server with which no session could be opened, and what may help against that."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.client.links import NotReached, TokenSource
from mcp_assay.client.target import Command, Endpoint, Target
from mcp_assay.session.challenges import (
    FORBIDDEN,
    description_in,
    error_in,
    metadata_in,
    schemes_in,
    wants_token,
)
from mcp_assay.text.safe import shorten
from mcp_assay.wire.values import quoted

MISSING: Final = (
    ("python", re.compile(r"No module named '?([\w.]+)'?")),
    ("node", re.compile(r"Cannot find (?:module|package) '([^'\s]+)'")),
)
"""How runtimes report a missing module; the first that matches counts."""
LONGEST_READ: Final = 16 * 1024
"""So much of the last words is read, from their end."""
MOST_VARIABLES: Final = 5
OWN_PYTHON: Final = (
    (".venv/bin/python", ".venv/bin/python"),
    ("venv/bin/python", "venv/bin/python"),
    (".venv/Scripts/python.exe", r".venv\Scripts\python"),
    ("uv.lock", "uv run python"),
    ("poetry.lock", "poetry run python"),
)
"""What a project's folder holds, and how its own interpreter is called then."""
FETCHING: Final = frozenset({"bunx", "npm", "npx", "pipx", "pnpm", "uv", "uvx", "yarn"})
"""Programs that fetch a server before they start it."""
AUTHORIZATION: Final = "authorization"
WITH_TOKEN: Final = (
    '--header "Authorization: Bearer TOKEN", or "Authorization: @FILE" where the file holds '
    '"Bearer TOKEN"'
)
MOST_ISSUERS: Final = 3
LONGEST_URL: Final = 200
_REMEDY: Final = re.compile(
    r"\b(?:pip3?|pipx|uvx?|npm|pnpm|yarn|poetry|conda|cargo|brew|apt(?:-get)?) "
    r"(?:install|add|sync|upgrade|i|ci|run|tool)\b"
    r"|\b(?:pin(?:ned)?|install|upgrade|downgrade|update|use|requires?|needs?|expects?)\b[^\n]{0,80}"
    r"(?:[<>=~^!]=?|@) ?v?\d",
    re.IGNORECASE,
)
"""A command that installs something, or a version that is asked for."""
_NAME: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,63}(?![A-Za-z0-9_])")


def words_about(refusal: NotReached, target: Target) -> str:
    """What happened, and what may help, in lines."""
    return "\n".join([str(refusal), *_advice(refusal, target)])


def _advice(refusal: NotReached, target: Target) -> Iterator[str]:
    last_words = refusal.ending.stderr[-LONGEST_READ:] if refusal.ending else ""
    if isinstance(target, Command):
        yield from _variables(last_words, target.environment)
        yield from _own_advice(last_words) or _modules(last_words, target)
        yield from _offline(target)
    elif refusal.kind == "closed":
        yield from _about_tokens(refusal, target)


def _offline(target: Command) -> Iterator[str]:
    """What a command needs that fetches the server, where no network leads out of its world."""
    program = os.path.basename(target.command[0]) if target.command else ""
    if target.sandbox is not None and program in FETCHING:
        yield (
            f"{program} may have to fetch packages, and the sandbox has no network: run the "
            "command once without --sandbox, then again with it."
        )


def _about_tokens(refusal: NotReached, target: Endpoint) -> Iterator[str]:
    """What to send to a server that wants to know who asks, and who gives it out."""
    sent = next((it for name, it in target.headers.items() if name.lower() == AUTHORIZATION), None)
    schemes = schemes_in(refusal.challenge)
    if sent is not None:
        yield _rejected(refusal, sent)
    elif schemes and not wants_token(refusal.challenge):
        yield _other_scheme(schemes[0])
        return
    else:
        yield f"No token was sent: add {WITH_TOKEN}."
    yield from _who_gives_tokens(refusal.token_source, refusal.challenge)


def _rejected(refusal: NotReached, sent: str) -> str:
    if len(sent.split(None, 1)) < 2:
        return f"The Authorization header names no scheme: write {WITH_TOKEN}."
    if refusal.status == FORBIDDEN:
        return "It does not accept the token that was sent for this: use one with another scope."
    said = description_in(refusal.challenge) or error_in(refusal.challenge)
    why = f" ({quoted(said)})" if said else ""
    return f"It rejected the token that was sent{why}: it may have expired, or be for another use."


def _other_scheme(scheme: str) -> str:
    if scheme.lower() == "basic":
        return (
            'It asks for Basic authentication: add --header "Authorization: Basic CREDENTIALS", '
            "where CREDENTIALS is USER:PASSWORD in base64."
        )
    value = f'--header "Authorization: {scheme} CREDENTIALS"'
    return f"It asks for {scheme} authentication: add {value}."


def _who_gives_tokens(source: TokenSource, challenge: str) -> Iterator[str]:
    metadata = source.metadata or metadata_in(challenge) or ""
    if source.issuers:
        named = ", ".join(shorten(it, LONGEST_URL) for it in source.issuers[:MOST_ISSUERS])
        yield f"Its authorization server is {named}."
    if metadata:
        yield f"Its metadata is at {shorten(metadata, LONGEST_URL)}."


def _variables(last_words: str, passed: Mapping[str, str]) -> Iterator[str]:
    """Variables that the server speaks of, that we have, and that it did not get."""
    spoken = dict.fromkeys(_NAME.findall(last_words))
    held_back = [name for name in spoken if name in os.environ and name not in passed]
    if held_back:
        options = " ".join(f"--env {name}" for name in held_back[:MOST_VARIABLES])
        noun = "a variable that was" if len(held_back) == 1 else "variables that were"
        yield f"It mentions {noun} not passed on: add {options}."


def _own_advice(last_words: str) -> list[str]:
    """What the server itself says that should be done: nobody knows it better."""
    told = [line.strip() for line in last_words.splitlines() if _REMEDY.search(line)]
    return [f"The server says what to do: {quoted(told[-1])}"] if told else []


def _modules(last_words: str, target: Command) -> Iterator[str]:
    for runtime, pattern in MISSING:
        found = pattern.findall(last_words)
        if found:
            hint = (
                _for_python(target) if runtime == "python" else ("install it where the server runs")
            )
            yield f"The module {found[-1]} is missing: {hint}."
            return


def _for_python(target: Command) -> str:
    """How to run the server with the interpreter that has its modules."""
    own = next((name for mark, name in OWN_PYTHON if os.path.exists(mark)), None)
    if own is None or os.path.normpath(target.command[0]) == os.path.normpath(own):
        own = "uv run python or .venv/bin/python"
    return f"run the server with the project's own interpreter ({own}), or install it"
