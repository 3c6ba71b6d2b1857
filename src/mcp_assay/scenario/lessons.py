"""What refusals demand of arguments: by the structure of their sentences, not by whole sentences.

A sentence that demands something names the argument, or holds the value that was sent for it, or
says of what kind of argument it is true; and it says what that has to be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.scenario.limits import MAX_DEPTH, MAX_REFUSAL
from mcp_assay.scenario.named_values import allowed_in, examples_in
from mcp_assay.scenario.path_values import is_path_name
from mcp_assay.scenario.statements import STATEMENT_FIELDS, statements_for
from mcp_assay.scenario.usual_values import (
    FORMATS,
    MAX_NAME,
    TEXTS,
    by_description,
    by_name,
    singular,
)
from mcp_assay.text.names import name_parts, word_set

DemandKind: TypeAlias = Literal[
    "absolute",
    "relative",
    "file",
    "folder",
    "ending",
    "values",
    "own_values",
    "needed",
    "apart",
    "members",
]

_SENTENCES: Final = re.compile(r"\n+|(?<=[a-z0-9)'\"`])(?<!\be\.g)(?<!\bi\.e)[.;!]\s+")
_DEMAND: Final = re.compile(
    r"\b(?:must|should|needs?|required?|requires|expected|expects|(?<!read-)only|invalid|valid|format|please"
    r"|not (?:an?|in|supported|allowed)|provide|specify|supports?|supported|allowed|accepts?"
    r"|use|instead|expecting|unexpected|json)\b",
    re.IGNORECASE,
)
_ABSOLUTE: Final = re.compile(r"\babsolute\b(?!\s+ur[il])|\brelative paths?\b", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    r"\brelative to\b|\babsolute (?:\w+ )?paths?\b.{0,200}\bnot (?:allowed|supported|permitted)",
    re.IGNORECASE,
)
_NO_FOLDER: Final = re.compile(
    r"\bEISDIR\b|\bis a (?:directory|folder)\b|\bnot a (?:regular )?file\b|\bIsADirectoryError\b"
    r"|\bmust be a file\b",
    re.IGNORECASE,
)
_NO_FILE: Final = re.compile(
    r"\bENOTDIR\b|\b(?:is )?not a (?:directory|folder)\b|\bNotADirectoryError\b|\bis a file\b"
    r"|\bmust be a (?:directory|folder)\b",
    re.IGNORECASE,
)
HIDDEN: Final = frozenset({".git", ".env", ".venv", ".github", ".vscode"})
"""Names of files and folders that look like endings."""
_ENDING: Final = re.compile(r"(?<![\w.])['\"`(]?\*?(\.[A-Za-z][A-Za-z0-9]{1,7})\b(?!\.\w)")
_EXAMPLE_ENDING: Final = re.compile(r"[\w/\\](\.[A-Za-z][A-Za-z0-9]{1,4})['\"`]")
_START: Final = re.compile(
    r"\b(?:start|begin|starting|beginning|prefixed) with:? (?:an? |the )?(?:prefix )?"
    r"(?:['\"`]([^'\"`\n]{1,40})['\"`]|([\w+.-]{2,20}://))",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    r"\babsolute ur[il]s?\b|\bhttps?\b.{0,20}\b(?:ur[il]s?|scheme)\b|\bvalid ur[il]\b"
    r"|\b(?:like|with|as|or|format|must be|expected):? ['\"`]?https?://",
    re.IGNORECASE,
)
_NEEDED: Final = re.compile(
    r"\b(?:missing|required|requires?|provided?|specif(?:y|ied)|supplied|supply|given?|need(?:s|ed)?"
    r"|pass(?:ed)?|without|set)\b",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(r"[^\x00-\u024f\u2010-\u2027]")
"""In a script whose words nobody here knows: a refusal that names what was not sent wants it."""
_JOINED: Final = re.compile(r"[\W_]{0,4}[+&][\W_]{0,4}")
_JOINED_BY_AND: Final = re.compile(r"[\W_]{0,4}(?:[+&]|\band\b)[\W_]{0,4}", re.IGNORECASE)
"""What stands between two arguments that go together, where an "or" parts them from others."""
_OR: Final = re.compile(r"\bor\b", re.IGNORECASE)
_ONE_OF: Final = re.compile(r"\b(?:either|one of|at least one|exactly one|or)\b", re.IGNORECASE)
_APART: Final = re.compile(
    r"\b(?:mutually exclusive|not both|(?:cannot|can't|can not|do not|don't|not)\b.{0,40}\bboth\b"
    r"|(?:only|exactly) one of|cannot be (?:combined|used together|used with))",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    r"\b(?:first|before|beforehand|use|call|run|invoke|execute)\b", re.IGNORECASE
)
_TAKEN: Final = re.compile(
    r"\balready (?:exists?|in use|taken|registered|used|present|defined)\b"
    r"|\bduplicate\b|\b(?:must be|not) unique\b",
    re.IGNORECASE,
)
_GUESS: Final = re.compile(
    r"\bdid you mean(?::? ['\"`]([^'\"`\n]{1,80})['\"`]|: ([\w./:-]{1,80}))", re.IGNORECASE
)
_UNPARSED: Final = re.compile(
    r"\bexpecting (?:value|property name|',')|\bunexpected (?:token|end of json)"
    r"|\b(?:invalid|malformed|not(?: a)? valid|parse|parsing|decode|decoding) json\b"
    r"|\bjsondecodeerror\b|\bmust be (?:an? )?(?:valid )?json\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(
    r"""(?<!\w)(?:'([^'\n]{2,80})'|"([^"\n]{2,80})"|`([^`\n]{2,80})`)(?!\w)"""
)
_JSON: Final = ('{"a": 1}', "[1, 2]", '[{"name": "example", "value": 1}]', "[[1, 2], [3, 4]]")
"""Texts for an argument of which is only known that it is JSON."""
_OF_PLACE: Final = re.compile(r"^([\w.]{1,120})\n[ \t]{1,8}(\S[^\n\[]{1,120})", re.MULTILINE)
"""How pydantic says of a place what is wrong with it."""
_LACKING: Final = "field required"
_OF_TYPE: Final[Mapping[str, tuple[Any, ...]]] = {
    "valid number": (5, 2),
    "valid integer": (5, 2),
    "valid string": ("example",),
    "valid boolean": (True,),
    "valid list": ([1, 2], ["a", "b"]),
    "valid dictionary": ({"a": 1},),
}
_NUMERIC: Final = re.compile(
    r"\binstances of 'str' and '(?:int|float)'|\binstances of '(?:int|float)' and 'str'"
    r"|\bcould not convert string to float|\bmust be (?:a |real )?(?:number|numeric)\b"
    r"|\bunsupported operand type",
    re.IGNORECASE,
)
"""How it is told that numbers were wanted where texts were sent."""
_NAMING: Final = word_set("id key label name title type")
_MISSING: Final = re.compile(
    r"\b(?:missing|required|requires?|lacks?|must (?:have|contain|include)|keyerror)"
    r"(?: (?:the|a|required|following))?(?: (?:fields?|keys?|members?|propert(?:y|ies)))?:? ?"
    r"((?:['\"`\[{]{0,2}\w{1,40}['\"`\]}]{0,2}(?:, (?:and )?| and )?){1,12})",
    re.IGNORECASE,
)
"""How others say which members are missing."""
_OF_KIND: Final[Mapping[str, tuple[Any, ...]]] = {
    "array": ([],),
    "list": ([],),
    "object": ({},),
    "number": (5, 2),
    "integer": (5, 2),
    "boolean": (True,),
}
"""Values of which nothing else is known, by the word that such a refusal has behind a name."""
_KIND: Final = re.compile(rf"['\"`\s]{{0,3}}({'|'.join(_OF_KIND)})\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-Za-z_]\w{0,40}")
_NO_NAMES: Final = word_set(
    "a an and are argument arguments be been field fields following for from in is item items key "
    "keys least member members not of one or parameter parameters required the to value values with"
)
MOST_FIELDS: Final = 24
_NUMBERED: Final = re.compile(r"^(.*?)([0-9]*)(\.[A-Za-z][A-Za-z0-9]{0,7})?$", re.DOTALL)
CHOICES: Final = word_set("action command format kind level method mode operation sort style type")
"""Last words of arguments that mean another choice in each tool."""
MOST_EXCHANGED: Final = 3
_LONGEST_SENTENCE: Final = 600


