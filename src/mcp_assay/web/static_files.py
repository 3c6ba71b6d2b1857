"""The styles and scripts of the pages: files of this package, and nothing else, by their names."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from aiohttp import web

from mcp_assay.report.as_html import page_file, page_script
from mcp_assay.web.routes import WebRoute

TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


async def _static_file(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    content = static_files().get(name)
    if content is None:
        raise web.HTTPNotFound
    return web.Response(text=content, content_type=TYPES[name.rpartition(".")[2]])


@cache
def static_files() -> dict[str, str]:
    """The content of each file by its name: those of `static/`, and what the HTML report has."""
    folder = files("mcp_assay.web").joinpath("static")
    own = {file.name: file.read_text("utf-8") for file in folder.iterdir() if _is_served(file.name)}
    return {
        **own,
        "report.css": page_file("page.css"),
        "report.js": page_script(),
    }


def _is_served(name: str) -> bool:
    return name.rpartition(".")[2] in TYPES


ROUTES: Final = (WebRoute("GET", "/static/{name}", _static_file),)
