"""Traffic without its secrets: what may be written to a file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.text.common_values import may_be_secret
from mcp_assay.text.secrets import (
    LOGGED_NAMES,
    SECRET_TEXT,
    SHORTEST_SECRET,
    VAGUE_NAMES,
    finder,
    holds_secret,
    kind_of_member,
    names_secret,
    near_names,
)
from mcp_assay.text.words import REDACTED
from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.pointer import Path, pointer

SECRET_HEADERS: Final = frozenset(
    (
        "api-key",
        "authorization",
        "cookie",
        "mcp-session-id",
        "proxy-authorization",
        "set-cookie",
        "x-api-key",
        "x-auth-token",
    )
)
"""Headers whose value is a secret, in small letters; other names may tell it by themselves."""

ESCAPE: Final = r"\\u"
"""An escaped character may hide a name or a token from a look at the text alone."""
NAMES: Final = near_names((*LOGGED_NAMES, *(name.replace("-", " ") for name in SECRET_HEADERS)))
VAGUE: Final = f'{near_names(VAGUE_NAMES)}\\\\*"[ \\t\\r\\n]*:[ \\t\\r\\n]*\\\\*"'
"""A text under a name that may be that of a secret."""
SUSPICIOUS: Final = f"{SECRET_TEXT}|{NAMES}|{VAGUE}|{ESCAPE}"
"""Matches every text of a message in which a secret could be found, and some more."""


CUT: Final = "…"
"""Stands where a text for people was cut, be it in the middle of a secret."""


class Redactor:
    """Takes secrets out of messages: those that look like one, and those that it is given."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for text in secrets if may_be_secret(text) for form in _forms(text)}
        # The longest first: a shorter one may be a part of it, and must not save the rest.
        self._secrets: Final = tuple(sorted(forms, key=lambda text: (-len(text), text)))

    def message(self, text: bytes) -> tuple[Any, list[str]] | None:
        """The message without its secrets and where they stood, None where it may be kept as is.

        Members that occur twice are kept once: that there were two was judged before.
        """
        shown = text.decode(errors="replace")
        if not self._is_suspicious(shown):
            return None
        try:
            value = json.loads(text)
            clean, pointers = self.value(value)
            is_kept = clean == value and not has_duplicate_members(text, value)
        except (ValueError, RecursionError):
            return (REDACTED, [""]) if self._is_secret(shown) else None
        return None if is_kept else (clean, pointers)

    def value(self, value: Any) -> tuple[Any, list[str]]:
        """The value without its secrets, and their pointers."""
        found: list[str] = []
        return self._cleaned(value, (), found), found

    def shows_given(self, value: Any) -> bool:
        """Whether a JSON value holds one of the secrets that were given."""
        if not self._secrets:
            return False
        text = json.dumps(value, ensure_ascii=False, default=str)
        return any(secret in text for secret in self._secrets)

    def line(self, text: str) -> str:
        """A text for people without the secrets that were given."""
        for secret in self._secrets:
            text = text.replace(secret, REDACTED)
        return self._without_pieces(text) if CUT in text else text

    def _without_pieces(self, text: str) -> str:
        """A text without what cuts left of secrets: beginnings before them, ends behind them."""
        first, *others = text.split(CUT)
        parts = [first, *(self._without_end(part) for part in others)]
        return CUT.join([*(self._without_beginning(part) for part in parts[:-1]), parts[-1]])

    def _without_beginning(self, part: str) -> str:
        for secret in self._secrets:
            for size in range(min(len(secret), len(part)), SHORTEST_SECRET - 1, -1):
                if part.endswith(secret[:size]):
                    return part[:-size] + REDACTED
        return part

    def _without_end(self, part: str) -> str:
        for secret in self._secrets:
            for size in range(min(len(secret), len(part)), SHORTEST_SECRET - 1, -1):
                if part.startswith(secret[-size:]):
                    return REDACTED + part[size:]
        return part

    def lines(self, value: Any) -> Any:
        """A value with texts for people, without the secrets that were given.

        Its shape stays: nothing but texts is changed, no member is lost, and what stands in a
        record where only certain words may stand is one of them, whatever else it may mean.
        """
        if not self._secrets:
            return value
        if isinstance(value, str):
            return self.line(value)
        if isinstance(value, dict):
            names = _each_once(map(self.lines, value))
            return dict(zip(names, map(self.lines, value.values()), strict=True))
        if isinstance(value, Struct):
            texts = {name: getattr(value, name) for name in _free_fields(type(value))}
            return replace(value, **{name: self.lines(it) for name, it in texts.items()})
        if isinstance(value, int | float) and str(value) in self._secrets:
            return REDACTED
        return [self.lines(one) for one in value] if isinstance(value, list) else value

    def finding(self, finding: Finding) -> Finding:
        """A finding without the secrets that were given."""
        if not self._secrets:
            return finding
        return replace(
            finding,
            message=self.line(finding.message),
            pointer=self.line(finding.pointer),
            where=self._place(finding.where),
            details=self.lines(finding.details),
            evidence=self.lines(finding.evidence),
            fix=self.lines(finding.fix),
            cause=self.line(finding.cause),
            examples=[self._place(where) for where in finding.examples],
        )

    def _place(self, where: Where) -> Where:
        """A place without the secrets that were given: a server may have named a tool by one."""
        return replace(where, tool=self.lines(where.tool), session=self.lines(where.session))

    def _cleaned(self, value: Any, path: Path, found: list[str]) -> Any:
        if isinstance(value, dict):
            return dict(self._members(value, path, found))
        if isinstance(value, list):
            return [self._cleaned(item, (*path, n), found) for n, item in enumerate(value)]
        if self._is_secret_at(value, path):
            found.append(pointer(path))
            return REDACTED
        return value

    def _members(
        self, value: dict[str, Any], path: Path, found: list[str]
    ) -> Iterator[tuple[str, Any]]:
        names = _each_once(REDACTED if self._is_secret(name) else name for name in value)
        for shown, member in zip(names, value.values(), strict=True):
            yield shown, self._cleaned(member, (*path, shown), found)

    def _is_secret_at(self, value: Any, path: Path) -> bool:
        if isinstance(value, str):
            return _is_named(path) or self._is_secret(value) or _is_named_vaguely(path, value)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        return _is_named(path) or str(value) in self._secrets

    def _is_secret(self, text: str) -> bool:
        return any(secret in text for secret in self._secrets) or holds_secret(text)

    def _is_suspicious(self, text: str) -> bool:
        return finder(SUSPICIOUS)(text) or any(secret in text for secret in self._secrets)


