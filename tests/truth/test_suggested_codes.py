"""A program is suggested only where a language is meant; other codes get what fits them."""

from __future__ import annotations

import re

import pytest

from mcp_assay.scenario.code_values import ANY_CODE, CODES, PROGRAMS, by_code
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas

PYTHON, JAVASCRIPT, BASH = PROGRAMS["python"], PROGRAMS["javascript"], PROGRAMS["bash"]
FIELDS: dict[tuple[str, str, str, str], tuple[str, ...]] = {
    ("postal_code", "", "", ""): CODES["postal"],
    ("zipCode", "", "", ""): CODES["zip"],
    ("postcode", "", "", ""): CODES["post"],
    ("currency-code", "", "", ""): CODES["currency"],
    ("countryCodes", "", "", ""): CODES["country"],
    ("error_code", "", "", ""): CODES["error"],
    ("qr_code", "", "", ""): CODES["qr"],
    ("barcode", "", "", ""): CODES["bar"],
    ("discount_code", "", "run_python", "Runs Python code"): ANY_CODE,
    ("code", "The discount code of the order", "redeem", ""): ANY_CODE,
    ("code", "", "look_up", "Look up an airport code"): CODES["airport"],
    ("code", "The code of the country", "", ""): CODES["country"],
    ("code", "", "check_postal_code", ""): CODES["postal"],
    ("code", "Format: ABC-123", "redeem", "Run a lookup of a coupon"): ANY_CODE,
    ("code", "", "get_room", "Where a room is"): ANY_CODE,
    ("code", "", "run_python", "Runs code in a sandbox"): PYTHON,
    ("code", "The JavaScript to run", "", ""): JAVASCRIPT,
    ("code", "", "sandbox", "Executes code written in TypeScript"): JAVASCRIPT,
    ("code", "Code to execute", "", ""): PYTHON,
    ("source_code", "", "", ""): PYTHON,
    ("source_code", "In Rust", "", ""): PROGRAMS["rust"],
    ("python_code", "", "", ""): PYTHON,
    ("script", "Bash script to run", "", ""): BASH,
    ("snippet", "", "highlight_snippet", ""): PYTHON,
    ("script", "Latin or Cyrillic", "transliterate", ""): (),
    ("source", "Where the news comes from", "find_news", ""): (),
    ("program", "", "list_tv_shows", ""): (),
    ("title", "The source code", "run_python", ""): (),
}


@pytest.mark.parametrize("field", FIELDS, ids=" | ".join)
def test_a_code_is_what_the_words_around_it_say(field: tuple[str, str, str, str]) -> None:
    assert by_code(*field) == FIELDS[field]


@pytest.mark.parametrize("name", ["postal_code", "currency_code", "error_code", "promo_code"])
def test_no_call_sends_a_program_in_place_of_a_code(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    made = plan(
        {"name": "ask", "inputSchema": schema},
        seed=0, budget=4, values=Values(), schemas=Schemas(), at_random=False,
    )  # fmt: skip
    sent = [str(one.arguments.get(name)) for one in made.scenarios if one.valid]
    assert sent
    assert not any(re.search(r"print|console", text) for text in sent)