class Demand(Struct, frozen=True):
    """What a refusal demands of one or several arguments."""

    kind: DemandKind
    arguments: tuple[str, ...]
    values: tuple[Any, ...] = ()
    """What is allowed there: values, or the endings of names."""


def demands_in(
    refusal: str, sent: Mapping[str, Any], names: Collection[str], pointer: str = ""
) -> list[Demand]:
    """What a refusal demands of the arguments of these names, where some of them were sent."""
    found: list[Demand] = []
    about: tuple[str, ...] = ()
    leaves = dict(_leaves(sent))
    known = tuple(dict.fromkeys((*names, *leaves)))
    for sentence in _SENTENCES.split(refusal[:MAX_REFUSAL]):
        if sentence.strip() and len(sentence) <= _LONGEST_SENTENCE:
            # a sentence that names no argument goes on about the one before
            about = _arguments_of(sentence, leaves, known) or about
            found += _of_sentence(sentence, about, leaves, known)
            found += _presence(sentence, tuple(one for one in about if one in names), sent)
    found += _fields_wanted(refusal[:MAX_REFUSAL], sent)
    if listed := allowed_in(refusal):
        found += _exchanged(refusal[:MAX_REFUSAL], leaves, listed)
        about = _arguments_of(refusal[:MAX_REFUSAL], leaves, known)
        varied = pointer.removeprefix("/")
        meant = about if len(about) == 1 else (varied,) if varied in names else ()
        is_own = not CHOICES.isdisjoint(name_parts(meant[0])[-1:]) if meant else False
        kind: DemandKind = "own_values" if is_own else "values"
        found += [Demand(kind, meant, tuple(listed))] if meant else []
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _leaves(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The texts, numbers and switches that were sent, by the names of their fields."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _leaves(one, str(inner), depth + 1)
    elif isinstance(value, list):
        for one in value[:1]:
            yield from _leaves(one, name, depth + 1)
    elif name:
        yield name, value


def _fields_wanted(refusal: str, sent: Mapping[str, Any]) -> Iterator[Demand]:
    """The members that objects lack which were sent, and the types of those that they have."""
    objects = {name: value for name, value in sent.items() if _is_object(value)}
    if not objects:
        return
    places = _OF_PLACE.findall(refusal)[:MOST_FIELDS]
    for place, complaint in places:
        *above, last = [step for step in place.split(".") if not step.isdecimal()] or [""]
        if complaint.lower().startswith(_LACKING):
            yield from _lacking(above[:1], refusal, (last,), objects)
        elif values := _of_type(complaint):
            yield Demand("own_values", (last,), values)
    if _NUMERIC.search(refusal):
        texts = (one for one in dict(_leaves(objects)).items() if isinstance(one[1], str))
        wanted = [name for name, _ in texts if _NAMING.isdisjoint(name_parts(name))]
        yield from (Demand("own_values", (name,), _OF_TYPE["valid number"]) for name in wanted)
    for sentence in () if places else refusal.splitlines()[:MOST_FIELDS]:
        if found := _MISSING.search(sentence):
            names = [one for one in _NAME.findall(found[1]) if one.lower() not in _NO_NAMES]
            kind = _KIND.match(sentence, found.end())
            if kind and names:
                yield Demand("own_values", (names[-1],), _OF_KIND[kind[1].lower()])
            yield from _lacking((), sentence, tuple(names), objects)


def _of_type(complaint: str) -> tuple[Any, ...]:
    """Values as pydantic wants them: of a type, or of a list."""
    listed = tuple("".join(groups) for groups in _QUOTED.findall(complaint))
    return next((_OF_TYPE[one] for one in _OF_TYPE if one in complaint), listed)


def _lacking(
    above: Iterable[str], said: str, names: tuple[str, ...], objects: Mapping[str, Any]
) -> Iterator[Demand]:
    """These members of the object that is named, or else of the first that has none of them."""
    lower = said.lower()
    known = [name for name in objects if name in above]
    known += [name for name in objects if singular(name.lower()) in lower]
    known += [name for name in objects if not _has_members(objects[name], names)]
    yield from [Demand("members", (name,), names) for name in known[:1] if names]


def _is_object(value: object) -> bool:
    """Whether a value is an object, or an array of them."""
    return isinstance(value[0] if isinstance(value, list) and value else value, dict)


def _has_members(value: Any, names: Iterable[str]) -> bool:
    one = value[0] if isinstance(value, list) else value
    return any(name in one for name in names)


def _exchanged(refusal: str, leaves: Mapping[str, Any], listed: Iterable[str]) -> Iterator[Demand]:
    """Texts of which a part is exchanged for what there is: "Data!A1", where Data is not found."""
    wrong = ["".join(groups) for groups in _QUOTED.findall(refusal)]
    there = [one for one in listed if one not in wrong[:1]][:MOST_EXCHANGED]
    for name, value in leaves.items():
        if isinstance(value, str) and wrong and wrong[0] in value and wrong[0] != value:
            values = tuple(value.replace(wrong[0], one) for one in there)
            yield from [Demand("own_values", (name,), values)] if values else []


def without_sent(text: str, sent: Mapping[str, Any]) -> str:
    """A refusal without what was sent, which it only repeats."""
    texts = (value for value in sent.values() if isinstance(value, str) and len(value) > 1)
    return reduce(lambda rest, value: rest.replace(value, ""), texts, text)


def tools_wanted_in(refusal: str, tools: Iterable[str]) -> set[str]:
    """The other tools that a refusal says to call first."""
    text = refusal[:MAX_REFUSAL]
    if not _FIRST.search(text):
        return set()
    return {name for name in tools if len(name_parts(name)) > 1 and _word(name).search(text)}


def _of_sentence(
    sentence: str, about: tuple[str, ...], sent: Mapping[str, Any], names: Collection[str]
) -> Iterator[Demand]:
    if _TAKEN.search(sentence):
        yield from _renamed(sentence, about, sent)
    if guess := _GUESS.search(sentence):
        name = _meant_by(guess[0], sentence, about, sent)
        yield from [Demand("own_values", (name,), (guess[1] or guess[2],))] if name else []
    paths = tuple(name for name in about or names if is_path_name(name))
    yield from _of_kind(sentence, about, paths, sent)
    if not _DEMAND.search(sentence):
        return
    if _RELATIVE.search(sentence) and paths:
        yield Demand("relative", paths)
    elif _ABSOLUTE.search(sentence) and paths:
        yield Demand("absolute", paths)
    meant = about or _containers(sent) or _only_text(sent)
    texts = tuple(name for name in meant if not isinstance(sent.get(name), int | float))
    if _UNPARSED.search(sentence):
        yield from _as_json(texts or _only_text(sent))
        return
    queries = tuple(name for name in about or names if _is_statement(name))
    statements = statements_for(sentence) if queries else ()
    if (endings := _endings(without_sent(sentence, sent))) and (paths or texts):
        yield Demand("ending", paths or texts[:1], endings)
    elif (values := _forms(sentence)) and not statements:
        yield from [Demand("values", (name,), values) for name in texts[: 1 if about else None]]
    if statements:
        yield Demand("values", queries[:1], statements)


def _meant_by(
    guess: str, sentence: str, about: tuple[str, ...], sent: Mapping[str, Any]
) -> str | None:
    """The argument for which a refusal guesses another value: the one whose value it repeats."""
    said = sentence.replace(guess, "")
    named = [name for name, value in sent.items() if _has(said, value)] or list(about)
    return next(iter(named or _only_text(sent)), None)


def _of_kind(
    sentence: str, about: tuple[str, ...], paths: tuple[str, ...], sent: Mapping[str, Any]
) -> Iterator[Demand]:
    """That a path is to be a file, or a folder, or lie below the one in front of it."""
    given = tuple(name for name in paths if isinstance(sent.get(name), str))
    if wanted := given[:1] if about else given if len(given) == 1 else ():
        if _NO_FILE.search(sentence):
            yield Demand("folder", wanted)
        elif _NO_FOLDER.search(sentence):
            yield Demand("file", wanted)
    # "/srv/srv/a.txt" shows that what was sent as a whole path was put behind a folder
    joined = (name for name in given if _is_joined(str(sent[name]), sentence))
    yield from (Demand("relative", (name,)) for name in joined)


def _is_joined(path: str, sentence: str) -> bool:
    at = sentence.find(path) if path.startswith("/") and path.count("/") > 1 else -1
    return at > 0 and (sentence[at - 1].isalnum() or sentence[at - 1] in "_-.")


def _as_json(names: Iterable[str]) -> Iterator[Demand]:
    for name in names:
        usual = (one for one in by_name(TEXTS, name) if one.startswith(("{", "[")))
        yield Demand("own_values", (name,), (*usual, *_JSON))


def _containers(sent: Mapping[str, Any]) -> tuple[str, ...]:
    """The texts that were sent and look like JSON: a refusal of an "input" is about them."""
    return tuple(
        name
        for name, value in sent.items()
        if isinstance(value, str) and value.startswith(("{", "["))
    )


def _only_text(sent: Mapping[str, Any]) -> tuple[str, ...]:
    """The one text that was sent, if there is no other."""
    texts = tuple(name for name, value in sent.items() if isinstance(value, str))
    return texts if len(texts) == 1 else ()


def _renamed(sentence: str, about: tuple[str, ...], sent: Mapping[str, Any]) -> Iterator[Demand]:
    """Another name for what is there already."""
    named = [name for name, value in sent.items() if _has(sentence, value)] or list(about)
    for name in named[-1:]:
        value = sent.get(name)
        if isinstance(value, str) and (parts := _NUMBERED.match(value[:MAX_NAME])):
            number = int(parts[2][-4:] or 1) + 1
            yield Demand("own_values", (name,), (f"{parts[1]}{number}{parts[3] or ''}",))


def _presence(sentence: str, about: tuple[str, ...], sent: Mapping[str, Any]) -> Iterator[Demand]:
    """Which arguments must be there, and which not together."""
    choices = _alternatives(sentence, about)
    if len(choices) > 1 and _APART.search(sentence):
        is_plain = all(len(one) == 1 for one in choices)
        pairs = (tuple(pair) for pair in _pairs(choices))
        yield from [Demand("apart", about)] if is_plain else (Demand("apart", it) for it in pairs)
    missing = tuple(name for name in about if name not in sent)
    is_foreign = _FOREIGN.search(sentence) is not None
    if not missing or not (_NEEDED.search(sentence) or is_foreign):
        return
    is_choice = len(about) > 1 and (is_foreign or _ONE_OF.search(sentence))
    if not is_choice:
        yield Demand("needed", missing)
    elif len(missing) == len(about):
        yield Demand("needed", choices[0])


def _alternatives(sentence: str, about: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The arguments between which a sentence gives the choice: what a plus joins is one of them."""
    found = ((name, _word(name).search(sentence)) for name in about)
    places = sorted((it.start(), it.end(), name) for name, it in found if it)
    joined = _JOINED_BY_AND if _OR.search(sentence) else _JOINED
    choices: list[tuple[str, ...]] = []
    end = 0
    for start, its_end, name in places:
        if choices and joined.fullmatch(sentence[end:start]):
            choices[-1] = (*choices[-1], name)
        else:
            choices.append((name,))
        end = its_end
    return choices or [(name,) for name in about]


def _pairs(choices: list[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Every two arguments that are of different choices."""
    for one, other in combinations(choices, 2):
        yield from product(one, other)


def _endings(sentence: str) -> tuple[str, ...]:
    found = [*_ENDING.findall(sentence), *_EXAMPLE_ENDING.findall(sentence)]
    return tuple(dict.fromkeys(one.lower() for one in found if one not in HIDDEN))


def _forms(sentence: str) -> tuple[str, ...]:
    """Values of the form that a sentence names."""
    if examples := examples_in(sentence):
        return tuple(examples)
    if start := _START.search(sentence):
        prefix = start[1] or start[2]
        return FORMATS["uri"] if prefix.startswith("http") else (f"{prefix}example",)
    if _ADDRESS.search(sentence):
        return FORMATS["uri"]
    return by_description(sentence)


def _is_statement(name: str) -> bool:
    return not STATEMENT_FIELDS.isdisjoint(name_parts(name))


def _arguments_of(text: str, sent: Mapping[str, Any], names: Collection[str]) -> tuple[str, ...]:
    """The arguments that a text names; else those whose values it holds."""
    named = tuple(name for name in names if _word(name).search(text))
    if named:
        return named
    quoted = tuple(name for name, value in sent.items() if _has(text, value))
    is_tied = len({sent[name] for name in quoted}) == 1
    return quoted[-1:] if is_tied else quoted  # what says which thing is meant comes before


def _has(text: str, value: object) -> bool:
    return isinstance(value, str) and len(value) > 1 and value in text


@lru_cache(maxsize=1024)
def _word(name: str) -> re.Pattern[str]:
    spoken = r"[ _-]?".join(map(re.escape, name_parts(name[:100]))) or re.escape(name[:100])
    return re.compile(rf"(?a:(?<![\w-])){spoken}(?a:(?![\w-]))", re.IGNORECASE)
