"""Secrets that are known by their looks: prefixes of providers, keys, tokens, signed addresses.

Patterns are written so that Python and the fast check read them alike: ASCII, no look-around.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct


class TokenShape(Struct, frozen=True):
    """A kind of secret that is known by its looks."""

    words: str
    pattern: str
    marks: tuple[str, ...] = ()
    """One of these is in every text that holds such a secret, in whatever case; without any, each
    such secret has LONG_RUN in it."""


LONG_RUN: Final = "[A-Za-z0-9_-]{20}"
_EDGE: Final = "(?:^|[^A-Za-z0-9_-])"

PREFIXES: Final = (
    ("a GitHub token", 20, "ghp_ gho_ ghr_ ghs_ ghu_ github_pat_"),
    ("a GitLab token", 16, "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat-"),
    ("a Stripe key", 16, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_"),
    ("a Hugging Face token", 30, "hf_ api_org_"),
    ("an npm token", 30, "npm_"),
    ("a PyPI token", 40, "pypi-"),
    ("a Google API key", 30, "AIza"),
    ("a Google OAuth secret", 20, "ya29. GOCSPX- 1//0"),
    ("an API key", 16, "sk-admin- sk-ant- sk-lf- sk-or-v1- sk-proj- sk-svcacct- gsk_ pplx- xai-"),
    ("an API key", 30, "r8_ lin_api_ ntn_ dapi PMAK- NRAK- rubygems_ sbp_ key-"),
    ("an access token", 20, "figd_ sntrys_ sntryu_ dckr_pat_ HRKU- glsa_ glc_ hvs. hvb."),
    ("an access token", 30, "doo_v1_ dop_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ dp.pt. dp.st."),
    ("an access token", 20, "tskey-auth- tskey-api- tskey-client- sq0atp- sq0csp-"),
    ("an access token", 40, "EAAA ATATT3"),
)
"""What tokens of providers begin with, and how many characters follow at least; a prefix that may
begin a word needs more of them."""


def _shape(words: str, least: int, prefixes: str) -> TokenShape:
    pattern = "|".join(map(re.escape, prefixes.split()))
    return TokenShape(words, f"{_EDGE}(?:{pattern})[A-Za-z0-9_-]{{{least},}}")


TOKEN_SHAPES: Final = (
    *(_shape(*row) for row in PREFIXES),
    TokenShape(
        "a Slack token", f"{_EDGE}(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{{10,}}", ("xox", "xapp-")
    ),
    TokenShape("an API key", f"{_EDGE}sk-[A-Za-z0-9]{{16,}}", ("sk-",)),
    TokenShape("an AWS key", f"{_EDGE}A[KS]IA[A-Z0-9]{{16}}(?:[^A-Za-z0-9]|$)", ("akia", "asia")),
    TokenShape(
        "a SendGrid key", rf"{_EDGE}SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}}", ("sg.",)
    ),
    TokenShape(
        "a JSON Web Token",
        rf"{_EDGE}eyJ[A-Za-z0-9_-]{{5,}}\.[A-Za-z0-9_-]{{5,}}\.[A-Za-z0-9_-]{{5,}}",
        ("eyj",),
    ),
    TokenShape(
        "a private key",
        "-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|AGE-SECRET-KEY-1[A-Z0-9]+",
        ("private key", "age-secret-key-"),
    ),
    TokenShape("a bearer token", f"{_EDGE}(?i:bearer) [A-Za-z0-9._~+/-]{{20,}}", ("bearer ",)),
    TokenShape("a bot token", f"{_EDGE}[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{30,}}", (":aa",)),
    TokenShape(
        "the address of a webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"
        r"|discord(?:app)?\.com/api/webhooks/[0-9]{5,}/[A-Za-z0-9_-]{20,}",
        ("hooks.slack.com/", "/api/webhooks/"),
    ),
    TokenShape(
        "a signed address",
        "[?&;](?i:x-amz-signature|x-amz-security-token|x-goog-signature|x-oss-signature|sig"
        "|signature)=[A-Za-z0-9%/+_~.=-]{20,}",
        ("signature=", "sig=", "x-amz-security-token="),
    ),
)
