"""Values that fields usually have, by their names, formats and descriptions; all of them harmless.

Hosts lie under .invalid, addresses in 192.0.2.0/24 and 2001:db8::/32, which lead nowhere; paths are
relative; what stands for a secret opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from mcp_assay.text.names import name_parts, word_set
from mcp_assay.wire.pointer import Path

Table: TypeAlias = dict[str, tuple[Any, ...]]
"""What fields hold that have a word in their names."""


def _by_word(*rows: tuple[str, tuple[Any, ...]]) -> Table:
    """A table of rows that have several words each; the first row that has a word counts."""
    return {word: values for words, values in reversed(rows) for word in words.split()}


FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "date": ("2026-01-15", "2026-01-22"),
    "date-time": ("2026-01-15T12:30:00Z", "2026-01-22T23:59:59+02:00"),
    "time": ("12:30:00Z", "23:59:59+02:00"),
    "duration": ("PT1H", "P1D"),
    "email": ("assay@example.invalid", "second.reader@example.invalid"),
    "idn-email": ("assay@example.invalid",),
    "hostname": ("host.example.invalid", "www.example.invalid"),
    "idn-hostname": ("host.example.invalid",),
    "ipv4": ("192.0.2.1", "192.0.2.254"),
    "ipv6": ("2001:db8::1", "2001:db8::ff"),
    "uri": ("https://example.invalid/", "https://example.invalid/page?part=1"),
    "url": ("https://example.invalid/", "https://example.invalid/page?part=1"),
    "iri": ("https://example.invalid/",),
    "uri-reference": ("https://example.invalid/", "page"),
    "iri-reference": ("https://example.invalid/",),
    "uri-template": ("https://example.invalid/{part}",),
    "uuid": ("6f1d2c3a-8b4e-4f5a-9c6d-0e1f2a3b4c5d", "0a9b8c7d-6e5f-4a3b-8c1d-2e3f4a5b6c7d"),
    "json-pointer": ("/part", ""),
    "relative-json-pointer": ("0", "1/part"),
    "regex": ("^[a-z]+$", "a"),
    "byte": ("YXNzYXk=",),
    "binary": ("YXNzYXk=",),
    "password": ("not-a-real-password",),
    "color": ("#336699",),
}

A_FILE: Final = "assay-example"
GEOJSON: Final = (
    '{"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]}',
    '{"type": "Point", "coordinates": [5, 5]}',
    '{"type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 0]]}',
)
_FEATURE: Final = f'{{"type": "Feature", "properties": {{"name": "a"}}, "geometry": {GEOJSON[0]}}}'
FEATURES: Final = (f'{{"type": "FeatureCollection", "features": [{_FEATURE}]}}',)
TEXTS: Final = _by_word(
    ("email mail", FORMATS["email"]),
    ("recipient recipients to cc bcc sender", FORMATS["email"]),
    ("url uri link href website endpoint webhook homepage", FORMATS["uri"]),
    ("hostname host domain", FORMATS["hostname"]),
    ("port", ("8080", "443")),
    ("ip address4 ipv4", FORMATS["ipv4"]),
    ("ipv6", FORMATS["ipv6"]),
    ("uuid guid", FORMATS["uuid"]),
    ("timezone tz zone", ("UTC", "Europe/Paris", "Asia/Tokyo")),
    ("timestamp datetime", FORMATS["date-time"]),
    ("date day birthday deadline since until start end from", FORMATS["date"]),
    ("time", ("14:30", "09:00")),
    ("duration", FORMATS["duration"]),
    ("directory dir folder root cwd workspace", ("assay-example", "assay-other")),
    ("path file filename filepath", (f"{A_FILE}.txt", A_FILE)),
    ("repo repository", ("assay-example",)),
    ("branch ref revision commit sha", ("main", "HEAD")),
    ("sql", ("SELECT 1", "SELECT 2")),
    ("expression formula equation", ("2 + 2", "3 * 4")),
    ("regex regexp", ("[a-z]+", "a")),
    ("glob", ("*.txt", "*")),
    ("pattern", ("a", "*", "*.txt")),
    ("json", ('{"a": 1}', "[1, 2]")),
    ("geojson geometry", GEOJSON),
    ("wkt", ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "POINT (1 1)")),
    ("coordinate coordinates coords waypoints", (
        "[[10.75, 59.91], [10.8, 59.95]]", "10.75,59.91",
    )),
    ("bbox bounds extent", ("10.7,59.9,10.8,59.95", "[10.7, 59.9, 10.8, 59.95]")),
    ("crs srs epsg projection", ("EPSG:4326", "EPSG:3857")),
    ("html", ("<p>Hello</p>",)),
    ("xml", ("<a>1</a>",)),
    ("svg", ("<svg/>",)),
    ("yaml yml", ("a: 1",)),
    ("toml", ("a = 1",)),
    ("csv", ("name,value\napple,1\npear,2\n",)),
    ("markdown", ("# Hello\n\nA text.\n",)),
    ("cron crontab", ("0 5 * * *", "*/15 * * * *")),
    ("cidr subnet network", ("192.0.2.0/24",)),
    ("mac", ("00:00:5e:00:53:01",)),
    ("isbn", ("9780306406157",)),
    ("ean barcode", ("4006381333931",)),
    ("base64", ("aGVsbG8=",)),
    ("hex", ("ff00",)),
    ("algorithm hash", ("sha256", "md5")),
    ("encoding charset", ("utf-8",)),
    ("dice", ("2d6", "1d20")),
    ("unit units", ("m", "km")),
    ("matrix", ("[[1, 2], [3, 4]]",)),
    ("variable var", ("x", "y")),
    ("sheet worksheet", ("Sheet1", "example")),
    ("cell", ("A1", "B2")),
    ("range", ("A1:B3", "A1")),
    ("priority", ("medium", "1")),
    ("weekday", ("monday",)),
    ("module", ("json", "math")),
    ("command cmd", ("echo hello", "ls", "true")),
    ("query search keyword keywords term phrase q", ("hello", "weather")),
    ("password token secret credential apikey", ("not-a-real-secret",)),
    ("phone telephone mobile", ("+1 202 555 0100",)),
    ("city location place", ("London", "Oslo")),
    ("country", ("NO", "FR")),
    ("currency", ("EUR", "USD")),
    ("language lang locale", ("en", "fr")),
    ("ticker symbol stock", ("ACME",)),
    ("color colour", ("#336699", "red")),
    ("table tablename", ("assay_example", "example")),
    ("collection database db schema", ("example", "items")),
    ("key", ("example-key", "other-key")),
    ("id identifier ids", ("1", "example-1")),
    ("user username login owner author assignee", ("assay-example",)),
    ("title subject heading headline topic", ("An example", "Another example")),
    ("name label tag tags", ("example", "another-example")),
    ("message text content body prompt description comment note summary input sentence", (
        "Hello from mcp-assay", "A second, longer sentence to work with.",
    )),
    ("mime mimetype", ("text/plain",)),
    ("number amount value", ("1", "2")),
    ("version", ("1.0.0",)),
)  # fmt: skip
"""Words of a field's name, and what its text may be."""

