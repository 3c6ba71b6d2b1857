"""Raw material for messages: prose, base64, names, moments and sizes, all from one seed."""

from __future__ import annotations

import base64
import math
from random import Random
from typing import Final

POOL_SIZE: Final = 120_000
WORLD_SHARE: Final = 0.25

PLAIN: Final = """
    account branch budget build cache change chapter client cluster column comment commit
    config contract country customer dashboard database delivery deploy device document draft
    editor engine event export feature field figure filter folder forecast gateway graph header
    history host image import index invoice issue journal label latency layer ledger library line
    location manual market meeting memory message metric migration model module month network node
    notice number order outline owner package page parser partner payment picture pipeline planner
    player policy preview price printer process product profile project query queue quota range
    record region release repository request review route runner sample schedule schema search
    section server service session shipment signal source stage station storage store stream
    subject summary supplier support survey table target task team template ticket topic traffic
    transfer update upload usage user value vendor version video volume warehouse window worker
    workflow zone
"""
WORLD: Final = """
    über façade résumé Größe données Zürich crème coração año señal håndbok žluťoučký
    проверка отчёт данные заказ 東京 検索 結果 更新 서울 검색 बाज़ार 🚀 ✅ 📦 … €
"""
PLAIN_WORDS: Final = tuple(PLAIN.split())
WORLD_WORDS: Final = tuple(WORLD.split())
LINES: Final = (
    "The {0} of the {1} was moved to another {2}, so the {3} has to be read again.",
    "Every {0} keeps its {1}; the {2} is counted once per {3}.",
    "- {0}: {n} {1}s in the {2}",
    "{n:02d}:{m:02d} INFO {0} {1}={n} {2}={m}",
    'if {0}["{1}"] <= {n}: return {2}',
    "| {0} | {n} | {1} | {m} |",
    "<li>{0} & {1}</li>",
    '{{"{0}": {n}, "{1}": "{2}"}}',
    "See https://example.com/{0}/{1}?{2}={n} for the {3}.",
)


class Material:
    """A seeded source of everything that fills a message."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._plain = _prose(rng, PLAIN_WORDS)
        self._world = _prose(rng, PLAIN_WORDS + WORLD_WORDS * 3)

    def text(self, size: int) -> str:
        """Prose, lists, log lines and code of about `size` bytes; a quarter of it is not ASCII."""
        world = self.rng.random() < WORLD_SHARE
        pool, length = (self._world, max(1, size * 6 // 7)) if world else (self._plain, size)
        start = self.rng.randrange(len(pool) - length)
        return pool[start : start + length]

    def sentence(self, count: int) -> str:
        """`count` plain words as one sentence."""
        return " ".join(self.words(count)).capitalize() + "."

    def words(self, count: int) -> list[str]:
        """`count` plain words."""
        return self.rng.choices(PLAIN_WORDS, k=count)

    def word(self) -> str:
        """One plain word."""
        return self.rng.choice(PLAIN_WORDS)

    def base64(self, size: int) -> str:
        """Canonical base64 of about `size` characters."""
        return base64.b64encode(self.rng.randbytes(max(1, size * 3 // 4))).decode()

    def size(self, low: int, high: int) -> int:
        """A size between `low` and `high`, every order of magnitude equally likely."""
        return int(math.exp(self.rng.uniform(math.log(low), math.log(high))))

    def moment(self) -> str:
        """A moment of 2025 in UTC."""
        at = self.rng.randrange
        return f"2025-{at(1, 13):02d}-{at(1, 29):02d}T{at(24):02d}:{at(60):02d}:{at(60):02d}Z"

    def path(self) -> str:
        """The path of a file."""
        return "/".join(self.words(3)) + self.rng.choice((".md", ".py", ".json", ".txt"))

    def uri(self) -> str:
        """The URI of a resource."""
        return self.rng.choice(("file:///srv/", "https://example.com/", "notes://")) + self.path()

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.rng.random() < probability


def _prose(rng: Random, words: tuple[str, ...]) -> str:
    lines: list[str] = []
    length = 0
    while length < POOL_SIZE:
        line = rng.choice(LINES).format(
            *rng.choices(words, k=4), n=rng.randrange(60), m=rng.randrange(60)
        )
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)
