"""What readers say about the tools of published servers, by hand."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from bench.published.servers import Half, chosen, data_of

Reader: TypeAlias = Literal["first", "second"]
Verdict: TypeAlias = Literal["works", "network", "service", "waits", "broken", "unclear"]
NEVER_WORKS: Final = frozenset[Verdict]({"network", "service", "broken"})
"""Labels of tools that cannot work in a world without network."""


class Label(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one reader says about one tool."""

    label: Verdict
    reads: bool
    """Whether it only reads, by what it does."""
    arguments: str = "{}"
    """The JSON object with which it worked."""
    before: tuple[tuple[str, str], ...] = ()
    """The calls that it needs first: tools, and their arguments as JSON."""
    address: bool = False
    """Whether what it needs of the network is named by an argument: a URL or a host."""
    why: str = ""


Labels: TypeAlias = Mapping[str, Label]


def labels_of(server: str, reader: Reader = "first") -> Labels:
    """What a reader says about each tool of a server; nothing where it was not read."""
    file = _file(server, reader)
    return msgspec.toml.decode(file.read_bytes(), type=dict[str, Label]) if file.exists() else {}


def digest_of(half: Half) -> str:
    """The sha256 of all labels of the first reader in one half, in the order of names."""
    files = [_file(name, "first") for name in sorted(chosen(half=half))]
    return hashlib.sha256(b"".join(_framed(file) for file in files)).hexdigest()


def pairs(servers: Iterable[str]) -> list[tuple[Label, Label]]:
    """The labels of the tools that two readers have read."""
    found = []
    for server in servers:
        first, second = labels_of(server), labels_of(server, "second")
        found += [(first[tool], second[tool]) for tool in first if tool in second]
    return found


def kappa(said: Iterable[tuple[str, str]]) -> float:
    """Cohen's kappa: how far two readers agree beyond chance, 1 where they always do."""
    both = list(said)
    if not both:
        return 1.0
    first, second = (Counter(words) for words in zip(*both, strict=True))
    by_chance = sum(first[word] * second[word] for word in first) / len(both) ** 2
    agreed = sum(one == other for one, other in both) / len(both)
    return 1.0 if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def _file(server: str, reader: Reader) -> Path:
    return data_of(server) / "labels" / reader / f"{server}.toml"


def _framed(file: Path) -> bytes:
    return f"{file.name}\n".encode() + file.read_bytes()
