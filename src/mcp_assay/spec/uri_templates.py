"""URI templates (RFC 6570): the names in them, and what becomes of them with values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote as escaped

EXPRESSION: Final = re.compile(r"\{(?P<operator>[+#./;?&]?)(?P<names>[^{}]*)\}")
LEFT_OUT: Final = "?&;"
"""Expressions of these operators may stay empty: what they add to a URI is optional."""
RESERVED: Final = ":/?#[]@!$&'()*+,;="
LONGEST: Final = 2000
"""A longer template is not filled in."""


def variables(template: str) -> list[str]:
    """The names that need values, each once, in their order."""
    found = (
        name.split(":")[0].removesuffix("*")
        for expression in EXPRESSION.finditer(template[:LONGEST])
        if expression["operator"] not in LEFT_OUT or not expression["operator"]
        for name in expression["names"].split(",")
    )
    return list(dict.fromkeys(found))


def expanded(template: str, values: Mapping[str, str]) -> str:
    """The template with values for its names; what is optional is left out."""
    return EXPRESSION.sub(lambda expression: _value(expression, values), template[:LONGEST])


def _value(expression: re.Match[str], values: Mapping[str, str]) -> str:
    operator = expression["operator"]
    if operator and operator in LEFT_OUT:
        return ""
    lead = "" if operator == "+" else operator
    joint = operator if operator in (".", "/") else ","
    parts = (_part(name, operator, values) for name in expression["names"].split(","))
    return lead + joint.join(parts)


def _part(name: str, operator: str, values: Mapping[str, str]) -> str:
    plain, _, length = name.partition(":")
    text = values.get(plain.removesuffix("*"), "")
    if length.isdecimal():
        text = text[: int(length[:4])]
    keeps_slashes = operator in ("+", "#") or plain.endswith("*")
    return escaped(text.encode("utf-8", "replace"), safe=RESERVED if keeps_slashes else "")
