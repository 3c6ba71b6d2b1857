"""What a caller proves who he is with, told by a tool: a leak, and in no report."""

from __future__ import annotations

from base64 import b64encode
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from mcp_assay.client.target import Endpoint
from mcp_assay.client.target_secrets import credentials_of, secrets_of
from tests.truth.http_peer import Asked, assessed, run, serving

TOKEN = "q7Jx-blue-house-door-19"
PASSWORD = "Sommer-Regen-7"
KEY = "library/key+7=x"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
BASIC = {"Authorization": f"Basic {b64encode(f'ada:{PASSWORD}'.encode()).decode()}"}
COOKIES = {"Cookie": "theme=midnight-blue; sid=hush-hush-42"}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


LEAKS: dict[str, tuple[dict[str, str], str, dict[str, Any]]] = {
    "the whole header": (BEARER, TOKEN, text(f"You are Bearer {TOKEN}")),
    "the token alone": (BEARER, TOKEN, text(f"Hello {TOKEN}!")),
    "for programs": (BEARER, TOKEN, text("Hello", structuredContent={"as": TOKEN})),
    "in a refusal": (BEARER, TOKEN, text(f"{TOKEN} may not", isError=True)),
    "as base64": (BEARER, TOKEN, text(f"Sent {b64encode(TOKEN.encode()).decode()}")),
    "in an address": (
        {"X-Api-Key": KEY},
        quote(KEY, safe=""),
        text(f"https://books.example/?k={quote(KEY, safe='')}"),
    ),
    "in a link": (
        {"X-Api-Key": "library-key-7"},
        "library-key-7",
        {"content": [{"type": "resource_link", "uri": "b://x?library-key-7", "name": "n"}]},
    ),
    "the password of a user": (BASIC, PASSWORD, text(f"ada has {PASSWORD}")),
    "a cookie": (COOKIES, "hush-hush-42", text("Your session is hush-hush-42")),
    "under a name of their own": (
        {"X-Acme-Token": "hush-hush-43"},
        "hush-hush-43",
        text("hush-hush-43"),
    ),
    "a token with a name": (
        {"Authorization": 'Token user="ada", token="hush-hush-44"'},
        "hush-hush-44",
        text("hush-hush-44"),
    ),
}
FINE: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "nothing of it": (BEARER, text("Hello")),
    "its scheme": (BEARER, text("Bearer tokens are needed here")),
    "its beginning, masked": (BEARER, text(f"Your token is {TOKEN[:4]}****")),
    "the user": (BASIC, text("Hello ada")),
    "a cookie about colours": (COOKIES, text("Your theme is midnight-blue")),
    "a setting": ({"X-Tenant": "acme-library"}, text("The books of acme-library")),
    "a language": ({"Accept-Language": "de-DE"}, text("In de-DE")),
    "the number of a request": ({"X-Request-Id": "request-17-b"}, text("request-17-b is done")),
    "a value that is too common": ({"X-Api-Key": "true"}, text("true")),
}


def reported(headers: dict[str, str], answer: dict[str, Any]) -> Any:
    """The report on a server whose tool answers so."""

    async def call(asked: Asked) -> None:
        asked.answer(answer)

    async def main() -> Any:
        async with serving(tools__call=call) as (url, _):
            report, _ = await assessed(
                url, headers, revision="2025-11-25", select=("LEAK",), max_calls=2, shrink=False
            )
        return report

    return run(main())


@pytest.mark.parametrize("name", LEAKS)
def test_a_credential_in_an_answer_is_told_and_not_repeated(name: str) -> None:
    headers, secret, answer = LEAKS[name]
    report = reported(headers, answer)
    assert [(one.rule, one.severity) for one in report.findings] == [("LEAK-003", "error")]
    assert report.summary.outcome in ("fail", "incomplete")
    assert secret not in msgspec.json.encode(report).decode()
    assert {it.rule: it.outcome for it in report.checks}["LEAK-003"] == "failed"


@pytest.mark.parametrize("name", FINE)
def test_what_is_no_credential_may_be_told(name: str) -> None:
    report = reported(*FINE[name])
    assert report.findings == []
    assert report.summary.outcome == "pass"
    assert {it.rule: it.outcome for it in report.checks}["LEAK-003"] == "passed"


@pytest.mark.parametrize(
    ("headers", "hidden", "proves"),
    [
        (BASIC, PASSWORD, True),
        (COOKIES, "hush-hush-42", True),
        (COOKIES, "midnight-blue", False),
        ({"Cookie": 'JSESSIONID="A1B2C3D4"'}, "A1B2C3D4", True),
        ({"cookie": "access_token=hush-hush"}, "hush-hush", True),
        ({"Authorization": "Basic not-base64!"}, "not-base64!", True),
        ({"Authorization": "Basic"}, "Basic", False),
        ({"Cookie": ";;=;a"}, ";;=;a", False),
    ],
)
def test_parts_of_headers_are_hidden_too(
    headers: dict[str, str], hidden: str, proves: bool
) -> None:
    target = Endpoint(url="https://h.example/mcp", headers=headers)
    assert hidden in secrets_of(target)
    assert (hidden in credentials_of(target)) is proves
