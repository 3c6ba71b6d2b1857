"""A secret is found however it is written, and nothing else is taken for it."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

import pytest

from mcp_assay.text.encoded_secrets import holds, holds_as_name

SECRET = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("after", ["", "x", "xy"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_it_is_found_in_base64_wherever_it_begins(before: str, after: str, encode: object) -> None:
    assert callable(encode)
    assert holds(encode(f"{before}{SECRET}{after}".encode()).decode(), SECRET)


@pytest.mark.parametrize(
    "text",
    [SECRET, f"key={SECRET}\n", SECRET.encode().hex(), SECRET.encode().hex().upper(),
     f"{SECRET[:20]}\\n{SECRET[20:]}"],
)  # fmt: skip
def test_it_is_found_in_other_letters_and_over_lines(text: str) -> None:
    assert holds(text, SECRET)


@pytest.mark.parametrize("text", ["", SECRET[:-1], SECRET[::-1], b64encode(b"else").decode()])
def test_what_is_not_it_is_not_found(text: str) -> None:
    assert not holds(text, SECRET)


def test_a_short_text_is_no_secret() -> None:
    assert not holds("a short word", "short")


def test_it_is_found_in_the_parts_of_a_host_name() -> None:
    assert holds_as_name(f"{SECRET[:20]}.{SECRET[20:]}.evil.example", SECRET)
    assert holds_as_name(f"{SECRET.encode().hex()}.evil.example", SECRET)
    assert not holds_as_name("api.example.com", SECRET)
