"""How different SDKs write the same message: spacing, escapes and the order of members."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson


class Style(NamedTuple):
    """One way of writing JSON, and its share of all bytes."""

    name: str
    share: float
    order: tuple[str, ...]
    """The order of the envelope's members; others follow."""
    dump: Callable[[Any], bytes]

    def write(self, message: dict[str, Any]) -> bytes:
        """The message as one line of bytes."""
        first = {name: message[name] for name in self.order if name in message}
        return self.dump({**first, **message})


def _spaced(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _spaced_ascii(value: Any) -> bytes:
    return json.dumps(value).encode()


def _compact_ascii(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _sorted_for_html(value: Any) -> bytes:
    text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return text.replace(b"<", rb"\u003c").replace(b">", rb"\u003e").replace(b"&", rb"\u0026")


ENVELOPE_FIRST: Final = ("jsonrpc", "id", "method", "params", "result", "error")
BODY_FIRST: Final = ("method", "params", "result", "error", "jsonrpc", "id")

STYLES: Final = (
    Style("compact, envelope first", 0.27, ENVELOPE_FIRST, orjson.dumps),
    Style("compact, body first", 0.22, BODY_FIRST, orjson.dumps),
    Style("spaced", 0.16, ENVELOPE_FIRST, _spaced),
    Style("spaced and escaped", 0.20, ENVELOPE_FIRST, _spaced_ascii),
    Style("compact and escaped", 0.05, ENVELOPE_FIRST, _compact_ascii),
    Style("sorted, escaped for HTML", 0.10, ENVELOPE_FIRST, _sorted_for_html),
)


class Balance:
    """Hands out styles so that each comes near its share of the bytes written."""

    def __init__(self) -> None:
        self._written = dict.fromkeys(STYLES, 0)
        self._chosen: dict[object, Style] = {}

    def write(self, writer: object, message: dict[str, Any]) -> bytes:
        """Write a message in the style of this writer, who keeps it."""
        style = self._chosen.get(writer) or self._chosen.setdefault(writer, self._furthest_behind())
        raw = style.write(message)
        self._written[style] += len(raw)
        return raw

    def _furthest_behind(self) -> Style:
        return min(STYLES, key=lambda style: self._written[style] / style.share)
