"""Mutants are real changes, told truly, and leave the message alone."""

from __future__ import annotations

import copy
import random
from itertools import islice
from typing import Any, Final

import orjson
import pytest

from tests.oracle import mutants
from tests.oracle.mutate import CHANGES

SEED: Final = 20_260_728

MESSAGE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "weather", "arguments": {"days": [1, 2.5, None, True]}},
}


def test_mutants_leave_the_message_alone_and_always_differ_from_it() -> None:
    before = copy.deepcopy(MESSAGE)
    made = list(islice(mutants(random.Random(SEED), MESSAGE), 2_000))
    assert before == MESSAGE
    assert all(orjson.dumps(mutant) != orjson.dumps(MESSAGE) for _, mutant in made)
    assert {text.rpartition(" ")[0] for text, _ in made} == set(CHANGES)


def test_mutants_say_what_was_done_and_where() -> None:
    made = dict(islice(mutants(random.Random(SEED), MESSAGE), 2_000))
    assert "params" not in made["drop /params"]
    assert made["null /params/name"]["params"]["name"] is None
    assert made["wrap /params/arguments/days/1"]["params"]["arguments"]["days"][1] == [2.5]
    assert len(made["duplicate /params/arguments/days/0"]["params"]["arguments"]["days"]) == 5


@pytest.mark.parametrize("nothing", [{}, [], None, 1, "text"])
def test_a_message_without_members_has_no_mutants(nothing: Any) -> None:
    assert list(mutants(random.Random(SEED), nothing)) == []