def _forms(secret: str) -> Iterator[str]:
    """How a secret may stand in a text: as it is, within a quoted value, an address or base64."""
    from urllib.parse import quote, quote_plus  # noqa: PLC0415  few runs are given a secret

    yield secret
    known = secret.encode(errors="replace")
    yield from (quote(known, safe=""), quote(known), quote_plus(known))
    yield b64encode(known).decode()
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]


def _each_once(names: Iterable[str]) -> list[str]:
    """The names of an object's members; those that became the same are numbered."""
    found: dict[str, None] = {}
    for name in names:
        numbered = (f"{name} {number}" for number in count(2))
        found[name if name not in found else next(it for it in numbered if it not in found)] = None
    return list(found)


@cache
def _free_fields(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a record in which any text may stand."""
    return tuple(field.name for field in fields(kind) if not _names_words(field.type))


def _names_words(kind: Any) -> bool:
    """Whether a type lists the words that it allows."""
    return get_origin(kind) is Literal or any(map(_names_words, _options(kind)))


def _options(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else ()


def _is_named(path: Path) -> bool:
    """Whether what stands here, be it in a list, has a name that says that it is a secret."""
    name = _name_of(path)
    return name.lower() in SECRET_HEADERS or names_secret(name)


def _is_named_vaguely(path: Path, text: str) -> bool:
    """Whether what stands here has a name that may be that of a secret, and looks like one."""
    return kind_of_member(_name_of(path), text) is not None


def _name_of(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")
