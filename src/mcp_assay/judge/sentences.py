"""Whether a short text reports a failure: its sentences, read with the wordings of errors.

The tables of the classifier say what errors are about in twenty languages; `denials` says how a
sentence of those languages denies. A sentence fails where it does both, or where it says that
something could not be done. A text reports a failure where its sentences fail, and those that do
not only introduce it, repeat what was sent, or give advice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from mcp_assay.judge import sign_wording as wording
from mcp_assay.judge.errors.lexicon import Hit, Lexicon, folded
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, STRONG
from mcp_assay.judge.errors.wording import read_table, table_text
from mcp_assay.judge.members import DECORATION
from mcp_assay.judge.sent_values import SentValues
from mcp_assay.judge.tool_subject import ToolSubject

DENIALS: Final = "denials"
"""The text that says how sentences deny; it is no table of errors."""
MOST_SENTENCES: Final = 4
LONGEST_SENTENCE: Final = 300
LATEST_DENIAL: Final = 60
"""Where a sentence says that something could not be done, it says so soon."""
OPENING_WORDS: Final = 2
SOON: Final = 3
"""What is said faintly counts where it is among so many first words."""
AT_ONCE: Final = 1
"""So few where it may be a fact."""
LONGEST_TITLE: Final = 4
"""So many words has a title that says of a thing that it is not there."""
LONGEST_DENIAL: Final = 8
"""So many words a denial has that needs no more than advice to be a failure."""
_ENDS: Final = re.compile(
    r"(?<=[\w)\]'\"`][.!?])\s{1,20}(?=\S)|(?<=[\u3002\uff01\uff1f])|[\r\n]{1,20}"
)

Hits: TypeAlias = Callable[[str], list[Hit]]
"""The wordings of errors that are in a text."""


class Strength(IntEnum):
    """How clearly a sentence says that something failed."""

    NONE = 0
    WEAK = 1
    STRONG = 2


class SentenceReading(Struct, frozen=True):
    """What one sentence says of a failure."""

    strength: Strength = Strength.NONE
    is_absence: bool = False
    """Whether it only says that something is not there."""
    is_about_world: bool = False
    """Whether it is about what a tool depends on, or about its own code."""
    is_sure: bool = False
    """Whether it could hardly be said of anything else."""
    is_denial: bool = False
    is_about_account: bool = False
    """Whether it is about who calls, and what they may do."""
    begins_undone: bool = False
    """Whether its first words say that something could not be done."""


NOTHING: Final = SentenceReading()


class SentenceReader:
    """Reads the sentences of an answer in the light of its call."""

    def __init__(self, hits: Hits, sent: SentValues, subject: ToolSubject) -> None:
        self._hits: Final = hits
        self._sent: Final = sent
        self._subject: Final = subject

    def failing(
        self, sentences: list[str], *, is_all: bool = True, is_prose: bool = True
    ) -> str | None:
        """The sentence by which a text reports a failure, if that is all it does.

        `is_all`: the result says nothing besides; `is_prose`: something may introduce
        it, and it may be about anything. Else it stands in an object that is empty otherwise.
        """
        if not 0 < len(sentences) <= MOST_SENTENCES:
            return None
        if is_all and self._is_advised(sentences):
            return sentences[0]
        found: str | None = None
        for place, sentence in enumerate(sentences):
            is_alone = is_all and len(sentences) < MOST_SENTENCES
            if self._fails(sentence, is_alone=is_alone, is_prose=is_prose):
                found = found or sentence
            elif found:
                if not self._may_follow(found, sentence, is_last=place == len(sentences) - 1):
                    return None
            elif not (is_prose and self._is_preface(sentence, is_first=place == 0)):
                return None
        return found

    def _is_advised(self, sentences: list[str]) -> bool:
        """Whether a short denial is followed by what to do about it, and nothing else."""
        if len(sentences) < 2 or self._subject.hands_out:
            return False
        denial = sentences[0]
        is_short = len(denial.split()) <= LONGEST_DENIAL
        return is_short and self.read(denial).is_denial and all(map(_is_advice, sentences[1:]))

    def _may_follow(self, found: str, sentence: str, *, is_last: bool) -> bool:
        """Whether a sentence behind a failure takes nothing back: advice, more, or one fact."""
        if _is_advice(sentence) or self.read(sentence).is_denial:
            return True
        is_refusal = self.read(found).strength == Strength.STRONG and self._sent.is_named_in(found)
        return is_last and is_refusal and not self._subject.is_speech

    def doubtful(self, sentences: list[str]) -> str | None:
        """The sentence by which nothing that was found may be nothing that was looked for."""
        if len(sentences) > MOST_SENTENCES:
            return None
        doubts = (
            after
            for before, after in pairwise(sentences)
            if wording.DOUBT.search(after.lower()) and self._is_nothing(before)
        )
        return next(doubts, None)

    def _is_nothing(self, sentence: str) -> bool:
        found = self.read(sentence)
        return found.is_absence and found.strength == Strength.STRONG

    def failing_title(self, text: str) -> str | None:
        """The heading of a longer text, where it says that what was asked for is not there."""
        first = text.lstrip().partition("\n")[0]
        title = first.strip(DECORATION)
        is_heading = (
            first.startswith(("#", "**", "❌", "⚠", "🚫")) and len(title) < LONGEST_SENTENCE
        )
        if not is_heading or self.read(title).strength != Strength.STRONG:
            return None
        is_linked = self._sent.is_named_in(title) or self._subject.is_named_in(title)
        return title if is_linked and not self._subject.is_lookup else None

    def failing_end(self, text: str) -> str | None:
        """The last line of a longer output, where a program says there that it failed."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines or self._subject.hands_out:
            return None
        for line in lines[-OPENING_WORDS:]:
            if found := wording.EXIT.search(line.lower()):
                return line if found[1] != "0" else None
        if len(lines) < OPENING_WORDS:
            return None
        last = lines[-1].strip(DECORATION)
        if wording.SIGNATURE.match(last):
            return last
        read = self.read(last)
        is_certain = read.strength == Strength.STRONG and not self._subject.is_lookup
        return (
            last if is_certain and (self._sent.is_named_in(last) or read.is_about_world) else None
        )

    def read(self, sentence: str) -> SentenceReading:
        """What a sentence says of a failure."""
        small = sentence.lower()
        if len(sentence) > LONGEST_SENTENCE or self._is_no_report(small):
            return NOTHING
        denials = self._denials_in(sentence)
        undone = [hit for hit in denials if _is_undone(hit) and not self._is_of_thing(hit, small)]
        is_told = self._subject.tells and not self._sent.is_argument(sentence)
        hits = self._hits_in(sentence, is_told=is_told, is_denied=bool(denials))
        first = min((hit.start for hit in denials), default=LONGEST_SENTENCE)
        is_soon = len(sentence[:first].split()) < (AT_ONCE if is_told else SOON)
        denied = [hit for hit in denials if hit.pattern.phrase not in wording.OBLIGATIONS]
        is_of_future = small.rstrip(".! ").endswith(wording.YET)
        return SentenceReading(
            max(
                Strength.STRONG if undone else Strength.NONE,
                *(_strength(hit, bool(denials), is_soon=is_soon) for hit in hits),
                Strength.NONE,
            ),
            is_absence=all(map(_is_of_absence, hits))
            and all(wording.FINDING.match(small[hit.end :].lstrip()) for hit in undone),
            is_about_world=any(map(_is_of_world, hits)),
            is_sure=bool(undone)
            or (not is_of_future and any(_is_sure(hit, bool(denied)) for hit in hits)),
            is_denial=bool(denied),
            is_about_account=any(hit.pattern.source in wording.ACCOUNTS for hit in hits),
            begins_undone=any(hit.start == 0 for hit in undone),
        )

    def _is_no_report(self, small: str) -> bool:
        """Whether a sentence says what would be, what is gone as it should, or what was logged."""
        is_gone = self._subject.removes and wording.GONE.search(small) is not None
        is_logged = self._subject.hands_out and wording.LOGGED.match(small) is not None
        return is_gone or is_logged or wording.CONDITION.match(small) is not None

    def _denials_in(self, sentence: str) -> list[Hit]:
        """How a sentence denies, in its own words."""
        found = self._own(_denials().hits(sentence, folded(sentence)), sentence)
        return [hit for hit in found if _is_undone(hit) or not self._is_subject(hit, sentence)]

    def _hits_in(self, sentence: str, *, is_told: bool, is_denied: bool) -> list[Hit]:
        """The wordings of errors in a sentence; `is_told`: it may be a fact."""
        loud = [hit for hit in self._hits(sentence) if hit.pattern.weight >= FAIR]
        hits = self._own(loud, sentence)
        if is_told:
            small = sentence.lower()
            hits = [hit for hit in hits if not _may_be_fact(hit, small)]
            hits = [hit for hit in hits if not self._is_system_of_thing(hit, sentence)]
        return hits if is_denied else [hit for hit in hits if not self._is_subject(hit, sentence)]

    def _own(self, hits: list[Hit], sentence: str) -> list[Hit]:
        """The hits without what was sent, and without the deed of the tool itself: "locked"."""
        stem, small = self._subject.stem, sentence.lower()
        said = (hit for hit in hits if not self._sent.covers(sentence, hit.start, hit.end))
        return [hit for hit in said if not (stem and small.startswith(stem, hit.start))]

    def _is_subject(self, hit: Hit, sentence: str) -> bool:
        """Whether a wording is what the tool is about, which may be told by it."""
        return self._subject.names(sentence[hit.start : hit.end])

    def _is_of_thing(self, undone: Hit, small: str) -> bool:
        """Whether it is what was asked about that did not do something: a team failed to win."""
        before, behind = small[: undone.start], small[undone.end :]
        is_told = self._subject.tells and self._sent.is_named_in(before)
        return is_told and behind.isascii() and not wording.OWN_DEED.match(behind)

    def _is_system_of_thing(self, hit: Hit, sentence: str) -> bool:
        """Whether it is what was asked about, or anything in a text, that needs another system."""
        subject, before = self._subject, sentence[: hit.start]
        is_any = subject.is_container or subject.is_document or subject.may_say_anything
        return _is_of_system(hit) and (is_any or self._sent.is_named_in(before))

    def _fails(self, sentence: str, *, is_alone: bool, is_prose: bool) -> bool:
        read = self.read(sentence)
        is_absence = read.is_absence and not read.is_about_world
        if read.strength == Strength.NONE or (self._subject.is_lookup and is_absence):
            return False
        is_named = self._sent.is_named_in(sentence, 1 if read.strength == Strength.STRONG else 2)
        words = _words(sentence)
        names_subject = not words.isdisjoint(self._subject.nouns)
        if self._subject.is_speech:
            is_title = names_subject and len(words) <= LONGEST_TITLE
            return read.strength == Strength.STRONG and (is_named or is_title)
        is_strong = read.strength == Strength.STRONG
        names_argument = not words.isdisjoint(self._sent.words_of_names)
        if is_named or names_argument or (is_strong and (names_subject or not is_prose)):
            return True
        # That nothing is there may be the answer.
        return not is_absence and self._is_report(sentence, read, is_alone=is_alone)

    def _is_report(self, sentence: str, read: SentenceReading, *, is_alone: bool) -> bool:
        """Whether a sentence that names nothing of the call is about it nevertheless."""
        is_addressed = read.is_denial and wording.ADDRESS.search(sentence.lower()) is not None
        is_sure = read.is_sure and is_alone
        if not self._subject.hands_out:
            return is_addressed or is_sure
        is_own = read.is_about_world or read.begins_undone
        return (is_addressed and read.is_about_account) or (is_sure and is_own)

    def _is_preface(self, sentence: str, *, is_first: bool) -> bool:
        """Whether a sentence before the failure only introduces it, or repeats what was sent."""
        _, colon, value = sentence.partition(":")
        if colon and (not value.strip() or self._sent.has(value.strip(DECORATION))):
            return True
        stem, is_short = self._subject.stem, len(sentence.split()) <= OPENING_WORDS
        is_done = bool(stem) and sentence.lower().startswith(stem)
        is_heading = is_first and is_short and not is_done
        return is_heading or sentence.endswith(("…", "..."))


