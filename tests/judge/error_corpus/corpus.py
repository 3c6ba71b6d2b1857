"""The labelled error responses, and how a classifier does on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from mcp_assay.model.verdict import Category, ErrorKind, ValidationContext

HERE: Final = Path(__file__).parent
KINDS: Final[tuple[ErrorKind, ...]] = ("business", "failure", "environment", "unclear")
Half: TypeAlias = Literal["seen", "unseen"]
Classify: TypeAlias = Callable[[ValidationContext], ErrorKind]


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One error response, with the kind that a careful person gives it."""

    id: str
    source: str
    origin: Literal["recorded", "written"]
    tool: dict[str, Any]
    input: dict[str, Any]
    category: Category | None
    response: dict[str, Any]
    stderr: str
    kind: ErrorKind
    why: str
    hard: list[str]

    @property
    def context(self) -> ValidationContext:
        """The item as the classifier gets it."""
        return ValidationContext(self.tool, self.input, self.response, self.category, self.stderr)


def files(half: Half) -> list[Path]:
    """The files of a half, in order."""
    return sorted((HERE / half).glob("*.jsonl"))


def items(half: Half) -> list[Item]:
    """All items of a half."""
    decoder = msgspec.json.Decoder(Item)
    lines = (line for path in files(half) for line in path.read_bytes().splitlines())
    return [decoder.decode(line) for line in lines]


def fingerprint(half: Half) -> str:
    """The sha256 over the names and contents of the files of a half."""
    digest = sha256()
    for path in files(half):
        digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


class Score(msgspec.Struct, frozen=True):
    """What a classifier said of items whose kinds are known."""

    counts: dict[tuple[ErrorKind, ErrorKind], int]
    """How many items there are of each (kind, kind that was said)."""

    @property
    def right(self) -> float:
        """The share of all items whose kind was said."""
        return self._share((kind, kind) for kind in KINDS)

    def recall(self, kind: ErrorKind) -> float:
        """Of the items of a kind, the share of which it was said."""
        return self.counts.get((kind, kind), 0) / self._total(kind)

    @property
    def distinguished(self) -> float:
        """Of refusals and failures that were called one or the other, the share called rightly."""
        wrong = self._number("business", "failure") + self._number("failure", "business")
        return self._hits / (self._hits + wrong)

    @property
    def right_of_two(self) -> float:
        """Of refusals and failures, the share whose kind was said."""
        return self._hits / (self._total("business") + self._total("failure"))

    @property
    def _hits(self) -> int:
        return self._number("business", "business") + self._number("failure", "failure")

    def _number(self, kind: ErrorKind, said: ErrorKind) -> int:
        return self.counts.get((kind, said), 0)

    def _total(self, kind: ErrorKind) -> int:
        return sum(self._number(kind, said) for said in KINDS)

    def _share(self, cells: Iterable[tuple[ErrorKind, ErrorKind]]) -> float:
        return sum(self._number(*cell) for cell in cells) / sum(self.counts.values())


def score(of: Sequence[Item], classify: Classify) -> Score:
    """How a classifier does on these items."""
    return Score(dict(Counter((item.kind, classify(item.context)) for item in of)))


class Label(msgspec.Struct, frozen=True):
    """The kind that one reading gave an item of the unseen half."""

    id: str
    kind: ErrorKind


class Agreement(msgspec.Struct, frozen=True):
    """How far two readers, each in another order and without the labels, agree."""

    items: int
    same: int
    kappa: float
    """The share of agreement beyond what chance alone would give (Cohen)."""


def agreement() -> Agreement:
    """How far the two readers of the unseen half agree."""
    first, second = (_labels(HERE / "readers" / f"{reader}.jsonl") for reader in (1, 2))
    assert first.keys() == second.keys()
    same = sum(first[id] == second[id] for id in first)
    share, number = same / len(first), len(first)
    often = [Counter(labels.values()) for labels in (first, second)]
    chance = sum(often[0][kind] * often[1][kind] for kind in KINDS) / number**2
    return Agreement(items=number, same=same, kappa=(share - chance) / (1 - chance))


def _labels(path: Path) -> dict[str, ErrorKind]:
    decoder = msgspec.json.Decoder(Label)
    labels = [decoder.decode(line) for line in path.read_bytes().splitlines()]
    return {label.id: label.kind for label in labels}


def majority(of: Sequence[Item]) -> ErrorKind:
    """The kind that most items have: always saying it is the least that can be done."""
    return Counter(item.kind for item in of).most_common(1)[0][0]
