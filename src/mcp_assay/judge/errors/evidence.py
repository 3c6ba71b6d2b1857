"""The patterns in a text that are evidence: not those in frames, in names, or only quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ahocorasick_rs import AhoCorasick
from msgspec.structs import replace

from mcp_assay.judge.errors.given import Given, is_in_a_name
from mcp_assay.judge.errors.lexicon import Hit, Lexicon, folded
from mcp_assay.judge.errors.mentions import (
    ADDS,
    ASIDES,
    LIST_HINTS,
    LISTS,
    lists_values,
    without_mentions,
)
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, SILENT, STRONG
from mcp_assay.judge.errors.traces import TRACE, Trace, causes
from mcp_assay.model.verdict import TRACED, Factor

INNER: Final = 1.25
"""How much louder the innermost of several causes is."""
CAUSES: Final = (": ", "\n", "caused by", "because ", " - ", "; ")
"""What stands between an error and its cause."""
ANNOUNCED: Final[Mapping[str, float]] = {
    "last error": FAIR,
    "caused by": FAIR,
    "root cause": FAIR,
    "underlying error": FAIR,
    "inner exception": FAIR,
    "original error": FAIR,
    "attempts failed: ": FAIR,
    "cause: ": FAIR,
    "reason: ": STRONG,
    "details: ": STRONG,
    "retries: ": STRONG,
    " > ": STRONG,
}
"""Words after which a cause is told that decides, if it is said so loudly."""
ANNOUNCES: Final = "announces"
_HINTS: Final = {
    **dict.fromkeys(LIST_HINTS, LISTS),
    **dict.fromkeys(ASIDES, ADDS),
    **dict.fromkeys(ANNOUNCED, ANNOUNCES),
}
_HINTED: Final = list(_HINTS.values())
_AUTOMATON: Final = AhoCorasick(list(_HINTS))
OF_TEXTS: Final = frozenset(["EOF", "unexpected EOF", "command not found", "database error"])
"""What sounds like the machine's fault, and is said of programs and documents as well."""
ENDS: Final = frozenset(["EOF", "unexpected EOF"])
SETTINGS: Final = "settings of the server"
OWN_CLASSES: Final = frozenset(["AssertionError", "NotImplementedError", "RecursionError"])
"""Exceptions that are no refusals, whoever raises them."""
SENTENCE: Final = 3
"""So many words are a sentence."""
AUTHORED: Final = "a program, query or document of the caller"
FRAMES: Final = TRACED


def evidence(text: str, fold: str, lexicon: Lexicon, given: Given) -> list[Factor]:
    """The factors that the wording of a text gives; of a chain, the outermost that says a thing."""
    if TRACE not in text:
        return _wording(text, fold, lexicon, given)
    found: list[Factor] = []
    for cause in causes(text):
        found = _wording(cause, folded(cause), lexicon, given)
        if any(_says_something(factor) for factor in found):
            break
    return found


def _says_something(factor: Factor) -> bool:
    return factor.weight >= FAIR and factor.speaks_for != "unclear" and factor.name != FRAMES


def _wording(text: str, fold: str, lexicon: Lexicon, given: Given) -> list[Factor]:
    trace = (Trace(text) or None) if "\n" in text else None
    hits = _spoken(text, lexicon.hits(text, fold), trace)
    unquoted = given.unquoted(fold, hits)
    if not unquoted:
        unquoted = [hit for hit in hits if hit.pattern.speaks_for == "business"]
    if any(hit.pattern.source == SETTINGS for hit in unquoted):
        unquoted = [hit for hit in unquoted if not _is_an_argument(hit, given)]
    hints = {
        _HINTED[place] for place, _, _ in _AUTOMATON.find_matches_as_indexes(fold, overlapping=True)
    }
    if ANNOUNCES in hints:
        unquoted = _of_innermost(fold, unquoted)
    unquoted = without_mentions(text, unquoted, hints)
    complaints = [hit for hit in unquoted if hit.pattern.owed_to_input]
    if complaints:
        # What ends too early is the text that could not be read, not a connection.
        unquoted = [hit for hit in unquoted if hit.pattern.phrase not in ENDS]
    is_callers = _is_about_a_text(text, unquoted, given)
    owed = is_callers or any(given.is_at_fault(fold, hit) for hit in complaints)
    factors = [_factor(text, hit, owed, is_callers) for hit in unquoted]
    found = _with_innermost(fold, unquoted, factors)
    if len(unquoted) < len(hits):
        found += _passed_over(text, hits, unquoted, hints)
    if is_callers:
        found.append(Factor("error in what was sent", "business", CERTAIN, AUTHORED, "input"))
        return found
    return [*found, *_of_frames(trace)] if trace else found


def _passed_over(
    text: str, hits: list[Hit], counted: list[Hit], hints: set[str]
) -> Iterator[Factor]:
    """What is told of hits that do not count, and of the list in which they may stand."""
    kept = {id(hit) for hit in counted}
    yield from (_quoted(text, hit) for hit in hits if id(hit) not in kept)
    if LISTS in hints and (listed := lists_values(text)):
        yield Factor("lists what is allowed", "business", STRONG, listed[:80], "response")


def _is_about_a_text(text: str, hits: list[Hit], given: Given) -> bool:
    """Whether an error is about a program, query or document that the caller sent."""
    if _may_be_about_a_text(hits):
        return given.authored.is_blamed_by(text)
    if not all(map(_is_about_time, hits)) or _are_refusals(hits):
        return False
    return given.authored.has_exhausted_itself(text)