def split(text: str) -> list[str]:
    """The sentences of a text, without what only makes them seen."""
    found = (part.strip(DECORATION) for part in _ENDS.split(text))
    return [part for part in found if any(map(str.isalnum, part))]


def _words(sentence: str) -> frozenset[str]:
    return frozenset(word.strip(".,:;!?'\"`()[]") for word in sentence.lower().split())


def _is_advice(sentence: str) -> bool:
    small = sentence.lower()
    return sentence.endswith("?") or wording.ADVICE.match(small) is not None


def _is_undone(hit: Hit) -> bool:
    """Whether a denial says that something could not be done."""
    return hit.pattern.weight >= CERTAIN and hit.start <= LATEST_DENIAL


def _strength(hit: Hit, is_denied: bool, *, is_soon: bool) -> Strength:
    pattern = hit.pattern
    is_denied = is_denied or _is_of_system(hit)
    if pattern.weight >= CERTAIN and (is_denied or pattern.speaks_for != "environment"):
        return Strength.STRONG
    if not is_denied:
        return Strength.NONE
    if pattern.weight >= STRONG:
        return Strength.STRONG
    return Strength.WEAK if is_soon else Strength.NONE


def _may_be_fact(hit: Hit, small: str) -> bool:
    """Whether a wording says of things, too, what it says of calls: closed, or forbidden."""
    pattern = hit.pattern
    is_factual = pattern.source in wording.FACTUAL_TABLES or pattern.phrase in wording.FACTUAL
    return is_factual and not wording.OF_CALLS.search(small)


def _is_sure(hit: Hit, is_denied: bool) -> bool:
    """Whether a wording could hardly be said of anything but a failure."""
    is_crash = hit.pattern.speaks_for != "environment"
    return hit.pattern.weight >= CERTAIN and (is_denied or is_crash or _is_of_system(hit))


def _is_of_system(hit: Hit) -> bool:
    """Whether it says that the tool works on another system: that denies it on this one."""
    return hit.pattern.source == wording.ANOTHER_SYSTEM


def _is_of_world(hit: Hit) -> bool:
    pattern = hit.pattern
    return pattern.speaks_for in ("environment", "failure") and pattern.weight >= STRONG


def _is_of_absence(hit: Hit) -> bool:
    pattern = hit.pattern
    return pattern.speaks_for == "business" and pattern.source not in wording.REFUSALS


@cache
def _denials() -> Lexicon:
    return Lexicon(read_table(DENIALS, table_text(DENIALS)))
