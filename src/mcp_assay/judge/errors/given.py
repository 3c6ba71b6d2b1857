"""What the caller sent: words of it that a message only quotes are no evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.authored import AuthoredTexts
from mcp_assay.judge.errors.lexicon import Hit, folded
from mcp_assay.judge.errors.value_forms import is_owed_to_form, stops_where_told
from mcp_assay.text.names import name_parts, name_words, word_set

MOST_VALUES: Final = 100
LONGEST_VALUE: Final = 2_000
SHORTEST_VALUE: Final = 3
LONG_NAME: Final = 8
"""A name that long is known even where people part it: "time zone" of `timezone`."""
MOST_MEMBERS: Final = 500
MOST_NUMBER: Final = 10**30
MOST_PLACES: Final = 20
LONGEST_PAIR: Final = 100
"""A value that a message would tell beside its name."""
NEAR: Final = 120
"""So far from a complaint about a text, that text may be quoted."""
PROGRAM_NAMES: Final = word_set("language lang interpreter runtime shell engine compiler linter")
"""Words of arguments that choose a program which the machine must have."""

WRITTEN: Final = word_set(
    """
    code command condition cron css expr expression expressions filter formula function graphql
    javascript jq js json jsonpath pattern predicate program python query regex regexp schedule
    script selector snippet source sql statement template where xml xpath yaml
    """
)
"""Words in the names of arguments that the caller writes in some language."""

READ: Final = word_set(
    """
    archive attachment audio base64 blob body buffer bytes config content contents csv data document
    encoded file filename font html image ini input json log manifest markdown paste path payload
    pdf raw sheet string svg text toml upload xml yaml zip
    """
)
"""Words in the names of arguments that hold, or name, a text or file to be read."""

WORKPLACES: Final = word_set("cwd dir directory folder root workdir workspace")
"""Words in the names of arguments that are a folder to work in."""

NAMED_AS: Final = (".{}.", "body.{}", "{} must be ")
"""How a complaint about a text names the argument that it is about, besides in quotes."""

READING: Final = ("parse", "parsing", "convert", "converting", "decoding", "reading", "invalid")
"""What is done to an argument before it is found to be unreadable."""

LITTLE_WORDS: Final = word_set(
    "a i an am as at be by do go he i'm id if in is it me my no of ok on or so to up us we"
)
"""Words of prose that are as short as a short value."""

CODE_MARKS: Final = frozenset("(){}[]=<>*$^\\|;")
ODD_MARKS: Final = CODE_MARKS | {"%"}
CODE_STARTS: Final = (
    "select ",
    "insert ",
    "update ",
    "delete ",
    "with ",
    "create ",
    "drop ",
    "show ",
)
"""What tells code from words that are only looked for."""

OF_NO_FILE: Final = ("(<unknown>, line ", "(<string>, line ", "(<expression>, line ", "at eval (")
"""How a text is named that was given to be run, and that stands in no file."""

SAYS_EMPTY: Final = ("empty", "blank", "at least one", "at least two", "no data")
"""Words of complaints about a value in which there is nothing, or too little."""
FEW: Final = 2

LONGEST_DEFINITION: Final = 20_000
CLASS: Final = "<class '"
_GOT_TYPE: Final = re.compile(
    r"\b(?:must|should) be [^\n]{1,80}(?:got|received|not) <class '(\w{1,20})'"
)
_FILE_PATH: Final = re.compile(r"(?:/[\w.-]{1,80}){1,20}\.\w{1,5}\b")
_FILE_NAME: Final = re.compile(r"\w\.[A-Za-z]\w{0,4}$")
_PATHS: Final = frozenset("/\\@#")
_QUOTES: Final = frozenset("'\"`")
_QUOTED: Final = re.compile(r"""["'`]([^"'`\n]{1,80})["'`]""")
LONGEST_JOINT: Final = 10
JOINTS: Final = frozenset(["is", "of"])
_NO_MARKS: Final = str.maketrans("'\"`:=", "     ")
"""What may stand between a name and its value."""
_JOINTS: Final = frozenset("_-")
_ENDS: Final = frozenset(["", " ", ".", ",", ";", ":", "!", "?", "(", ")", "\n"])
_BETWEEN: Final = "\x00\n"
"""Stands between texts, and in none of them."""
_STEPS: Final = re.compile(r"[/\\]")
_DELIMITERS: Final = _PATHS | _QUOTES | _JOINTS | {"."}


class Given:
    """The arguments of a call, as a message may repeat them."""

    def __init__(
        self, arguments: object, tool: object = None, *, is_error_case: bool = False
    ) -> None:
        self._arguments: Final = arguments
        self._tool: Final = tool
        self._is_error_case: Final = is_error_case
        """Whether something wrong was sent on purpose."""
        self._texts: Final = list(_leaves(arguments))
        self._together: Final = folded(_BETWEEN.join(self._texts))
        """All values in one text, where most phrases are looked for in vain."""
        self._values: dict[str, str] | None = None
        self._names: set[str] | None = None
        self._authored: AuthoredTexts | None = None

    @property
    def _blanks(self) -> set[str]:
        """Texts of several blanks, which nothing but a quotation ends in."""
        return {folded(one) for one in self._texts if len(one) > 1 and one.isspace()}

    @property
    def values(self) -> dict[str, str]:
        """The texts and numbers that were sent: as a folded message shows them, and as they are."""
        if self._values is None:
            pairs = zip(self._together.split(_BETWEEN), self._texts, strict=False)
            self._values = {fold: text for fold, text in pairs if fold.strip()}
        return self._values

    def unquoted(self, fold: str, hits: list[Hit]) -> list[Hit]:
        """The hits in a folded text that do not begin within something that was sent."""
        if not self._arguments:
            return hits
        return [hit for hit in hits if not self._is_of_caller(fold, hit)]

    def _is_of_caller(self, fold: str, hit: Hit) -> bool:
        """Whether words lie within something that was sent, or begin in such a value in quotes."""
        phrase = fold[hit.start : hit.end]
        if phrase == CLASS:
            return self._names_sent_type(fold, hit)
        return (phrase in self._together and self._quotes(fold, hit, phrase)) or any(
            self._begins(fold, hit, mark) for mark in _QUOTES if mark in phrase
        )

    def _names_sent_type(self, fold: str, hit: Hit) -> bool:
        """Whether what was got is told by its type: "must be a path, got <class 'str'>"."""
        told = _GOT_TYPE.search(fold[max(0, hit.start - NEAR) : hit.end + NEAR])
        sent = self._arguments.values() if isinstance(self._arguments, dict) else ()
        return told is not None and told[1] in {type(one).__name__.lower() for one in sent}

    def _begins(self, fold: str, hit: Hit, mark: str) -> bool:
        """Whether words begin in a value between these marks, and go on behind it."""
        begin, end = fold.rfind(mark, 0, hit.start) + 1, fold.find(mark, hit.start, hit.end)
        return begin > 0 and fold[begin:end] in self.values

    def _quotes(self, fold: str, hit: Hit, phrase: str) -> bool:
        return any(
            phrase in value
            and fold.find(value, max(0, hit.end - len(value)), hit.start + len(value)) >= 0
            for value in self.values
        )

    def named(self, fold: str) -> str | None:
        """A field or value of the arguments that a folded text names."""
        fields = self._arguments if isinstance(self._arguments, dict) else {}
        for name in islice(fields, MOST_VALUES):
            for spoken in _spoken_names(str(name)):
                if spoken in fold and _names(fold, spoken):
                    return str(name)
        for value, shown in self.values.items():
            if value in fold and _names(fold, value):
                return shown
        return None

    def has_named(self, word: str) -> bool:
        """Whether the tool, or an argument of it, has a word in its name."""
        name = self._tool.get("name") if type(self._tool) is dict else None
        names = [*self._fields(), name] if type(name) is str else self._fields()
        return any(_has_word(_folded_name(one[:LONGEST_PAIR]), word) for one in names)

    def knows_field(self, name: str) -> bool:
        """Whether a name occurs in the arguments or in the inputSchema, at any depth."""
        if self._names is None:
            schema = self._tool.get("inputSchema") if type(self._tool) is dict else None
            self._names = {*_member_names(self._arguments), *_member_names(schema)}
        return name in self._names

    def has_value(self, shown: str) -> bool:
        """Whether a value that a message shows was sent."""
        value = folded(shown.strip("'\""))
        is_part = any(value == one or (value and value in one) for one in self.values)
        return is_part or self._has_container(shown)

    def _has_container(self, shown: str) -> bool:
        """Whether an object or a list was sent that begins as a message shows one."""
        waiting = [self._arguments]
        for _ in range(MOST_MEMBERS if shown.startswith(("{", "[")) else 0):
            if not waiting:
                return False
            one = waiting.pop()
            if isinstance(one, dict | list):
                if one is not self._arguments and repr(one)[:LONGEST_VALUE].startswith(shown):
                    return True
                waiting += islice(one.values() if isinstance(one, dict) else one, MOST_VALUES)
        return False

    def named_in_prose(self, text: str) -> str | None:
        """A value of the arguments that a sentence is about."""
        fold = folded(text)
        values = (shown for one, shown in self.values.items() if _names(fold, one))
        things = (
            f"{thing} {value}"
            for name, value in _pairs(self._arguments)
            if value in fold
            and (thing := name.rpartition(" ")[0])
            and _stand_together(fold, thing, value)
        )
        return self.named_with_value(fold) or next(values, None) or next(things, None)

    def named_first(self, text: str) -> str | None:
        """An argument that a sentence begins with, after its article at most."""
        start = folded(text[:LONGEST_PAIR]).removeprefix("the ")
        begins = (
            field
            for field in self._fields()
            for name in _spoken_names(field)
            if len(name) >= SHORTEST_VALUE and f"{start} ".startswith(f"{name} ")
        )
        return next(begins, None)

    def has_sent(self, name: str) -> bool:
        """Whether a name is an argument's, or stands in what was sent as a whole word."""
        shown = folded(name)
        fields = map(_folded_name, self._fields())
        return shown in fields or any(shown == one or _has_word(one, shown) for one in self.values)

    def named_with_value(self, fold: str) -> str | None:
        """An argument that a folded text names together with its value: "number 7", "id: x"."""
        for name, value in _pairs(self._arguments, fold):
            if value in fold and _stand_together(fold, name, value):
                return f"{name} {value}"
        return None

    def _is_named(self, about: str, hit: Hit) -> bool:
        """Whether an argument is named: a complaint about a text may have names of its own."""
        names = {name for field in self._fields() for name in _spoken_names(field)}
        if hit.pattern.owed_to_error_case:
            joined = about.replace(" ", "")
            return any(
                _names(about, name) or (len(name) >= LONG_NAME and name in joined) for name in names
            )
        return any(
            f"{mark}{name}{mark}" in about or any(form.format(name) in about for form in NAMED_AS)
            for name in names
            for mark in _QUOTES
        )

    def _is_being_read(self, before: str) -> bool:
        """Whether a folded text says that it was about to read an argument."""
        names = {name for field in self._fields() for name in _spoken_names(field)}
        return any(_is_read_as(before, name) for name in names)

    @property
    def authored(self) -> AuthoredTexts:
        """The programs, queries and documents that the caller sent."""
        if self._authored is None:
            self._authored = AuthoredTexts(self._arguments, self._tool)
        return self._authored

    def takes(self, name: str) -> bool:
        """Whether an argument has this name, or was sent with it as its value."""
        shown = folded(name)
        joined = shown.replace(" ", "")
        fields = (_folded_name(one).replace(" ", "") for one in self._fields())
        return shown in self.values or joined in fields

    def has_part_of(self, path: str) -> bool:
        """Whether anything that was sent is part of a folded path, or has it as its part.

        A short text is a part where it stands between the marks of a path: "a" in "notes/a.md". A
        path may end where a text that was sent goes on, or be made of the folder of one.
        """
        if any(len(one) > 1 and (one in path or path in one) for one in self.values):
            return True
        steps = _STEPS.split(path)
        if any(_is_odd(step) and one.startswith(step) for step in steps for one in self.values):
            return True
        folders = (one.rstrip("/").rpartition("/")[0] for one in self.values)
        if any(folder and path.endswith(folder) for folder in folders):
            return True
        stems = {stem for step in steps for stem in (step, step.partition(".")[0])}
        return any(folded(one) in stems for one in self._texts if one not in ("", "."))

    def names_program(self, path: str) -> bool:
        """Whether a folded path is a language or program that was chosen, which is not there."""
        sent = self._arguments.items() if isinstance(self._arguments, dict) else ()
        return any(
            isinstance(value, str)
            and folded(value) == path
            and not PROGRAM_NAMES.isdisjoint(name_words(str(name)))
            for name, value in sent
        )

    def has_named_folder(self, folder: str) -> bool:
        """Whether a path that was sent is part of a folded folder, or lies in it."""
        paths = [one for one in self.values if "/" in one.strip("/") or one.startswith("/")]
        return any(one.rpartition("/")[0] in folder or folder in one for one in paths)

    def has_written(self, name: str) -> bool:
        """Whether a name is one word among others that were sent, or the command that was."""
        shown = folded(name)
        return any(shown != one and _has_word(one, shown) for one in self.values) or any(
            folded(value) == shown for value in _written(self._arguments) if isinstance(value, str)
        )

    def knows(self, name: str) -> bool:
        """Whether a name was sent, in whole or in part, or stands in the definition of the tool."""
        shown = folded(name)
        if self.has_part_of(shown) or self.knows_field(name):
            return True
        return shown in self._definition or any(one in shown for one in self.values if len(one) > 2)

    @property
    def _definition(self) -> str:
        """What the tool says of itself, and what its schema lists, folded."""
        tool = self._tool if type(self._tool) is dict else {}
        schema = tool.get("inputSchema")
        texts = (tool.get("name"), tool.get("description"), *_leaves(schema))
        return folded(" ".join(one for one in texts if type(one) is str))[:LONGEST_DEFINITION]

    @property
    def names_a_place(self) -> bool:
        """Whether something was sent that leads to more: a path, an address, or a whole text."""
        return bool(self.authored) or any(
            "/" in one or "\\" in one or "\n" in one or _FILE_NAME.search(one)
            for one in self._texts
        )

    @property
    def has_workplace(self) -> bool:
        """Whether an argument is the folder in which something shall be done."""
        sent = self._arguments if isinstance(self._arguments, dict) else {}
        return any(not WORKPLACES.isdisjoint(name_words(str(name))) for name in islice(sent, 100))

    def does(self, deeds: frozenset[str]) -> bool:
        """Whether the tool's name begins with one of these words."""
        name = self._tool.get("name") if type(self._tool) is dict else None
        return type(name) is str and not deeds.isdisjoint(name_words(name[:LONGEST_PAIR])[:1])

    def _holds_a_text(self) -> bool:
        """Whether an argument is by its name something that a tool reads."""
        return any(READ.intersection(_folded_name(name).split()) for name in self._fields())

    def _fields(self) -> list[str]:
        """The names of the arguments, those that were left out too."""
        sent = self._arguments if isinstance(self._arguments, dict) else {}
        schema = self._tool.get("inputSchema") if type(self._tool) is dict else None
        listed = schema.get("properties") if type(schema) is dict else None
        names = [*sent, *(listed if type(listed) is dict else ())]
        return [name for name in names[:MOST_VALUES] if type(name) is str]

    def _is_blank_quoted(self, about: str) -> bool:
        """Whether a folded text quotes a text of blanks that was sent, or one of nothing."""
        blanks = (f"{blank}{mark}" for blank in self._blanks for mark in _QUOTES)
        nothing = (2 * mark for mark in _QUOTES if "" in self._texts)
        return any(quoted in about for quoted in (*blanks, *nothing))

    def is_at_fault(self, fold: str, hit: Hit) -> bool:
        """Whether a complaint about some text is one about what the caller wrote."""
        if self._is_error_case and (hit.pattern.owed_to_error_case or self._holds_a_text()):
            return True
        begin = fold.rfind(": ", 0, hit.start) + 1
        about = fold[max(begin, hit.start - NEAR) : hit.end + NEAR]
        if any(_names(about, one) for one in self.values) or self._is_named(about, hit):
            return True
        before = fold[max(0, hit.start - NEAR) : hit.start]
        if self._is_being_read(before) or self._has_wrong_form(hit):
            return True
        if self._is_blank_quoted(about) or self._is_broken_json(fold[hit.start : hit.end + NEAR]):
            return True
        if self._ends_in_nothing(fold, hit) or self._repeats_the_start(about):
            return True
        return (
            self._is_called_empty(about)
            or self._is_of_named_file(about)
            or self._is_of_source(about)
        )

    def _is_of_source(self, about: str) -> bool:
        """Whether a complaint is about code or another text in some language that was sent."""
        written = list(_written(self._arguments))
        is_source = any(mark in about for mark in OF_NO_FILE)
        return any(is_source or _is_code(one) or _is_quoted_in(about, one) for one in written)

    def _is_called_empty(self, about: str) -> bool:
        """Whether a complaint is that there is nothing in something, and that was sent."""
        sent = self._arguments.values() if isinstance(self._arguments, dict) else ()
        is_empty = any(len(one) < FEW if isinstance(one, list) else one in ("", {}) for one in sent)
        return is_empty and any(word in about for word in SAYS_EMPTY)

    def _is_of_named_file(self, about: str) -> bool:
        """Whether a file was named to be read: what stands in it is the caller's.

        A complaint that names another file is about that.
        """
        if not all(map(self.has_part_of, _FILE_PATH.findall(about))):
            return False
        sent = self._arguments.items() if isinstance(self._arguments, dict) else ()
        named = (value for name, value in sent if not READ.isdisjoint(name_words(str(name))))
        texts = (one for value in named for one in (value if isinstance(value, list) else [value]))
        return any(isinstance(one, str) and _FILE_NAME.search(one) for one in texts)

    def _has_wrong_form(self, hit: Hit) -> bool:
        """Whether a value was sent in another form than that which a complaint is about."""
        sent = self._arguments.items() if isinstance(self._arguments, dict) else ()
        return is_owed_to_form(hit.pattern.phrase, sent)

    def _is_broken_json(self, complaint: str) -> bool:
        """Whether an argument that is to be JSON breaks off where a folded complaint says."""
        sent = self._arguments.items() if isinstance(self._arguments, dict) else ()
        texts = [text for name, text in sent if type(text) is str and self._is_json(str(name))]
        return stops_where_told(complaint, texts)

    def _is_json(self, name: str) -> bool:
        """Whether an argument is JSON, by its name or by what is said of it, else of its tool."""
        tool = self._tool if type(self._tool) is dict else {}
        schema = tool.get("inputSchema")
        listed = schema.get("properties") if type(schema) is dict else None
        member = listed.get(name) if type(listed) is dict else None
        about = member.get("description") if type(member) is dict else None
        purpose = tool.get("description")
        told = about if type(about) is str else _line_about(name, purpose) or purpose
        return "json" in f"{name} {told}"[:LONGEST_DEFINITION].lower()

    def _ends_in_nothing(self, fold: str, hit: Hit) -> bool:
        """Whether what a complaint is about would stand at its end, and is blank."""
        is_blank = any(not one.strip() for one in self._texts)
        return is_blank and not fold[hit.end :].strip(" :'\"\n")

    def _repeats_the_start(self, about: str) -> bool:
        """Whether a complaint has the beginning of a text that is too long to be there whole."""
        return any(folded(one[: NEAR // 2]) in about for one in self._texts if len(one) > NEAR)


def is_in_a_name(text: str, hit: Hit) -> bool:
    """Whether a hit is part of a path, an address, a file name or a name with joints."""
    start, end = hit.start, hit.end
    before, after = text[start - 1 : start], text[end : end + 1]
    if before not in _DELIMITERS and after not in _DELIMITERS:
        return False
    if before in _PATHS or after in _PATHS:
        return not hit.pattern.is_literal
    if before in _QUOTES and after == before and text[start:end].isalpha():
        return not hit.pattern.is_literal
    if after == "." and text[end + 1 : end + 2].isalnum():
        return not hit.pattern.is_literal
    if before not in _JOINTS and after not in _JOINTS:
        return False
    word = text[start:end]
    return word.isalpha() and not word.isupper()


@lru_cache(maxsize=4096)
def _folded_name(name: str) -> str:
    return folded(name)


@lru_cache(maxsize=4096)
def _spoken_names(name: str) -> tuple[str, ...]:
    """A name as a folded text has it, and as people would say it: "start time"."""
    plain = _folded_name(name)
    words = " ".join(name_parts(name[:LONGEST_PAIR]))
    return (plain, words) if words and words != plain else (plain,)


def _is_read_as(before: str, name: str) -> bool:
    """Whether a folded text says that it reads something as an argument of this name."""
    start = before.find(f" {name}")
    after = before[start + len(name) + 1 :][:1]
    return start > 0 and before[:start].endswith(READING) and after in _ENDS


def _names(fold: str, value: str) -> bool:
    """Whether a folded text has a value as whole words; a very short one quoted or at its end."""
    if value.isalpha() and fold.rstrip().endswith(f": {value}"):
        return True
    start = fold.find(value)
    for _ in range(MOST_PLACES):
        if start < 0:
            return False
        before, after = fold[start - 1 : start], fold[start + len(value) :][:1]
        if _stands_alone(value, before, after):
            return True
        start = fold.find(value, start + 1)
    return False


def _stands_alone(value: str, before: str, after: str) -> bool:
    if len(value) < SHORTEST_VALUE:
        if after in _QUOTES and (before in _QUOTES or (before == " " and value.isalpha())):
            return after != "" or value not in LITTLE_WORDS
        is_word = before in _ENDS and after in _ENDS
        is_telling = value.isalpha() or (value.isalnum() and not value.isdecimal())
        return is_word and is_telling and value not in LITTLE_WORDS
    return not (
        (before.isalnum() and value[0].isalnum()) or (after.isalnum() and value[-1].isalnum())
    )


def _line_about(name: str, description: object) -> str:
    """The line of a tool's description that begins with the name of an argument, as in Python."""
    lines = description[:LONGEST_DEFINITION].splitlines() if type(description) is str else []
    begins = (f"{name}:", f"{name} (", f"- {name}:")
    return next((line for line in lines if line.strip().startswith(begins)), "")


def _member_names(value: object) -> Iterator[str]:
    """The names of the members of all objects in a value, as far as it is looked at."""
    waiting = [value]
    for _ in range(MOST_MEMBERS):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, dict):
            yield from map(str, islice(one, MOST_MEMBERS))
            waiting += islice(one.values(), MOST_MEMBERS)
        elif isinstance(one, list):
            waiting += one[:MOST_MEMBERS]


def _has_word(text: str, word: str) -> bool:
    """Whether a text has a word, with nothing of a word beside it."""
    start = text.find(word)
    for _ in range(MOST_PLACES):
        if start < 0:
            return False
        if _is_apart(text, start, start + len(word)):
            return True
        start = text.find(word, start + 1)
    return False


def _is_apart(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


def _written(arguments: object) -> Iterator[object]:
    """The arguments that by their names are written in some language."""
    for name, value in arguments.items() if isinstance(arguments, dict) else ():
        if WRITTEN.intersection(_folded_name(str(name)).split()):
            yield value


def _is_quoted_in(about: str, value: object) -> bool:
    """Whether a folded complaint quotes a piece of what was written."""
    text = folded(value[:LONGEST_VALUE]) if isinstance(value, str) else ""
    return any(piece in text for piece in _QUOTED.findall(about))


def _is_odd(step: str) -> bool:
    """Whether a step of a path holds what only a made-up name does."""
    return len(step) > 1 and not ODD_MARKS.isdisjoint(step)


def _is_code(value: object) -> bool:
    if isinstance(value, str):
        text = value[:LONGEST_VALUE]
        return not CODE_MARKS.isdisjoint(text) or text.lower().startswith(CODE_STARTS)
    return isinstance(value, dict | list) and bool(value)


def _pairs(arguments: object, fold: str | None = None) -> Iterator[tuple[str, str]]:
    """The arguments that are texts or numbers, folded as a message shows them; those it names."""
    sent = arguments.items() if isinstance(arguments, dict) else ()
    for name, value in islice(sent, MOST_VALUES):
        spoken = _folded_name(str(name))
        if (fold is not None and spoken not in fold) or len(spoken) > LONGEST_PAIR:
            continue
        shown = folded(_shown(value))
        if shown.strip() and len(shown) <= LONGEST_PAIR:
            yield spoken, shown


def _shown(value: object) -> str:
    """A text or number as a message would show it."""
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    return "".join(_leaves(value)) if isinstance(value, int | float) else ""


def _stand_together(fold: str, name: str, value: str) -> bool:
    """Whether a folded text has a name and, with no more than a joint between, its value."""
    start = fold.find(name)
    for _ in range(MOST_PLACES):
        if start < 0:
            return False
        end = start + len(name)
        place = fold.find(value, end + 1, end + LONGEST_JOINT + len(value))
        if place > 0 and _is_joint(fold[end:place]):
            before, after = fold[start - 1 : start], fold[place + len(value) :][:1]
            if not (before.isalnum() or after.isalnum()):
                return True
        start = fold.find(name, start + 1)
    return False


def _is_joint(between: str) -> bool:
    return all(word in JOINTS for word in between.translate(_NO_MARKS).split())


def _leaves(arguments: object) -> Iterator[str]:
    """The texts and numbers inside the arguments, as they would be shown."""
    waiting = [arguments]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, str):
            yield value[:LONGEST_VALUE].replace(_BETWEEN, " ")
        elif isinstance(value, dict):
            waiting += reversed(value.values())
        elif isinstance(value, list):
            waiting += reversed(value[:MOST_VALUES])
        elif isinstance(value, float) or (type(value) is int and abs(value) < MOST_NUMBER):
            yield str(value)
