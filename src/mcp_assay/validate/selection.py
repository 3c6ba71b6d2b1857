"""Which sessions a run judges, of all that its files hold."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from mcp_assay.model.entry import SessionKey
from mcp_assay.model.report import Limit

OF_ONE_FILE: Final = frozenset({"bare", "exchanges", "file"})
"""The kinds of keys of sessions that are in no other file than the one they are named by."""
DIGEST_BYTES: Final = 8
DIGESTS: Final = 1 << 64
"""So many are possible."""
MOST_KNOWN: Final = 20_000
"""Keys of which it is remembered whether they are selected."""
PERCENT: Final = 100


class SessionSample(Struct, frozen=True):
    """A part of all sessions, chosen by their keys and a seed, so the same in every run."""

    percent: float
    seed: int = 0

    def has(self, key: SessionKey) -> bool:
        """Whether a session is in the sample."""
        return digest(("sample", str(self.seed), *key)) < self.percent / PERCENT * DIGESTS

    @property
    def shown(self) -> str:
        """How much of all sessions it is, as it is typed."""
        return f"{self.percent:g}%"


class SampledSessions(Struct):
    """What a run says of the sample that it judged."""

    sample: SessionSample
    left_out: int = 0

    def shown_options(self) -> dict[str, object]:
        """The options under the names that they have on the command line."""
        return {"sample": self.sample.shown, "seed": self.sample.seed}

    def limit(self, judged: int) -> Limit:
        """What the report says about the sessions that were left out."""
        effect = (
            f"a sample of {self.sample.shown} of the sessions was judged, chosen by their keys and "
            f"seed {self.sample.seed}; nothing is known about the others"
        )
        return Limit(name="sample", value=judged, count=self.left_out, effect=effect)


class SessionSelection:
    """The sessions that are judged here: those of some files, and of these a sample."""

    def __init__(
        self,
        owned: Mapping[int, int] | None = None,
        files: Container[str] | None = None,
        sample: SessionSample | None = None,
    ) -> None:
        self.left_out: Final[set[int]] = set()
        """The sessions of ours that the sample left out, by their digests."""
        self._owned: Final = owned
        """Sessions that go over files, by their digests; None: all."""
        self._files: Final = files
        """Files whose own sessions are judged here; None: all."""
        self._sample: Final = sample
        self.has: Final = lru_cache(MOST_KNOWN)(self._has)
        """Whether a session is judged here."""

    def _has(self, key: SessionKey) -> bool:
        if not self._is_ours(key):
            return False
        if self._sample is None or self._sample.has(key):
            return True
        self.left_out.add(digest(key))
        return False

    def _is_ours(self, key: SessionKey) -> bool:
        if key[0] in OF_ONE_FILE:
            return self._files is None or key[1] in self._files
        return self._owned is None or digest(key) in self._owned


def digest(key: Iterable[str]) -> int:
    """A number in place of a key; keys that share one by chance are judged in one place."""
    text = "\0".join(key).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=DIGEST_BYTES).digest(), "little")