def _are_refusals(hits: list[Hit]) -> bool:
    return all(hit.pattern.speaks_for == "business" for hit in hits)


def _is_about_time(hit: Hit) -> bool:
    """Whether a hit is about the time that something took, if it is not a refusal anyway."""
    phrase = hit.pattern.phrase.lower()
    return hit.pattern.speaks_for == "business" or "time" in phrase or not _is_beyond_the_text(hit)


def _may_be_about_a_text(hits: list[Hit]) -> bool:
    """Whether an error is not a refusal already, and nothing in it is beyond the caller's text."""
    is_open = not hits or any(hit.pattern.speaks_for != "business" for hit in hits)
    return is_open and not any(map(_is_beyond_the_text, hits))


def _is_an_argument(hit: Hit, given: Given) -> bool:
    """Whether a word about settings of the server is the name of an argument, or of the tool."""
    pattern = hit.pattern
    if pattern.source != SETTINGS or pattern.weight > STRONG:
        return False
    is_of_place = pattern.phrase.endswith(" file") and given.names_a_place
    return is_of_place or given.has_named(pattern.phrase)


def _is_beyond_the_text(hit: Hit) -> bool:
    """Whether a hit tells of something that no text of the caller can bring about."""
    pattern = hit.pattern
    is_loud = pattern.speaks_for == "environment" and pattern.weight >= STRONG
    return is_loud and pattern.phrase not in OF_TEXTS


def _of_innermost(fold: str, hits: list[Hit]) -> list[Hit]:
    """The hits after the words that announce a cause, if those decide; else all."""
    begin, enough = max((fold.rfind(words), least) for words, least in ANNOUNCED.items())
    inner = [hit for hit in hits if hit.start >= begin]
    decides = any(_is_decisive(hit, enough) for hit in inner)
    return inner if decides else hits


def _is_decisive(hit: Hit, enough: float) -> bool:
    pattern = hit.pattern
    return pattern.weight >= enough and pattern.speaks_for != "unclear" and not pattern.is_frame


def _spoken(text: str, hits: Iterable[Hit], trace: Trace | None) -> list[Hit]:
    """The last place of each pattern, as the cause comes last; none in names or frames.

    What was raised on purpose is said after its trace: what came before is how it came about.
    """
    if trace is None:
        return list(
            {hit.pattern.phrase: hit for hit in hits if not is_in_a_name(text, hit)}.values()
        )
    begin = trace.end if trace.is_deliberate else 0
    spoken = {
        hit.pattern.phrase: hit
        for hit in hits
        if hit.start >= begin
        and not is_in_a_name(text, hit)
        and (hit.pattern.is_frame or not trace.holds(hit.start))
    }
    found = list(spoken.values())
    return _of_message(text[begin:], begin, found) if trace.is_deliberate else found


def _of_message(raised: str, begin: int, hits: list[Hit]) -> list[Hit]:
    """The hits in the sentence with which an exception was raised on purpose, if they say anything.

    Then its class says no more: a key that is missing may be a refusal.
    """
    name, colon, message = raised.lstrip().partition(": ")
    if not colon or name in OWN_CLASSES or " " in name or len(message.split()) < SENTENCE:
        return hits
    start = begin + raised.find(name) + len(name)
    told = [hit for hit in hits if hit.start >= start]
    is_said = any(hit.pattern.weight >= FAIR and not hit.pattern.is_frame for hit in told)
    return told if is_said else hits


def _factor(text: str, hit: Hit, owed: bool, is_callers: bool) -> Factor:
    """The factor that a hit is; all complaints about a text are owed to its writer if one is."""
    pattern = hit.pattern
    is_owed = is_callers or (owed and pattern.owed_to_input)
    kind = "business" if is_owed and pattern.speaks_for != "unclear" else pattern.speaks_for
    return Factor(pattern.name, kind, pattern.weight, text[hit.start : hit.end], pattern.source)


def _quoted(text: str, hit: Hit) -> Factor:
    """Words that are only those of the caller: told, and not weighed."""
    pattern = hit.pattern
    return Factor("quoted input", pattern.speaks_for, SILENT, text[hit.start : hit.end], "input")


def _of_frames(trace: Trace) -> list[Factor]:
    weight = SILENT if trace.is_deliberate else FAIR
    return [Factor(FRAMES, "failure", weight, "lines of a stack trace", "response")]


def _with_innermost(fold: str, hits: list[Hit], factors: list[Factor]) -> list[Factor]:
    """The same factors, those of the last cause louder where earlier ones tell otherwise."""
    if len(factors) < 2 or len({factor.speaks_for for factor in factors}) < 2:
        return factors
    loud = [
        (hit, factor)
        for hit, factor in zip(hits, factors, strict=True)
        if factor.weight >= FAIR and factor.speaks_for != "unclear" and not hit.pattern.is_frame
    ]
    if len({factor.speaks_for for _, factor in loud}) < 2:
        return factors
    last = max(hit.start for hit, _ in loud)
    begin = max(fold.rfind(cause, 0, last) for cause in CAUSES)
    return [
        replace(factor, weight=factor.weight * INNER) if hit.start > begin > 0 else factor
        for hit, factor in zip(hits, factors, strict=True)
    ]
