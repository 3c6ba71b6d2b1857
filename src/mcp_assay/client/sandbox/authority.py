"""A certificate authority of one run: its key is in the memory of this process alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

NAME: Final = "mcp-assay: one run, one disposable world"
LONGEST_LABEL: Final = 63
LONGEST_NAME: Final = 253
BEFORE: Final = timedelta(days=1)
VALID: Final = timedelta(days=7)


@cache
def authority() -> Authority | None:
    """The authority of this run; None where the library that makes certificates is not there."""
    try:
        return Authority()
    except ImportError:
        return None


class Authority:
    """Signs certificates for the hosts of the web site in worlds."""

    def __init__(self) -> None:
        from cryptography import x509  # noqa: PLC0415  takes long to load, and only worlds need it
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

        self._key: Final = ec.generate_private_key(ec.SECP256R1())
        self._site_key: Final = ec.generate_private_key(ec.SECP256R1())
        subject = _name(NAME)
        made = _begun(subject, subject, self._key)
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        made = made.add_extension(_usage(signs_certificates=True), critical=True)
        self._certificate: Final = _signed(made, self._key)

    @property
    def certificate(self) -> str:
        """Its own certificate, which clients are told to trust."""
        return _pem(self._certificate)

    def chain_for(self, hosts: Iterable[str]) -> str:
        """A certificate for hosts, and the key that belongs to it."""
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
        from cryptography.x509.oid import ExtendedKeyUsageOID  # noqa: PLC0415

        issuer = self._certificate.subject
        made = _begun(_name("the web site of a disposable world"), issuer, self._site_key)
        names = [x509.DNSName(host) for host in hosts]
        authority_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        made = (
            made.add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(purpose, critical=False)
            .add_extension(authority_key, critical=False)
        )
        key = self._site_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return _pem(_signed(made, self._key)) + key.decode()


def _name(text: str) -> x509.Name:
    from cryptography import x509  # noqa: PLC0415
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    from cryptography import x509  # noqa: PLC0415

    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    from cryptography import x509  # noqa: PLC0415

    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _signed(made: x509.CertificateBuilder, key: EllipticCurvePrivateKey) -> x509.Certificate:
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415

    return made.sign(key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    return certificate.public_bytes(serialization.Encoding.PEM).decode()
