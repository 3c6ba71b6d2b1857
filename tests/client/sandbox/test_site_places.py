"""Which hosts and pages arguments name."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.client.sandbox.site_places import MOST_HOSTS, joined, lasting, places_in


@pytest.mark.parametrize(
    ("arguments", "places"),
    [
        ({"url": "https://example.invalid/"}, {"example.invalid": ["/"]}),
        ({"url": "https://example.invalid"}, {"example.invalid": ["/"]}),
        ({"url": "http://me:secret@WWW.Example.org:8080/a%20b?c#d"}, {"www.example.org": ["/a b"]}),
        ({"text": "see https://a.example/x, https://b.example/y."}, None),
        ({"urls": [{"link": "https://a.example/x"}]}, {"a.example": ["/x"]}),
        ({"host": "docs.python.org"}, {"docs.python.org": ["/"]}),
        ({"name": "docs.python.org"}, {}),
        ({"name": "host.example.invalid"}, {"host.example.invalid": ["/"]}),
        ({"path": "assay-example.txt"}, {}),
        ({"url": "http://127.0.0.1/"}, {}),
        ({"url": "http://localhost:8080/"}, {}),
        ({"url": "http://printer.local/"}, {}),
        ({"url": "https://github.com/a/b"}, {}),
        ({"mail": "assay@example.invalid"}, {}),
        ({"number": 1, "nothing": None, "url": "https://"}, {}),
    ],
)
def test_what_is_named(arguments: dict[str, Any], places: dict[str, list[str]] | None) -> None:
    if places is None:
        assert set(places_in(arguments)) == {"a.example", "b.example"}
    else:
        assert places_in(arguments) == places


def test_only_hosts_for_examples_stay() -> None:
    found = places_in({"one": "https://example.invalid/a", "url": "https://docs.python.org/b"})
    assert lasting(found) == {"example.invalid": ["/a"]}


def test_places_are_joined_in_one_order_and_bounded() -> None:
    assert joined({"b.test": ["/1"]}, {"b.test": ["/2"], "a.test": ["/"]}) == {
        "a.test": ["/"],
        "b.test": ["/1", "/2"],
    }
    many = {f"h{number}.test": ["/"] for number in range(3 * MOST_HOSTS)}
    assert len(places_in({"text": " ".join(f"http://{host}/" for host in many)})) == MOST_HOSTS
    assert len(joined(many, {})) == MOST_HOSTS


def test_many_texts_take_little_time() -> None:
    deep: Any = "https://example.invalid/"
    for _ in range(5_000):
        deep = [deep]
    assert places_in({"deep": deep, "wide": ["x"] * 100_000, "long": "a." * 1_000_000}) == {}
