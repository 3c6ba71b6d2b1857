"""Secrets are known by their structure: found in answers, and in no report; samples are none."""

from __future__ import annotations

import json
import random
import string
from typing import Any, Final

import msgspec
import pytest

from mcp_assay.client.target import Command, Endpoint
from mcp_assay.client.target_secrets import credentials_of
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import REDACTED
from tests.truth.running import report_on

LETTERS: Final = string.ascii_letters + string.digits
HEX: Final = "0123456789abcdef"
_CHANCE: Final = random.Random(16)


def some(length: int, alphabet: str = LETTERS) -> str:
    """Characters by chance, as a secret has them; the same in every run."""
    return "".join(_CHANCE.choice(alphabet) for _ in range(length))


SECRETS: Final = [
    # addresses
    "postgres://app:S3cr3tPw@db.internal:5432/main",
    "mysql://root:hunter2@10.0.0.3/app",
    "redis://:p4ssw0rd99@cache:6379/0",
    "mongodb+srv://svc:Zx9%40kk@cluster0.abc.mongodb.net/?retryWrites=true",
    "amqps://worker:sommer-regen@mq.corp.net/%2f",
    f"https://x-access-token:{some(40)}@github.com/a/b.git",
    f"https://{some(40)}@github.com/a/b.git",
    "cannot reach https://ada:lovelace@registry.corp.net/simple: timeout",
    f"https://bucket.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature={some(64, HEX)}",
    f"https://store.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sig={some(43)}%3D",
    f"https://storage.googleapis.com/b/o?X-Goog-Signature={some(128, HEX)}",
    f"https://hooks.slack.com/services/T0{some(8)}/B0{some(8)}/{some(24)}",
    # names and values
    f"token={some(24)}",
    f"the page has the token={some(24)}",
    f"key-{some(32, HEX)}",
    f"npm_{some(36)}",
    f"/app/EAAA{some(120)}",
    f"github_token: '{some(30)}'",
    f"export NPM_AUTH_TOKEN={some(36)}",
    f'{{"session_token": "{some(30)}"}}',
    "pwd=Tr0ub4dor",
    "Server=db;User Id=sa;Pwd=Adm1n!23;",
    f"credentials={some(22)}",
    f'"credentials": "{some(32)}"',
    f"aws_secret_access_key = {some(40, LETTERS + '/+')}",
    f"AccountName=x;AccountKey={some(86)}==;EndpointSuffix=core.windows.net",
    f"Endpoint=sb://bus/;SharedAccessKey={some(43)}=",
    f"client_secret={some(30)}",
    f"AZURE_STORAGE_KEY={some(86)}==",
    f"MEILI_MASTER_KEY: {some(43)}",
    f"X-API-Key: {some(32)}",
    f"apiKey: '{some(32)}'",
    f"Authorization: Basic {some(20)}==",
    f"Authorization: Bearer {some(18)}",
    f"Set-Cookie: sid={some(32)}; HttpOnly",
    f"mytool --api-token {some(24)} --verbose",
    "backup --password Herbst-77 /data",
    "<db><password>s3cretz</password></db>",
    r"{\"password\": \"Winter-77\"}",
    'password: "ab://cd9x"',
    "password=ab://cd9x",
    # prefixes
    *(f"{prefix}{some(40)}" for prefix in ("glpat-", "hf_", "npm_", "ya29.", "GOCSPX-", "1//0")),
    *(f"{prefix}{some(24)}" for prefix in ("sk_live_", "sk_test_", "rk_live_", "whsec_", "gsk_")),
    *(f"{prefix}{some(40)}" for prefix in ("dckr_pat_", "hvs.", "pypi-", "lin_api_", "shpat_")),
    f"xapp-1-A0{some(10)}-{some(30)}",
    f"SG.{some(22)}.{some(43)}",
    f"712345678:AA{some(33)}",
    # keys
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----",
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{some(43)}",
]

INNOCENT: Final = [
    "next page token=eyJwYWdlIjoyfQ",
    f'{{"type": "image", "data": "{some(60)}/EAAA{some(150)}+AIza{some(200)}"}}',
    "The sync token: a1b2c3d4e5f6",
    "https://blog.corp.net/key-takeaways-from-the-annual-meeting-2024-in-oslo",
    "npm_package_devDependencies_eslint_config_prettier is set",
    "hf_transformers_model_card_generation_utils",
    "pypi-attestations-and-trusted-publishers-for-everyone-2024",
    "xai-explainable-artificial-intelligence",
    "It uses bearer token-based-authentication for all requests.",
    "auth: oauth2-pkce",
    "access key: front-door-7",
    "storage key: cold/archive-2",
    "session key=user_id",
    "ERC20 token: 0x1f98431c8ad98523631ae4a59f267346ea31f984",
    "password=****",
    "token=<token>",
    "api_key=your-api-key",
    "API_KEY=your_api_key_here",
    "password=changeme",
    "postgres://user:password@localhost/db",
    "postgres://user:pass@host:5432/db",
    "postgres://user:<password>@db.internal/x",
    "postgres://${USER}:${PASS}@db/x",
    "https://user:secret123@example.com/",
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-api-key-goes-here-please",
    '"progressToken": "a1b2c3d4e5f6"',
    '"nextPageToken": "CAUQAA1234567"',
    "continuation_token=Q2FuIGJlIGFueQ12",
    "token: string",
    "secret: SecretStr",
    "password = os.environ['DB_PASSWORD']",
    "password=process.env.DB_PASSWORD",
    "token = get_token()",
    "token=self.token",
    "password=$DB_PASSWORD",
    "password=%DB_PASSWORD%",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "token=op://vault/item/field1",
    "api_key: https://console.anthropic.com/settings/keys",
    "The password must be at least 8 characters.",
    "Invalid token: the token has expired",
    "max_tokens=4096",
    "token_type: bearer12",
    "token_count=12345",
    "Authorization: Bearer <token>",
    "credentials=/run/secrets/db.json",
    "PWD=/srv/app1",
    "pass: test_login_1, fail: test_logout_2",
    "bypass=true1234",
    "ssh://git@github.com/a/b",
    "https://host:8080/path@x",
    "token: 2026-11-18T10:00:00Z",
    "token: v1.2.3-beta4",
    '"password": {"type": "string"}',
    '"token": null',
    "sk-learn is a library",
    "npm_config_registry",
    "Bearer authentication is required here",
    "-----BEGIN PUBLIC KEY-----",
]


