"""How a server comes to trust the web site of its world: certificates, and the usual variables."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.client.sandbox.authority import authority

FOLDER: Final = "/tmp/mcp-assay-certificates"
"""The folder of a world that has the certificates."""
OWN, ALL = "authority.pem", "bundle.pem"
"""The certificate of the authority alone, and behind all those that the machine trusts."""
ADDING: Final = ("NODE_EXTRA_CA_CERTS", "DENO_CERT")
"""Variables that name what is trusted besides."""
REPLACING: Final = (
    *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"),
    *("AWS_CA_BUNDLE", "HTTPLIB2_CA_CERTS", "PIP_CERT"),
)
"""Variables that name all that is trusted."""
ROOTS: Final = (
    *("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"),
    *("/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"),
)
"""Where systems keep what they trust."""


def trust(environment: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """What a world has of the site, and the variables by which its server trusts it.

    A variable that the user has set stays as it is.
    """
    known = authority()
    if known is None:
        return {"folder": FOLDER, "certificate": None, "roots": None}, {}
    named = {
        **dict.fromkeys(ADDING, f"{FOLDER}/{OWN}"),
        **dict.fromkeys(REPLACING, f"{FOLDER}/{ALL}"),
    }
    added = {name: path for name, path in named.items() if name not in environment}
    return {"folder": FOLDER, "certificate": known.certificate, "roots": _roots()}, added


def _roots() -> str | None:
    """The file with all certificates that the machine trusts."""
    places = (ssl.get_default_verify_paths().openssl_cafile, *ROOTS)
    return next((os.path.realpath(one) for one in places if one and os.path.isfile(one)), None)
