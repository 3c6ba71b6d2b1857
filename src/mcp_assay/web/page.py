"""Values -> a page: a template of ours, in which whatever a server said is text and stays text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from mcp_assay import __version__
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.settings import SETTINGS
from mcp_assay.web.words import WORDS

LONGEST_TEXT: Final = 2_000
PACKED_FROM: Final = 8_000
"""Longer pages are packed where the browser can unpack them: tables say much the same often."""
WHOLE_FROM: Final = 100
"""From here on a measure is shown without decimals."""
NAVIGATION: Final[web.AppKey[Sequence[tuple[str, str]]]] = web.AppKey("navigation")
"""The pages that every page leads to: the address and the name of each."""


def render(
    request: web.Request, template: str, *, status: int = 200, **values: Any
) -> web.Response:
    """A page made of a template and these values."""
    frame = {
        "navigation": request.app[NAVIGATION],
        "here": request.path,
        "part": _part(request),
        "is_local": request.app[SETTINGS].site.is_local,
    }
    text = environment().get_template(template).render({**frame, **values})
    response = web.Response(text=text, content_type="text/html", status=status)
    if len(text) > PACKED_FROM:
        response.enable_compression()
    return response


def _part(request: web.Request) -> str:
    """The address in the navigation under which a page is: the first, where no other has it."""
    first, *others = (address for address, _ in request.app[NAVIGATION])
    return next((one for one in others if f"{request.path}/".startswith(f"{one}/")), first)


@cache
def environment() -> Environment:
    """The templates; what they write is escaped, and a name that they do not know is a fault."""
    made = Environment(
        loader=PackageLoader("mcp_assay.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(WORDS, version=__version__)
    made.filters.update(counted=_counted, number=_number, day=_day, minute=_minute, cut=_cut)
    made.filters.update(measure=shown_measure)
    return made


def _shown(value: object) -> object:
    """What is written for a value: of a text all that is hidden is seen, and it has an end."""
    if type(value) is str:  # markup that was made here is of another type
        return plain(value) if len(value) <= LONGEST_TEXT else plain(shorten(value, LONGEST_TEXT))
    return "" if value is None else value


def _cut(text: str | None, limit: int) -> str:
    return "" if text is None else shorten(text, limit)


def _counted(number: int, noun: str) -> str:
    return counted(number, noun)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


def shown_measure(value: float | None) -> str:
    """A measure in as many digits as anybody reads."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= WHOLE_FROM else f"{value:.3g}"


def _day(moment: str) -> str:
    return moment[:10]


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")