def leaks(result: dict[str, Any], arguments: dict[str, Any] | None = None) -> list[str]:
    run = tool_run_of({"tool": {"name": "find"}, "calls": [called(arguments, result=result)]})
    return [it.rule for it in judge_tool_run(run, DEFAULT_REVISION) if it.rule == "LEAK-003"]


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


@pytest.mark.parametrize("words", SECRETS)
def test_a_secret_is_reported_and_kept_out_of_what_is_stored(words: str) -> None:
    assert holds_secret(words)
    assert leaks(text(f"Here: {words}")) == ["LEAK-003"]
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": text(f"Here: {words}")}).encode()
    stored = Redactor().message(answer)
    assert stored is not None
    assert stored[0]["result"]["content"][0]["text"] == REDACTED


@pytest.mark.parametrize("words", INNOCENT)
def test_what_only_looks_like_a_secret_is_none(words: str) -> None:
    assert not holds_secret(words)
    assert leaks(text(f"Here: {words}")) == []


@pytest.mark.parametrize(
    "result",
    [
        {"content": [], "structuredContent": {"db": {"password": "Winter-77"}}},
        {"content": [], "structuredContent": {"access_token": some(30)}},
        {"content": [], "structuredContent": {"rows": [{"token": some(30)}]}},
        {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": f"pwd={some(9)}"}}]},
    ],
)
def test_a_secret_for_programs_is_one_too(result: dict[str, Any]) -> None:
    assert leaks(result) == ["LEAK-003"]
    clean, places = Redactor().value(result)
    assert places
    assert REDACTED in json.dumps(clean)


@pytest.mark.parametrize(
    "structured",
    [
        {"password": None},
        {"password": True, "token": 17},
        {"token": "the"},
        {"progressToken": some(30)},
        {"passwordPolicy": "At least 12 characters"},
        {"secret_name": "db-main"},
    ],
)
def test_members_that_hold_no_secret_are_left_alone(structured: dict[str, Any]) -> None:
    assert leaks({"content": [], "structuredContent": structured}) == []


def test_what_the_call_sent_is_no_leak() -> None:
    address = "postgres://app:Wint3r-Sun@db.internal/main"
    assert leaks(text(f"Connected to {address}"), {"address": address}) == []


CREDENTIALS: Final = [
    (Endpoint(url="https://h/mcp", headers={"Authorization": "Bearer abc-123-def"}), "abc-123-def"),
    (Endpoint(url="https://h/mcp", headers={"X-Api-Key": "library-key"}), "library-key"),
    (Endpoint(url="https://ada:Sommer-7@h/mcp"), "Sommer-7"),
    (Command(command=("s",), environment={"LIBRARY_TOKEN": "blue-house"}), "blue-house"),
    (Command(command=("s",), environment={"DB_PASSWORD": "blue-house"}), "blue-house"),
    (Command(command=("s",), environment={"X": f"glpat-{'a1' * 12}"}), f"glpat-{'a1' * 12}"),
    (Command(command=("s", "--api-key", "blue-house")), "blue-house"),
]
SETTINGS: Final = [
    Endpoint(url="https://h/mcp", headers={"X-Tenant": "acme-library"}),
    Command(command=("s",), environment={"REGION": "eu-central-1"}),
    Command(command=("s",), environment={"DATA_DIR": "/srv/library/data"}),
    Command(command=("s",), environment={"SSH_KEY": "/home/ada/.ssh/id"}),
    Command(command=("s",), environment={"API_TOKEN": "none"}),
    Command(command=("s", "--verbose", "library.db")),
]


@pytest.mark.parametrize(("target", "credential"), CREDENTIALS)
def test_what_proves_who_asks_is_a_credential(target: Any, credential: str) -> None:
    assert credential in credentials_of(target)


@pytest.mark.parametrize("target", SETTINGS)
def test_a_setting_is_no_credential(target: Any) -> None:
    assert credentials_of(target) == []


GIVEN: Final = {"LIBRARY_TOKEN": "blue-house-door", "LIBRARY_REGION": "eu-central-1"}


@pytest.mark.parametrize(
    ("server", "found", "hidden"),
    [
        ("tells-connection", ["LEAK-003"], "Wint3r-Sun"),
        ("tells-environment", ["LEAK-003"], "blue-house-door"),
        ("tells-region", [], "blue-house-door"),
    ],
)
def test_an_assessment_reports_a_leak_and_does_not_repeat_it(
    server: str, found: list[str], hidden: str
) -> None:
    report = report_on(server, GIVEN, secrets=tuple(GIVEN.values()))
    leaked = [it for it in report.findings if it.rule == "LEAK-003"]
    assert [it.rule for it in leaked] == found
    assert hidden not in msgspec.json.encode(report).decode()
    assert report.summary.outcome == ("fail" if found else "pass")
    assert any(REDACTED in (call.answer or "") for call in report.calls)
