"""Values -> a page: a template of ours, in which whatever a server said is text and stays text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mcp_assay import __version__
from mcp_assay.history.pages import VERDICTS
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten

LONGEST_TEXT: Final = 2_000
NAVIGATION: Final[web.AppKey[Sequence[tuple[str, str]]]] = web.AppKey("navigation")
"""The pages that every page leads to: the address and the name of each."""
WORDS: Final[Mapping[str, Mapping[Any, str]]] = {
    "VERDICTS": VERDICTS,
    "STATUS_WORDS": STATUS_WORDS,
    "SEVERITY_WORDS": SEVERITY_WORDS,
}
"""What templates call outcomes, statuses and severities."""


def render(
    request: web.Request, template: str, *, status: int = 200, **values: Any
) -> web.Response:
    """A page made of a template and these values."""
    whole = {"navigation": request.app[NAVIGATION], "here": request.path, **values}
    text = environment().get_template(template).render(whole)
    return web.Response(text=text, content_type="text/html", status=status)


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
    made.filters.update(counted=_counted, number=_number, day=_day, minute=_minute, cut=shorten)
    return made


def _shown(value: object) -> object:
    """What is written for a value: of a text all that is hidden is seen, and it has an end."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        return plain(shorten(value, LONGEST_TEXT))
    return value


def _counted(number: int, noun: str) -> str:
    return counted(number, noun)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


def _day(moment: str) -> str:
    return moment[:10]


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")
