"""The pages of the web site in a world: what is asked for decides the answer, and nothing else."""

from __future__ import annotations

import html
import json
import struct
import zlib
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

SYLLABLES = (
    "ba",
    "be",
    "do",
    "fa",
    "ga",
    "la",
    "lu",
    "me",
    "mi",
    "no",
    "pa",
    "re",
    "so",
    "ti",
    "va",
)
STAMP_SYLLABLES = 4
THINGS = (
    *("harbour", "lighthouse", "orchard", "windmill", "library", "footbridge", "garden", "mill"),
    *("market", "boathouse", "greenhouse", "observatory", "station", "workshop", "chapel", "pier"),
)
SENTENCES = (
    "The {0} stands between two hills and can be seen from the road.",
    "In spring the paths around the {0} are lined with wild thyme and clover.",
    "Visitors come by boat in the morning and walk back along the river in the evening.",
    "A plan of the {0} from the year {1} hangs beside the door.",
    "The keeper winds the clock on Mondays and writes the weather into a blue book.",
    "Its roof was covered with slate again in {1}, and the old tiles went to the school.",
    "From the upper window one sees the bay, the island and, on clear days, the mountains.",
    "There are {2} benches under the lime trees, each with a number painted on it.",
    "Children collect shells there and sort them by colour on the long table.",
    "The bell of the {0} is rung at noon, and the baker sets his watch by it.",
    "Rain water from the roof fills {2} barrels, from which the beds are watered.",
    "On the first Sunday of the month neighbours bring bread, cheese and music.",
)
PARAGRAPHS = 4
SENTENCES_EACH = 4
ROWS = 5
SIDE = 16
"""Pixels of a picture."""
OLD, NEW = "/old", "/page"
"""A page that has moved, and where it is now."""
PAGES = (
    *("/", NEW, "/about", "/data.json", "/feed.xml", "/notes.txt", "/table.csv", "/picture.png"),
    *("/robots.txt", "/sitemap.xml"),
)
"""What every host of the site has."""
WRITING = ("POST", "PUT", "PATCH", "DELETE")
METHODS = ("GET", "HEAD", "OPTIONS", *WRITING)
HTML, JSON, XML, TEXT = "text/html", "application/json", "application/xml", "text/plain"
FEED, TABLE, PICTURE = "application/rss+xml", "text/csv", "image/png"
BY_ENDING = {
    **dict.fromkeys(("json", "geojson"), JSON),
    **dict.fromkeys(("rss", "atom", "feed"), FEED),
    **dict.fromkeys(("txt", "md", "text", "log"), TEXT),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp"), PICTURE),
    "xml": XML,
    "csv": TABLE,
}
"""What a page is by the end of its path; everything else is HTML, or what is asked for."""
FEEDS = ("feed", "rss", "atom")


class Asked(NamedTuple):
    """One request, as far as it decides the answer."""

    method: str
    scheme: str
    host: str
    target: str
    """The path and the query, as they were sent."""
    accept: str = ""
    size: int = 0
    """The bytes of the body."""

    @property
    def path(self) -> str:
        """The path, in plain letters."""
        return unquote(split_target(self.target)[0]) or "/"


class Page(NamedTuple):
    """An answer."""

    status: int
    kind: str
    body: bytes
    stamp: str = ""
    """A word that only this page has: what holds it has read the page."""
    location: str = ""


def split_target(target: str) -> tuple[str, str]:
    """The path and the query of a target."""
    if target.startswith("/"):
        path, _, query = target.partition("#")[0].partition("?")
        return path, query
    try:
        parts = urlsplit(target)
    except ValueError:
        return "/", ""
    return parts.path, parts.query


def page_for(asked: Asked, named: frozenset[str]) -> Page:
    """The answer to a request; `named` are the paths of this host that somebody has named."""
    path = asked.path
    if path == OLD:
        return Page(301, TEXT, b"This page has moved.\n", location=NEW)
    if path not in PAGES and path not in named:
        return Page(404, TEXT, b"There is no such page.\n")
    if asked.method == "OPTIONS":
        return Page(204, TEXT, b"")
    story = Story(asked)
    if asked.method in WRITING:
        received = {"stamp": story.stamp, "received": asked.size, "method": asked.method}
        return Page(200, JSON, _json(received), story.stamp)
    if path in BY_PATH:
        kind, write = BY_PATH[path]
        return Page(200, kind, write(story))
    kind = kind_of(path, asked.accept)
    return Page(200, kind, WRITERS[kind](story), story.stamp)


def kind_of(path: str, accept: str) -> str:
    """What a page is: by the end of its path, else by what the client would like best."""
    name = path.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2] if "." in name else ""
    if ending == "xml" and any(one in name for one in FEEDS):
        return FEED
    if ending in BY_ENDING:
        return BY_ENDING[ending]
    if not ending and name in FEEDS:
        return FEED
    return HTML if ending else wanted(accept)


def wanted(accept: str) -> str:
    """The kind that a client would like best, of those that there are."""
    found = [_preference(one) for one in accept.lower().split(",")]
    best = sorted((one for one in found if one[1] in WRITERS or one[1] == "*/*"), reverse=True)
    return best[0][1] if best and best[0][1] in WRITERS else HTML


def _preference(text: str) -> tuple[float, str]:
    kind, _, rest = text.partition(";")
    _, sign, weight = rest.replace(" ", "").partition("q=")
    try:
        return (float(weight.partition(";")[0]) if sign else 1.0), kind.strip()
    except ValueError:
        return 0.0, kind.strip()


