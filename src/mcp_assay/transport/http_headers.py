"""Header fields as they came -> those that a proxy passes on, and those that its validator sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from multidict import CIMultiDict

RawHeaders: TypeAlias = Iterable[tuple[bytes, bytes]]

HOP_BY_HOP: Final = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
"""Fields about one connection, in small letters; `Connection` itself may name more of them."""

OF_THE_REQUEST: Final = frozenset(("expect", "host"))
"""Fields of a request that this proxy answers itself, or that name this proxy."""


class NotPassable(Exception):
    """Header fields that cannot be passed on unchanged; its text says why."""


def passed_on(raw: RawHeaders, without: Collection[str] = ()) -> CIMultiDict[str]:
    """The fields to pass on, in their order, spelt as the sender spelt them first."""
    fields = list(map(_decoded, raw))
    left_out = {*HOP_BY_HOP, *without, *_named_by_connection(fields)}
    spelling: dict[str, str] = {}
    return CIMultiDict(
        (spelling.setdefault(name.lower(), name), value)
        for name, value in fields
        if name.lower() not in left_out
    )


def seen(raw: RawHeaders) -> dict[str, str]:
    """All fields for the eyes of the validator; the values of a repeated one stand in one line."""
    joined: CIMultiDict[str] = CIMultiDict()
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw):
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return dict(joined)


def _decoded(field: tuple[bytes, bytes]) -> tuple[str, str]:
    name, value = field
    try:
        return name.decode(), value.decode()
    except UnicodeDecodeError:
        raise NotPassable(f"the header {name.decode('ascii', 'replace')} is not UTF-8") from None


def _named_by_connection(fields: Iterable[tuple[str, str]]) -> set[str]:
    lists = (value for name, value in fields if name.lower() == "connection")
    return {name.strip().lower() for value in lists for name in value.split(",")}
