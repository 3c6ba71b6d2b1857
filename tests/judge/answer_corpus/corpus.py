"""The labelled answers without isError, and how a reader of them does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from mcp_assay.model.verdict import SignKind, ValidationContext
from mcp_assay.responses import ResponseValidator

HERE: Final = Path(__file__).parent
Half: TypeAlias = Literal["seen", "unseen"]
Meaning: TypeAlias = Literal["error", "not_implemented", "another_step", "nothing", "fine"]
SIGNS: Final[dict[SignKind | None, Meaning]] = {
    "unflagged_error": "error",
    "not_implemented": "not_implemented",
    "another_step": "another_step",
    "no_information": "nothing",
    None: "fine",
}


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer without isError, with what a careful person takes it for."""

    id: str
    tool: str
    about: str
    sent: dict[str, Any]
    means: Meaning
    says: str | list[str] | None = None
    """Its text, or its texts."""
    json: Any = None
    """What its text is, written as JSON."""
    structured: dict[str, Any] | None = None

    @property
    def context(self) -> ValidationContext:
        """The item as the judge gets it."""
        spoken = json.dumps(self.json, ensure_ascii=False) if self.says is None else self.says
        texts = [spoken] if isinstance(spoken, str) else spoken
        response: dict[str, Any] = {"content": [{"type": "text", "text": one} for one in texts]}
        if self.structured is not None:
            response["structuredContent"] = self.structured
        arguments = {"type": "object", "properties": {name: {} for name in self.sent}}
        tool = {"name": self.tool, "description": self.about, "inputSchema": arguments}
        return ValidationContext(tool, self.sent, response)


def half_of(id: str) -> Half:
    """The half to which an item belongs by its id alone."""
    return "unseen" if sha256(id.encode()).digest()[0] % 2 else "seen"


def items(half: Half) -> list[Item]:
    """All items of a half."""
    decoder = msgspec.json.Decoder(Item)
    return [decoder.decode(line) for line in (HERE / f"{half}.jsonl").read_bytes().splitlines()]


def fingerprint(half: Half) -> str:
    """The sha256 of a half."""
    return sha256((HERE / f"{half}.jsonl").read_bytes()).hexdigest()


def meaning(item: Item) -> Meaning:
    """What mcp-assay takes an answer for."""
    return SIGNS[ResponseValidator.validate_response(item.context).sign_kind]


class Score(msgspec.Struct, frozen=True):
    """Shares of right answers, from 0 to 1."""

    right: float
    """Of all items, those taken for what they are."""
    noticed: float
    """Of the answers that are no success, those of which that was said."""
    named: float
    """Of the same, those of which also the kind is right."""
    false_alarms: float
    """Of the successes, those that were taken for something else."""


def score(of: Sequence[Item]) -> Score:
    """How mcp-assay does on these items."""
    counts = Counter((item.means, meaning(item)) for item in of)
    fine = sum(number for (is_, _), number in counts.items() if is_ == "fine")
    other = len(of) - fine
    alike = sum(number for (is_, said), number in counts.items() if is_ == said)
    missed = sum(number for (is_, said), number in counts.items() if is_ != "fine" == said)
    calm = counts["fine", "fine"]
    return Score(
        right=alike / len(of),
        noticed=(other - missed) / other,
        named=(alike - calm) / other,
        false_alarms=(fine - calm) / fine,
    )
