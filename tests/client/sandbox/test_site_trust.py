"""A server is told whom to trust by the usual variables, where certificates can be made at all."""

from __future__ import annotations

import sys

import pytest

from mcp_assay.client.sandbox.authority import authority
from mcp_assay.client.sandbox.site_trust import ADDING, ALL, FOLDER, OWN, REPLACING, trust
from mcp_assay.client.sandbox.world import UNSIGNED, World


def test_variables_that_add_name_one_certificate_and_those_that_replace_all() -> None:
    site, variables = trust({})
    assert site["certificate"].startswith("-----BEGIN CERTIFICATE-----")
    assert {variables[name] for name in ADDING} == {f"{FOLDER}/{OWN}"}
    assert {variables[name] for name in REPLACING} == {f"{FOLDER}/{ALL}"}


def test_what_the_user_has_set_stays() -> None:
    _, variables = trust({"SSL_CERT_FILE": "/etc/own.pem", "HOME": "/home/me"})
    assert "SSL_CERT_FILE" not in variables
    assert "CURL_CA_BUNDLE" in variables


def test_without_the_library_there_is_a_site_without_https(monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cache_clear()
    monkeypatch.setitem(sys.modules, "cryptography", None)
    try:
        site, variables = trust({})
        assert (site["certificate"], variables) == (None, {})
        assert World({"site": True}, lambda _: None).row.limits == [UNSIGNED]
        assert World({"site": False}, lambda _: None).row.limits == []
    finally:
        authority.cache_clear()