_THINGS: Final = word_set(
    "branch city color commit country currency date directory email folder host hostname language "
    "location path phone regex repository symbol table ticker timezone url uuid"
)
THINGS: Final = {word: TEXTS[word] for word in _THINGS}
"""Words of descriptions that say what a text is, where its name does not."""
FORMS: Final = word_set("csv geojson html json markdown svg toml wkt xml yaml yml")
"""Words for forms in which whole texts are written."""
WHOLE_TEXTS: Final = word_set(
    "body content contents data document input payload source string text"
)
"""Words of fields that hold such a text."""
TOWARDS: Final = word_set("as into to")
"""Behind these stands the form that is made of it."""
GENERIC: Final = word_set("base item object ref source subject target value")
"""Names of fields that hold whatever their tool is about."""

NUMBERS: Final = _by_word(
    ("latitude lat", (51.5, -33.9)),
    ("longitude lon lng long", (-0.1, 151.2)),
    ("year", (2026, 2024)),
    ("month", (6, 1)),
    ("day", (15, 1)),
    ("hour", (12, 0)),
    ("duration seconds second delay sleep wait interval timeout ttl", (1, 2)),
    ("steps step iterations iteration repeat repeats times retries depth rounds", (2, 1)),
    ("minute", (30, 0)),
    ("port", (8080, 443)),
    ("percent percentage", (50, 10)),
    ("probability ratio fraction threshold temperature score", (0.5, 0.25)),
    ("price amount cost total balance", (10, 25)),
    ("width height", (16, 32)),
    ("index idx", (0, 1)),
    ("line row col column", (1, 2)),
    ("page offset start skip", (1, 0)),
    ("end", (10, 20)),
    ("limit count size max top results lines k n num length", (3, 1)),
    ("timestamp epoch", (1_768_478_400, 1_700_000_000)),
    ("id identifier", (1, 2)),
    ("pid pids ppid processid", (99_999_999, 88_888_888)),
)