class Story:
    """What a page tells, whatever it is written in."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._place = f"{asked.host}{asked.path}"
        drawn = _digest(self._place)
        syllables = (SYLLABLES[one % len(SYLLABLES)] for one in drawn[:STAMP_SYLLABLES])
        self.stamp = f"{''.join(syllables)}{1000 + int.from_bytes(drawn[4:6], 'big') % 9000}"
        self.thing = THINGS[drawn[6] % len(THINGS)]
        self.year = 1800 + drawn[7] % 150
        self.number = 2 + drawn[8] % 40

    @property
    def title(self) -> str:
        """The title, which no other page has."""
        return f"The {self.thing} of {self.stamp}"

    @property
    def base(self) -> str:
        """Where the site of this host begins."""
        return f"{self._asked.scheme}://{self._asked.host}"

    def paragraphs(self) -> list[str]:
        """What is told, which other questions to the same page change."""
        drawn = _digest(f"{self._place}?{split_target(self._asked.target)[1]}")
        first = drawn[0]
        found = []
        for row in range(PARAGRAPHS):
            places = (first + 5 * (row * SENTENCES_EACH + it) for it in range(SENTENCES_EACH))
            told = " ".join(SENTENCES[place % len(SENTENCES)] for place in places)
            found.append(told.format(self.thing, self.year + row, self.number + drawn[row + 1] % 9))
        return [f"Visitors know this place as {self.stamp}. {found[0]}", *found[1:]]

    def rows(self) -> list[tuple[str, int]]:
        """A small table."""
        drawn = _digest(f"{self._place} rows")
        rows = ((THINGS[one % len(THINGS)], 10 + one) for one in drawn[:ROWS])
        return [(self.stamp, self.number), *rows]

    def robots(self) -> bytes:
        """Who may read the site: everybody."""
        return f"User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n".encode()

    def sitemap(self) -> bytes:
        """The pages of the host."""
        rows = (f"<url><loc>{html.escape(self.base + path)}</loc></url>" for path in PAGES)
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        return _xml(f'<urlset xmlns="{space}">{"".join(rows)}</urlset>')


def as_html(story: Story) -> bytes:
    """The story as a page with a title, headings, texts, links, a list and a table."""
    first, *others = story.paragraphs()
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in PAGES)
    rows = "".join(f"<tr><td>{name}</td><td>{height}</td></tr>" for name, height in story.rows())
    told = "".join(f"<h2>Part {row}</h2><p>{one}</p>" for row, one in enumerate(others, 1))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{story.title}</title>'
        f'<meta name="description" content="What is told of {story.stamp}.">'
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml"></head>\n'
        f"<body><nav><ul>{links}</ul></nav>\n<main><article><h1>{story.title}</h1>"
        f"<p>{first}</p>\n{told}\n<h2>Heights</h2><table><thead><tr><th>place</th><th>height</th>"
        f"</tr></thead><tbody>{rows}</tbody></table></article></main>\n"
        f'<footer><p>Written about {story.stamp}.</p><img src="/picture.png" alt="A picture">'
        "</footer></body></html>\n"
    ).encode()


def as_json(story: Story) -> bytes:
    """The story as an object."""
    rows = [{"name": name, "height": height} for name, height in story.rows()]
    head = {"title": story.title, "stamp": story.stamp, "year": story.year}
    return _json({**head, "text": story.paragraphs()[0], "items": rows})


def as_xml(story: Story) -> bytes:
    """The story as plain XML."""
    rows = "".join(f'<item name="{name}">{height}</item>' for name, height in story.rows())
    told = "".join(f"<p>{one}</p>" for one in story.paragraphs())
    return _xml(f"<story><title>{story.title}</title>{told}<items>{rows}</items></story>")


def as_feed(story: Story) -> bytes:
    """The story as a feed with an entry for each paragraph."""
    entries = "".join(
        f"<item><title>Part {row} of {story.stamp}</title><link>{story.base}{NEW}</link>"
        f"<guid>{story.base}{NEW}#{row}</guid><description>{told}</description>"
        f"<pubDate>Thu, 0{row} Jan 2026 12:00:00 GMT</pubDate></item>"
        for row, told in enumerate(story.paragraphs(), 1)
    )
    head = f"<title>{story.title}</title><link>{story.base}/</link>"
    about = f"<description>News of {story.stamp}.</description>"
    return _xml(f'<rss version="2.0"><channel>{head}{about}{entries}</channel></rss>')


def as_text(story: Story) -> bytes:
    """The story as plain text."""
    return "\n\n".join((story.title, *story.paragraphs(), "")).encode()


def as_table(story: Story) -> bytes:
    """The story as comma-separated values."""
    rows = "".join(f"{name},{height}\n" for name, height in story.rows())
    return f"name,height\n{rows}".encode()


def as_picture(story: Story) -> bytes:
    """A small picture in a colour of its own; its stamp is its title."""
    colour = _digest(story.stamp)[:3]
    lines = b"".join(b"\x00" + colour * SIDE for _ in range(SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    title = b"Title\x00" + story.stamp.encode()
    parts = ((b"IHDR", head), (b"tEXt", title), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


WRITERS: Mapping[str, Callable[[Story], bytes]] = {
    HTML: as_html,
    JSON: as_json,
    XML: as_xml,
    FEED: as_feed,
    TEXT: as_text,
    TABLE: as_table,
    PICTURE: as_picture,
}


BY_PATH: Mapping[str, tuple[str, Callable[[Story], bytes]]] = {
    "/robots.txt": (TEXT, Story.robots),
    "/sitemap.xml": (XML, Story.sitemap),
}
"""What machines ask for, and people do not."""


def _chunk(name: bytes, data: bytes) -> bytes:
    checked = name + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"


def _xml(text: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()
