"""`mcp-assay ui`: what it prints, what it refuses in one sentence, and how it ends."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest

from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from tests.cli.conftest import Cli
from tests.history.runs import remember
from tests.patience import LONGEST

LOOPBACK = "127.0.0.1"
BROWSER = """#!{python}
import json, pathlib, socket, sys, urllib.parse
file = pathlib.Path(urllib.parse.urlsplit(sys.argv[1]).path)
told = {{"words": sys.argv, "mode": file.stat().st_mode, "page": file.read_text()}}
with socket.create_connection(("127.0.0.1", {port})) as listener:
    listener.sendall(json.dumps(told).encode())
"""
"""Stands for a browser: it tells with which words it was started, and what they lead to."""


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A data folder and a place for sockets that are nobody else's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("MCP_ASSAY_HISTORY", raising=False)
    monkeypatch.chdir(tmp_path)
    with TemporaryDirectory(prefix="ui-") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A history with one run."""
    made = f"sqlite:///{tmp_path / 'h.db'}"
    store = Store(located(made))
    remember(store)
    store.close()
    return made


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that serves pages, and the link that it prints."""
    command = [sys.executable, "-m", "mcp_assay", "ui", *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            link = process.stdout.readline().strip()
            assert link, process.communicate(timeout=LONGEST)
            yield process, link
        finally:
            process.kill()


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str]:
    """The exit code and the complaints of a process that gets a signal."""
    process.send_signal(number)
    _, complaints = process.communicate(timeout=LONGEST)
    return process.returncode, complaints


def opened(link: str, context: ssl.SSLContext | None = None) -> tuple[int, str]:
    """The status and the cookie that a link leads to."""
    answer, _ = fetched(link, context)
    return answer.status, answer.headers.get("Set-Cookie", "")


def fetched(
    address: str, context: ssl.SSLContext | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, str]:
    """What is answered at an address, and its text."""
    parts = urlsplit(address)
    host, port = str(parts.hostname), parts.port
    connection = (
        http.client.HTTPSConnection(LOOPBACK, port, timeout=LONGEST, context=context)
        if context
        else http.client.HTTPConnection(host, port, timeout=LONGEST)
    )
    its = {"Host": parts.netloc, **headers}
    connection.request("GET", f"{parts.path}?{parts.query}", headers=its)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_pages_are_served_until_a_signal_and_that_is_no_failure(url: str, name: str) -> None:
    with running("--history", url) as (process, link):
        assert urlsplit(link).hostname == LOOPBACK
        assert opened(link)[0] == 303
        code, complaints = ended(process, getattr(signal, name))
    assert code == 0
    assert complaints.count("\n") == 1
    assert "works once" in complaints


def test_another_link_is_printed_to_the_same_user(url: str, cli: Cli) -> None:
    with running("--history", url) as (_, link):
        other = cli("ui", "--link")
        assert (other.code, other.err) == (0, "")
        assert other.out.strip() != link
        assert [opened(one)[0] for one in (link, other.out.strip(), link)] == [303, 303, 403]
        with running("--history", url) as (_, second):
            several = cli("ui", "--link")
            assert several.code == 2
            assert "name one with --listen HOST:PORT" in several.err
            named = cli("ui", "--link", "--listen", urlsplit(second).netloc)
            assert urlsplit(named.out).netloc == urlsplit(second).netloc


def test_without_pages_there_is_no_link(cli: Cli) -> None:
    refused = cli("ui", "--link")
    assert (refused.code, refused.out) == (2, "")
    assert "you serve no pages; mcp-assay ui does that" in refused.err
    assert "at port 9" in cli("ui", "--link", "--listen", "127.0.0.1:9").err


def test_what_somebody_left_who_was_killed_is_no_obstacle(url: str, cli: Cli) -> None:
    with running("--history", url) as (process, link):
        process.kill()
        process.wait(LONGEST)
    assert cli("ui", "--link").code == 2
    with running("--history", url, "--listen", urlsplit(link).netloc):
        assert cli("ui", "--link").code == 0


def test_a_folder_that_others_may_open_holds_no_socket(url: str, cli: Cli) -> None:
    folder = Path(os.environ["XDG_RUNTIME_DIR"]) / "mcp-assay"
    folder.mkdir()
    folder.chmod(0o755)
    assert "that only you may open" in cli("ui", "--link").err
    with running("--history", url) as (process, link):
        assert opened(link)[0] == 303
        _, complaints = ended(process, signal.SIGINT)
    assert "--link will not work" in complaints


def test_the_own_history_is_made_where_there_is_none(tmp_path: Path) -> None:
    with running() as (process, link):
        assert opened(link)[0] == 303
        assert ended(process, signal.SIGINT)[0] == 0
    made = tmp_path / "data" / "mcp-assay" / "history.db"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--history", "sqlite:///nowhere.db"), "the history nowhere.db does not exist"),
        (("--history=mysql://x/y",), "mysql is not a database for a history"),
        (("--history", "sqlite:///text.db"), "is not a history"),
        (("--listen", "0.0.0.0:0"), "other machines, which needs --tls-cert FILE and --tls-key"),
        (("--listen", "nonsense"), "'nonsense' is not HOST:PORT"),
        (("--tls-cert", "text.db"), "--tls-cert and --tls-key need each other"),
        (("--tls-cert", "a.pem", "--tls-key", "b.pem"), "are no certificate and key: No such file"),
        (("--tls-cert", "text.db", "--tls-key", "text.db"), "are no certificate and key"),
        (("--config", "nowhere.json"), "nowhere.json cannot be read"),
        (("--config", "text.db"), "text.db is not JSON"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    cli: Cli, url: str, options: tuple[str, ...], words: str
) -> None:
    Path("text.db").write_text("no database, no certificate and no JSON" * 100, "utf-8")
    refused = cli("ui", "--history", url, *options)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1
    assert words in refused.err


def test_a_port_that_is_taken_is_said_so(cli: Cli, url: str) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        address = f"{LOOPBACK}:{taken.getsockname()[1]}"
        refused = cli("ui", "--history", url, "--listen", address)
    assert refused.code == 2
    assert f"{address} cannot be listened on" in refused.err


def test_a_configuration_is_accepted(url: str) -> None:
    Path("mcp.json").write_text(json.dumps({"mcpServers": {"x": {"command": "x"}}}), "utf-8")
    with running("--history", url, "--config", "mcp.json", "--yes") as (_, link):
        assert opened(link)[0] == 303


def test_other_machines_are_served_over_tls(url: str) -> None:
    certificate, key = certificate_files()
    options = ("--tls-cert", certificate, "--tls-key", key, "--listen", "0.0.0.0:0")
    with running("--history", url, *options) as (process, link):
        parts = urlsplit(link)
        assert (parts.scheme, parts.hostname) == ("https", socket.gethostname().lower())
        context = ssl.create_default_context(cafile=certificate)
        context.check_hostname = False
        status, cookie = opened(link, context)
        assert (status, "Secure" in cookie) == (303, True)
        _, page = fetched(f"https://{parts.netloc}/", context, Cookie=cookie.partition(";")[0])
        assert "served to other machines" in page
        assert "nothing leaves this machine" not in page
        assert ended(process, signal.SIGINT)[0] == 0


def test_a_browser_is_opened_and_its_words_tell_nobody_the_link(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "browser"
    monkeypatch.setenv("BROWSER", str(program))
    with socket.create_server((LOOPBACK, 0)) as listener:
        listener.settimeout(LONGEST)
        its = BROWSER.format(python=sys.executable, port=listener.getsockname()[1])
        program.write_text(its, "utf-8")
        program.chmod(0o700)
        with running("--history", url, "--open") as (process, link):
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as reader:
                told = json.loads(reader.read())
            assert ended(process, signal.SIGINT)[0] == 0
    assert urlsplit(link).query not in " ".join(told["words"])
    assert link in told["page"]
    assert stat.S_IMODE(told["mode"]) == 0o600
    assert not Path(urlsplit(told["words"][1]).path).exists()


def certificate_files() -> tuple[str, str]:
    """A certificate of its own making, and its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography makes certificates")
    hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, secret = serialization.Encoding.PEM, serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    Path("cert.pem").write_bytes(made.public_bytes(pem))
    Path("key.pem").write_bytes(key.private_bytes(pem, form, secret))
    return "cert.pem", "key.pem"