EFFORTS: Final = word_set(
    "count limit size max top results lines k n num number length width height depth duration "
    "seconds second minutes minute hours ms milliseconds delay sleep wait timeout interval "
    "steps step iterations iteration repeat repeats times retries pages page batch "
    "concurrency parallel workers threads amount total samples tokens bytes rows items"
)
"""Words of fields whose large values may only keep a server busy: they stay small."""

TIMES: Final = word_set(
    "depth duration seconds second minutes minute hours ms milliseconds delay sleep wait timeout "
    "interval steps step iterations iteration repeat repeats times retries concurrency parallel "
    "workers threads"
)
"""Those of them that say how long something takes, how often it is done, or how deep it goes."""

QUANTITIES: Final = word_set(
    "latitude lat longitude lon lng price cost score temperature year age percent percentage "
    "probability ratio fraction threshold x y z"
)
"""Words of fields that hold a quantity, of which a "max" is one more."""

MEASURES: Final = word_set(
    "area capacity demand distance load mass profit qty quantity rate return revenue speed supply "
    "value volume weight x y z"
)
"""Words of fields that are numbers, where no schema says what they are."""

HASTE: Final = word_set("duration seconds delay sleep wait interval steps iterations")
"""Words of options that are always given: their defaults may take longer than a call may."""

CAREFUL: Final[dict[str, bool]] = {
    word: value
    for value, words in (
        (True, "dry preview simulate readonly safe"),
        (False, "force overwrite delete remove purge recursive destructive wait watch follow"),
    )
    for word in words.split()
}
"""Words of switches, and the side that does less."""

SECRETS: Final = word_set(
    "token secret password passwd passphrase credential credentials apikey authorization "
    "cookie bearer jwt signature privatekey accesskey"
)
"""Words of names whose values are never mined."""

_IN_DESCRIPTIONS: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (re.compile(r"\bSQL\b|\bSELECT\b"), ("SELECT 1", "SELECT 2")),
    (re.compile(r"\bISO[ -]?8601\b.{0,40}\bdate\b(?!.?time)", re.IGNORECASE), FORMATS["date"]),
    (re.compile(r"\bISO[ -]?8601\b|\bRFC[ -]?3339\b", re.IGNORECASE), FORMATS["date-time"]),
    (re.compile(r"\bIANA\b.{0,20}\b(time ?)?zone", re.IGNORECASE), ("UTC", "Europe/Paris")),
    (re.compile(r"\bUUID\b"), FORMATS["uuid"]),
    (re.compile(r"\be-?mail\b", re.IGNORECASE), FORMATS["email"]),
    (re.compile(r"\bFeature ?Collections?\b", re.IGNORECASE), FEATURES),
    (re.compile(r"\bGeoJSON\b", re.IGNORECASE), GEOJSON),
    (re.compile(r"\bJSON[ -](?:array|list)\b", re.IGNORECASE), ("[1, 2]", "[]")),
    (
        re.compile(r"\b(?:valid|encoded|as) JSON\b|\bJSON[ -](?:string|text|object|encoded)\b"),
        ('{"a": 1}', "{}"),
    ),
    (
        re.compile(r"\b(?:CSS|DOM|HTML|(?:page|web|unique)? ?element) selectors?\b", re.IGNORECASE),
        ("body", "html"),
    ),
    (re.compile(r"\bURL\b"), FORMATS["uri"]),
    (re.compile(r"\bISO[ -]?639\b", re.IGNORECASE), ("en", "fr")),
    (re.compile(r"\bISO[ -]?3166\b", re.IGNORECASE), ("NO", "FR")),
    (re.compile(r"\bISO[ -]?4217\b", re.IGNORECASE), ("EUR", "USD")),
    (re.compile(r"\bbase64\b", re.IGNORECASE), FORMATS["byte"]),
    (re.compile(r"\bhex(adecimal)? colou?r\b", re.IGNORECASE), FORMATS["color"]),
)

