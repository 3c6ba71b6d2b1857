"""The JSON type of a value is decided in one place, for each kind of reader."""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from math import inf, nan
from types import MappingProxyType
from typing import Any

import pytest

from mcp_assay.text.words import json_type
from mcp_assay.wire.notes import UNREAD


class Number(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "plain", "whole_floats", "written"),
    [
        (None, "null", "null", "null"),
        (True, "boolean", "boolean", "boolean"),
        (1, "integer", "integer", "integer"),
        (10**400, "integer", "integer", "integer"),
        (1.0, "number", "integer", "number"),
        (-0.0, "number", "integer", "number"),
        (1.5, "number", "number", "number"),
        (inf, "number", "integer", "number"),
        (nan, "number", "integer", "number"),
        ("", "string", "string", "string"),
        ([], "array", "array", "array"),
        ({}, "object", "object", "object"),
        ((), "unreadable", "unreadable", "array"),
        (OrderedDict(), "unreadable", "unreadable", "object"),
        (MappingProxyType({}), "unreadable", "unreadable", "object"),
        (Number.ONE, "unreadable", "unreadable", "integer"),
        (UNREAD, "unreadable", "unreadable", "unreadable"),
        (b"", "unreadable", "unreadable", "unreadable"),
    ],
)
def test_the_type_of_a_value(value: Any, plain: str, whole_floats: str, written: str) -> None:
    reported = (
        json_type(value),
        json_type(value, whole_floats=True),
        json_type(value, written=True),
    )
    assert reported == (plain, whole_floats, written)
