"""The answers to what changes something: pages send it by a script, which shows what is answered.

A form that a browser sends by itself has no Origin that could be checked: our pages tell nobody
where they are (Referrer-Policy), and browsers take that to mean the Origin of forms, too.
"""

from __future__ import annotations

from aiohttp import web
from msgspec.json import encode


def done(location: str) -> web.Response:
    """It is done; what came of it is at this address."""
    return _answer(200, location=location)


def refused(sentence: str, status: int) -> web.Response:
    """It was not done; the sentence says why."""
    return _answer(status, sentence=sentence)


def _answer(status: int, **said: str) -> web.Response:
    return web.Response(status=status, body=encode(said), content_type="application/json")