_PART: Final = r"(?:YYYY|yyyy|YY|MM|DD|dd|HH|hh|mm|SS|ss|%[YymdHMS])"
_MOMENT: Final = re.compile(
    rf"(?<![A-Za-z]){_PART}(?:[-/.: T]{{0,2}}{_PART}){{1,5}}(?:\.?f{{3}})?Z?(?![A-Za-z])"
)
"""How a date or a time is to be written, in letters or as strftime has it."""
_IN_MOMENT: Final = re.compile(_PART)
_MOMENTS: Final = (
    {"year": "2026", "month": "01", "day": "15", "hour": "14", "minute": "30", "second": "00"},
    {"year": "2026", "month": "01", "day": "22", "hour": "16", "minute": "45", "second": "00"},
)
_PARTS: Final = {"y": "year", "d": "day", "h": "hour", "s": "second"}

QUERIES: Final = word_set("query statement")
"""Words of fields that hold a question in the language that their tool speaks."""
_LANGUAGES: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (re.compile(r"\bSQL\b|\bSELECT\b"), ("SELECT 1", "SELECT 2")),
    (re.compile(r"\bGraphQL\b"), ("{ __typename }",)),
    (re.compile(r"\bCypher\b"), ("RETURN 1", "RETURN 2")),
    (re.compile(r"\bPromQL\b"), ("vector(1)",)),
)
"""What the description of a tool names, and questions that change nothing."""

ENDS: Final = word_set("before checkout deadline due end finish return stop to until")
"""Words of fields that lie behind others in time."""
SECONDS: Final = word_set("2 b other second")
"""Words of fields that are compared with, or joined to, another one of their kind."""
_DATED: Final = re.compile(r"[0-9]{2,4}[-/.:]")
COMMANDS: Final = word_set("argv cmd command commands")
PROGRAM_NAMES: Final = ("ls", "pwd", "echo", "cat")
"""The first item of a command that is a list, which is the name of a program alone."""
_OF_PROGRAMS: Final = re.compile(
    r"\b(?:ast|code|coding|grammars?|parsers?|program(?:s|ming)?|snippets?|source|syntax)\b",
    re.IGNORECASE,
)
_PROGRAMMED: Final = ("python", "javascript")
_ALONE: Final = word_set("from to")
"""Words that say what a field holds only where they are all of its name."""

_WORDS: Final = re.compile(r"(?<![\w/.])[A-Za-z]+(?![\w/])")
_PATH: Final = re.compile(r"^(?:[/~\\]|[A-Za-z]:[/\\])")
_ENDING: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_ADDRESS: Final = re.compile(r"^[^@\s]+@[^@\s]+$")
_NUMERIC_HOST: Final = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}")
_LEADING_NOWHERE: Final = (".invalid", ".example", ".test", "192.0.2.")
MAX_NAME: Final = 200
"""Characters of a name that are read."""


def singular(word: str) -> str:
    """The word for one of them, as far as the endings tell."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


ABBREVIATIONS: Final = {
    short: word
    for word, shorts in (
        ("address", "addr"),
        ("category", "cat"),
        ("command", "cmd"),
        ("configuration", "config conf cfg"),
        ("coordinate", "coord"),
        ("database", "db"),
        ("description", "desc"),
        ("destination", "dest dst"),
        ("directory", "dir"),
        ("document", "doc"),
        ("environment", "env"),
        ("equation", "eq"),
        ("expression", "expr exp"),
        ("function", "fn func"),
        ("image", "img"),
        ("language", "lang"),
        ("location", "loc"),
        ("message", "msg"),
        ("number", "num nr"),
        ("organization", "org"),
        ("package", "pkg"),
        ("parameter", "param"),
        ("project", "proj"),
        ("repository", "repo"),
        ("source", "src"),
        ("text", "txt"),
        ("value", "val"),
        ("variable", "var"),
        ("workspace", "ws"),
    )
    for short in shorts.split()
}
"""Short forms of words, as names of arguments have them."""


def noun(word: str) -> str:
    """The whole word for one of them: one thing is spoken of as "repos" and as a "repository"."""
    one = singular(word)
    return ABBREVIATIONS.get(one, one)


def by_name(table: Table, name: str) -> tuple[Any, ...]:
    """What fields of this name usually hold; its last word tells more than those before."""
    words = name_parts(name)
    telling = [word for word in words if word not in _ALONE] or words
    for word in ("".join(words[-2:]), *reversed(telling)):
        if found := table.get(word) or table.get(singular(word)) or table.get(noun(word)):
            return found
    return ()


def other(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a field, another one first where it is the second of a pair: "text_b"."""
    is_second = not SECONDS.isdisjoint(name_parts(name)[1:])
    return (*values[1:], *values[:1]) if is_second else values


