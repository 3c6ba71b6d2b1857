"""The HTML report is one page with our script alone, whatever text a server chose."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mcp_assay.report.as_html import to_html
from mcp_assay.report.html import data as html_data
from mcp_assay.report.html.data import LONGEST_TEXT, page_data
from mcp_assay.text.names import word_set
from tests.report.large import large_report
from tests.report.reports import NASTY, finding, report

TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(NASTY)
ELEMENTS = word_set(
    "html head meta title style body main header footer section div nav h1 h2 p ul ol li dl dt dd "
    "a code small span table thead tbody tr th td svg rect br input button noscript script"
)
LEAST_CONTRAST = 4.5
"""What WCAG asks of text at level AA."""


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = f"{tag} {dict(attrs).get('type', '')}".strip()

    def handle_data(self, data: str) -> None:
        self.texts[self._within] = self.texts.get(self._within, "") + data


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_no_text_becomes_an_element_an_attribute_or_a_script(text: str) -> None:
    page = to_html(report(text))
    page.encode()
    seen = Seen(page)
    assert {tag for tag, _ in seen.tags} <= ELEMENTS
    assert [attributes for tag, attributes in seen.tags if tag == "script"] == [
        {"type": "application/json", "id": "data"},
        {},
    ]
    names = {name for _, attributes in seen.tags for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("style", "src")}
    links = [str(attributes["href"]) for tag, attributes in seen.tags if tag == "a"]
    assert all(link.startswith("#") for link in links)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_the_data_hold_every_finding_and_no_markup(text: str) -> None:
    written = page_data(report(text))
    assert not re.search("[<>&\u2028\u2029\x00-\x1f]", written.removesuffix("\n"))
    data = json.loads(written)
    assert [one["message"].partition(":")[0] for one in data["findings"]] == [
        f"Message {number}" for number in (1, 2, 3)
    ]
    assert not any(data["facts"][0]["left_out"].values())


def test_the_policy_names_the_very_style_and_script_of_the_page() -> None:
    page = to_html(report("x"))
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    for element in ("style", "script"):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{element}-src &#x27;sha256-{digest}&#x27;" in policy[1]
    assert policy[1].startswith("default-src &#x27;none&#x27;")
    assert "unsafe" not in policy[1]
    assert "http" not in policy[1]


def test_long_texts_are_cut_and_say_so() -> None:
    (one,) = json.loads(page_data(report("x", [finding("y" * 2 * LONGEST_TEXT)])))["findings"]
    assert LONGEST_TEXT < len(one["message"]) < LONGEST_TEXT + 100
    assert one["message"].endswith("[truncated; see the JSON report]")


@pytest.fixture
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, room in (("LISTS", 5_000), ("FINDINGS", 20_000), ("CALLS", 40_000)):
        monkeypatch.setattr(html_data, f"ROOM_OF_{name}", room)


@pytest.mark.usefixtures("_little_room")
def test_a_report_too_large_for_a_page_keeps_the_first_findings_and_counts_the_rest() -> None:
    huge = report("x", [finding("y" * 500, number=number) for number in range(100)])
    written = page_data(huge)
    data = json.loads(written)
    assert len(written) < 70_000
    assert 0 < len(data["findings"]) == 100 - data["facts"][0]["left_out"]["findings"] < 100
    assert data["findings"][0]["message"].startswith("Message 0")


@pytest.mark.usefixtures("_little_room")
def test_what_escapes_make_longer_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_data, "LARGEST", 30_000)
    written = page_data(report("x", [finding("<" * 500, number=number) for number in range(100)]))
    data = json.loads(written)
    assert len(written) <= 30_000
    assert 0 < len(data["findings"]) < 100
    assert data["findings"][0]["message"].endswith("<" * 500)


@pytest.mark.usefixtures("_little_room")
def test_where_room_is_short_answers_of_findings_are_kept_before_others() -> None:
    large = large_report(findings=1, calls=100)
    shown = replace(large.findings[0], where=replace(large.findings[0].where, call=100))
    data = json.loads(page_data(replace(large, findings=[shown])))
    kept = [call["number"] for call in data["calls"] if call["answer"]]
    assert 100 in kept
    assert 1 < len(kept) < 100 == len(data["calls"])
    assert data["facts"][0]["left_out"]["answers"] == 100 - len(kept)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_every_colour_of_text_can_be_read_on_every_ground(scheme: str) -> None:
    style = files("mcp_assay.report").joinpath("html", "page.css").read_text("utf-8")
    schemes = [
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", one)) for one in style.split(":root")[1:]
    ]
    colours = {**schemes[0], **schemes[("light", "dark", "print").index(scheme)]}
    unreadable = [
        (text, ground)
        for text in ("ink", "quiet", "good", "bad", "warn", "unsure", "link")
        for ground in ("paper", "sheet", "code")
        if contrast(colours[text], colours[ground]) < LEAST_CONTRAST
    ]
    assert unreadable == []


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    whole = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(whole[start : start + 2], 16) / 255 for start in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
