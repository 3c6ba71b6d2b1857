"""Python values that no JSON library would write: judged without running any code of theirs."""

from __future__ import annotations

from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NoReturn

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_assay import protocol
from mcp_assay.protocol import Outcome
from tests.robustness.hostile import judged, rules


def boom(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError("code of the caller ran")


SPECIAL: Final = (
    *("__eq__", "__ne__", "__lt__", "__hash__", "__iter__", "__len__", "__contains__", "__bool__"),
    *("__str__", "__repr__", "__format__", "__getitem__", "__int__", "__float__", "__index__"),
    *("__abs__", "__neg__", "__bytes__", "__reduce_ex__", "__dir__", "__getattr__"),
    *("items", "keys", "values", "get", "encode", "split", "startswith", "is_integer", "copy"),
)


def hostile(base: type) -> type:
    """A subclass of which every method that might be called raises."""
    own = {name: boom for name in SPECIAL if name != "__hash__" or base is object}
    return type(f"Hostile{base.__name__}", (base,), {**own, "__class__": property(boom)})


class Rude(type):
    """A class of classes that raises where it can."""

    __hash__ = boom
    __eq__ = boom
    __instancecheck__ = boom
    __subclasscheck__ = boom


class Unfriendly(metaclass=Rude):
    """Its class is as hostile as itself."""


@dataclass
class Point:
    x: int = 1


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


CYCLE: Final[dict[str, Any]] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
CYCLE["params"] = CYCLE
LOOP: Final[list[Any]] = []
LOOP.append([LOOP])

NOT_JSON: Final[dict[str, Any]] = {
    "a set": {1, 2},
    "a frozenset": frozenset("a"),
    "bytes": b"a",
    "a bytearray": bytearray(b"a"),
    "an object": object(),
    "a class": dict,
    "a function": boom,
    "a Decimal": Decimal("1.5"),
    "a Fraction": Fraction(1, 2),
    "a complex": 1j,
    "a date": date(2025, 11, 25),
    "a dataclass": Point(),
    "an Enum": Colour.RED,
    "a range": range(3),
    "a generator": (_ for _ in ()),
    "a UserDict": UserDict(a=1),
    "a proxy": MappingProxyType({"a": 1}),
    "an ellipsis": ...,
    "a cycle of lists": LOOP,
    "hostile": hostile(object)(),
    "unfriendly": Unfriendly(),
    "a Struct": msgspec.defstruct("Made", [("a", int, 1)])(),
}
JSON_IN_DISGUISE: Final[dict[str, tuple[Any, Any]]] = {
    "a hostile dict": (hostile(dict)(a=1), {"a": 1}),
    "a hostile list": (hostile(list)([1]), [1]),
    "a hostile tuple": (hostile(tuple)([1]), [1]),
    "a hostile str": (hostile(str)("a"), "a"),
    "a hostile int": (hostile(int)(7), 7),
    "a hostile float": (hostile(float)(1.5), 1.5),
    "an IntEnum": (Level.LOW, 1),
    "a tuple": ((1, 2), [1, 2]),
    "an OrderedDict": (OrderedDict(a=1), {"a": 1}),
    "a defaultdict": (defaultdict(list, a=[]), {"a": []}),
}


def call(argument: Any) -> dict[str, Any]:
    params = {"name": "save", "arguments": {"a": argument}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize("what", NOT_JSON)
def test_a_value_without_a_json_form_is_found_at_its_place(what: str) -> None:
    pointers = [one.pointer for one in judged(call(NOT_JSON[what])) if one.rule == "JSONRPC-001"]
    assert len(pointers) == 1
    assert pointers[0].startswith("/params/arguments/a")


@pytest.mark.parametrize("what", NOT_JSON)
def test_a_value_without_a_json_form_is_no_message(what: str) -> None:
    message = NOT_JSON[what]
    outcome = protocol.validate_jsonrpc(message)
    assert not outcome.ok
    assert outcome.reason in ("parse_error", "not_map")


@pytest.mark.parametrize("what", JSON_IN_DISGUISE)
def test_an_instance_of_a_subclass_is_read_as_its_json_base(what: str) -> None:
    value, plain = JSON_IN_DISGUISE[what]
    assert judged(call(value)) == []
    for member in ("id", "method", "params", "jsonrpc", "result", "error"):
        message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert rules(judged({**message, member: value})) == rules(
            judged({**message, member: plain})
        )


@pytest.mark.parametrize("member", ["id", "method", "params", "jsonrpc", "result", "error", "x"])
@pytest.mark.parametrize("what", NOT_JSON)
def test_a_value_without_a_json_form_is_found_in_every_member(what: str, member: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping", member: NOT_JSON[what]}
    assert any(
        one.rule == "JSONRPC-001" and one.pointer.startswith(f"/{member}")
        for one in judged(message)
    )


def test_a_message_that_contains_itself_is_cut_there() -> None:
    assert rules(judged(CYCLE)) == [("JSONRPC-001", "/params")]


@pytest.mark.parametrize("key", [1, None, True, 1.5, (1, 2), b"a", Decimal(1), Colour.RED])
def test_a_member_name_that_is_no_string_is_found(key: Any) -> None:
    found = judged({"jsonrpc": "2.0", "id": 1, "method": "ping", key: 1})
    assert rules(found) == [("JSONRPC-001", "")]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_does_not_have_is_found(number: float) -> None:
    assert rules(judged(call(number))) == [("JSONRPC-019", "/params/arguments/a")]


@pytest.mark.parametrize("digits", [400, 640, 641, 5000, 100_000])
def test_an_integer_beyond_a_double_is_a_warning(digits: int) -> None:
    assert rules(judged(call(-(10**digits)))) == [("JSONRPC-020", "/params/arguments/a")]


@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc00\ud800"])
def test_half_a_surrogate_pair_is_a_warning(text: str) -> None:
    assert rules(judged(call(text))) == [("JSONRPC-020", "/params/arguments/a")]


HOSTILE: Final = ("hostile", "unfriendly")
"""What hypothesis itself cannot bear."""

anything = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.binary(max_size=3),
        st.decimals(),
        st.sampled_from([value for what, value in NOT_JSON.items() if what not in HOSTILE]),
        st.sampled_from(["2.0", "ping", "tools/list", "notifications/progress", "user"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=3) | st.integers() | st.none(), inner, max_size=3),
        st.fixed_dictionaries(
            {},
            optional=dict.fromkeys(
                ("jsonrpc", "id", "method", "params", "result", "error", "_meta", "code"), inner
            ),
        ),
    ),
    max_leaves=8,
)
calmly = settings(
    derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


@settings(calmly, max_examples=500)
@given(anything)
def test_any_python_value_is_judged(value: Any) -> None:
    judged(value)


FUNCTIONS: Final[dict[str, Callable[[Any], Outcome]]] = {
    "validate_jsonrpc": protocol.validate_jsonrpc,
    "validate_request": protocol.validate_request,
    "validate_request params": lambda value: protocol.validate_request("tools/call", value),
    "validate_notification": protocol.validate_notification,
    "validate_notification params": lambda value: protocol.validate_notification(
        "notifications/progress", value
    ),
    "validate_response id": lambda value: protocol.validate_response(value, {}),
    "validate_response": lambda value: protocol.validate_response(1, value),
    "validate_response error": lambda value: protocol.validate_response(
        1, {"code": value, "message": value, "data": value}
    ),
    "validate_response method": lambda value: protocol.validate_response(1, {}, method=value),
    "validate_error_code": protocol.validate_error_code,
    "validate_error_code spec": lambda value: protocol.validate_error_code(value, ranges="spec"),
    "validate_method_name": protocol.validate_method_name,
    "validate_notification_name": protocol.validate_notification_name,
    "validate_field_type": lambda value: protocol.validate_field_type("x", value, "integer"),
    "validate_field_type name": lambda value: protocol.validate_field_type(value, 1, "string"),
    "validate_required_fields": lambda value: protocol.validate_required_fields(value, ["id"]),
    "validate_required_fields names": lambda value: protocol.validate_required_fields({}, [value]),
}
VALUES: Final = {
    **NOT_JSON,
    **{what: value for what, (value, _) in JSON_IN_DISGUISE.items()},
    "a cycle": CYCLE,
    "None": None,
    "a huge integer": 10**5000,
    "NaN": float("nan"),
    "half a pair": "\ud800",
    "a long text": "x" * 100_000,
    "an odd name": {1: 2},
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_data_makes_a_function_raise(function: str) -> None:
    for what, value in VALUES.items():
        outcome = FUNCTIONS[function](value)
        assert isinstance(outcome, Outcome), what
        assert isinstance(protocol.format_validation_error(outcome), str), what
        assert len(msgspec.to_builtins(outcome)["findings"]) == len(outcome.findings), what


@pytest.mark.parametrize("what", VALUES)
def test_anything_can_be_formatted(what: str) -> None:
    value = VALUES[what]
    for error in (
        value,
        {"reason": value},
        {"reason": "x", "details": value},
        {"details": {"a": value}},
    ):
        assert isinstance(protocol.format_validation_error(error), str)