def later(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a field, the later first where it is the end of a stretch of time."""
    is_time = any(isinstance(one, str) and _DATED.match(one) for one in values)
    is_end = is_time and not ENDS.isdisjoint(name_parts(name))
    return tuple(sorted(values, reverse=True)) if is_end else values


def by_description(description: str) -> tuple[str, ...]:
    """What a field holds whose description names a form."""
    if written := _MOMENT.search(description):
        return tuple(_moment(written[0], parts) for parts in _MOMENTS)
    found = (values for form, values in _IN_DESCRIPTIONS if form.search(description))
    return next(found, ())


def _moment(form: str, parts: Mapping[str, str]) -> str:
    """A moment as it is to be written: "MM" is a month, but minutes behind hours."""
    has_hours = False

    def part(found: re.Match[str]) -> str:
        nonlocal has_hours
        mark = found[0]
        bare = mark.lstrip("%")
        is_minute = bare == "mm" or (mark == "%M") or (bare == "MM" and has_hours)
        has_hours |= bare.lower() in ("hh", "h") and mark != "%h"
        if bare.lower() in ("mm", "m"):
            return parts["minute" if is_minute else "month"]
        value = parts[_PARTS[bare[0].lower()]]
        return value[-2:] if bare in ("YY", "y") else value

    return _IN_MOMENT.sub(part, form).replace("fff", "000")


def by_things(table: Table, description: str) -> tuple[Any, ...]:
    """What a field holds whose description names such a thing: a branch to compare with."""
    words = [word.lower() for word in _WORDS.findall(description[:MAX_NAME])]
    forms = (form for word in words for form in (word, singular(word), word.removesuffix("es")))
    return next((found for form in forms if (found := table.get(form))), ())


def by_language(name: str, purpose: str) -> tuple[str, ...]:
    """What a query is that the tool, by its description, takes in some language.

    Where programs are spoken of, a language is one in which they are written.
    """
    if name_parts(name)[-1:] == ["language"] and _OF_PROGRAMS.search(purpose):
        return _PROGRAMMED
    if name_parts(name)[-1:] and name_parts(name)[-1] in QUERIES:
        return next((values for form, values in _LANGUAGES if form.search(purpose)), ())
    return ()


def by_form(name: str, tool: str, description: str) -> tuple[Any, ...]:
    """What a whole text is whose tool, or description, names the form in which it is written."""
    if WHOLE_TEXTS.isdisjoint(name_parts(name)[-1:]):
        return ()
    words = ["", *name_parts(tool), "", *(word.lower() for word in _WORDS.findall(description))]
    forms = (word for before, word in pairwise(words) if before not in TOWARDS and word in FORMS)
    return next((TEXTS[form] for form in forms), ())


def field_of(path: Path) -> str:
    """The name of the field that a place belongs to, its own or that of the array around it."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def is_effort(name: str) -> bool:
    """Whether a large value of this field may only keep a server busy."""
    words = name_parts(name)
    if words and words[-1] in QUANTITIES:
        return False
    return not EFFORTS.isdisjoint((*words, *map(singular, words)))


def takes_time(name: str) -> bool:
    """Whether a large value of this field makes a server work long."""
    words = name_parts(name)
    return not TIMES.isdisjoint((*words, *map(singular, words)))


def is_haste(name: str) -> bool:
    """Whether this option is given, so that a call does not take long."""
    return not HASTE.isdisjoint(name_parts(name))


def is_harmless(value: object) -> bool:
    """Whether a value leads nowhere real: no path, no address of anyone."""
    if not isinstance(value, str):
        return True
    text = value.strip()
    if _PATH.match(text) and len(text) > 1:
        return False
    if _ADDRESS.match(text):
        return text.endswith(_LEADING_NOWHERE)
    if _NUMERIC_HOST.match(text):
        return text.startswith(_LEADING_NOWHERE)
    return "://" not in text or _leads_nowhere(text)


def made_harmless(value: object) -> object:
    """The same, but for a path that begins at a root: of that the ending of a file is kept."""
    if not isinstance(value, str) or is_harmless(value) or not _PATH.match(value):
        return value
    ending = _ENDING.search(value)
    return f"{A_FILE}{ending[0]}" if ending else value


def _leads_nowhere(address: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return host.endswith(_LEADING_NOWHERE) or host.startswith("192.0.2.")
