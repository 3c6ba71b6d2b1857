"""What went wrong with a request -> a sentence: a page, or what the script of a form shows."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from aiohttp import web

from mcp_assay.history.faults import StoreFault
from mcp_assay.history.names import NotKnown
from mcp_assay.model.own_fault import own_fault
from mcp_assay.web.changes import refused
from mcp_assay.web.page import render
from mcp_assay.web.routes import Handler
from mcp_assay.web.settings import SETTINGS

SENTENCES: Final = {
    404: "There is no such page.",
    405: "That cannot be done here: pages are read by GET, and changed by their own buttons.",
    413: "That is more than a page of ours ever sends.",
}


@web.middleware
async def fault_pages(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say what went wrong where a handler could not answer."""
    try:
        return await handler(request)
    except NotKnown as refusal:
        return _said(request, 404, _sentence(str(refusal)))
    except StoreFault as fault:
        return _said(request, 503, _sentence(str(fault)))
    except web.HTTPException as refusal:
        if refusal.status < HTTPStatus.BAD_REQUEST:
            raise
        return _said(request, refusal.status, SENTENCES.get(refusal.status) or refusal.text or "")
    except Exception as fault:  # noqa: BLE001  one page that fails ends nothing else
        words = f"{own_fault('a page', fault)}"
        request.app[SETTINGS].tell(words)
        return _said(request, 500, f"{_sentence(words)} Please report this line.")


def _said(request: web.Request, status: int, sentence: str) -> web.Response:
    if request.method == "POST":
        return refused(sentence, status)
    title = HTTPStatus(status).phrase.capitalize()
    return render(request, "fault.html", status=status, title=title, sentence=sentence)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}."
