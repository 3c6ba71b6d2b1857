"""What of this machine a world shows, hides, plants and lets through."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from mcp_assay.client.sandbox import secret_places
from mcp_assay.client.sandbox.copies import copy_tree, is_small
from mcp_assay.client.sandbox.layout import Mount, layout
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.relay import Relay, connected, may_lead_to
from mcp_assay.client.sandbox.secret_places import hidden_places, planted_secrets
from mcp_assay.client.sandbox.specification import allowed_hosts, needed, specification


def test_secret_places_that_exist_are_hidden_and_what_they_link_to(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".aws").symlink_to("elsewhere")
    (tmp_path / "key").write_text("secret")
    (tmp_path / ".ssh" / "id_rsa").symlink_to("../key")
    (tmp_path / ".ssh" / "system").symlink_to("/etc/passwd")
    found = hidden_places({"HOME": str(tmp_path)})
    own = [path for path in found if path.startswith(str(tmp_path))]
    assert own == [str(tmp_path / name) for name in (".ssh", ".aws", "elsewhere", "key")]
    assert "/etc/passwd" not in found


def test_a_secret_place_is_hidden_wherever_it_is_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "me" / ".ssh").mkdir(parents=True)
    (tmp_path / "again").symlink_to(tmp_path)  # stands for the second mount
    (tmp_path / "other").mkdir()
    shown = [
        Mount("1:1", "/", "/"),
        Mount("8:1", "/@home", str(tmp_path)),
        Mount("8:1", "/@home/me", str(tmp_path / "again" / "me")),
        Mount("8:2", "/@home", str(tmp_path / "other")),
    ]
    monkeypatch.setattr(secret_places, "mounts", lambda: shown)
    found = hidden_places({"HOME": str(tmp_path / "me")})
    assert str(tmp_path / "again" / "me" / ".ssh") in found
    assert not [path for path in found if path.startswith(str(tmp_path / "other"))]


def test_what_the_user_wants_to_be_seen_is_not_hidden(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".netrc").touch()
    options = SandboxOptions(show=(str(tmp_path / ".ssh"),), work=str(tmp_path))
    spec = specification(("true",), {"HOME": str(tmp_path)}, options)
    assert str(tmp_path / ".ssh") not in spec["hide"]
    assert str(tmp_path / ".netrc") in spec["hide"]
    assert str(tmp_path / ".ssh/id_rsa") not in spec["plant"]
    assert str(tmp_path / ".netrc") in spec["plant"]


def test_planted_secrets_are_of_their_own_in_every_world(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path)}
    first, second = (planted_secrets(environment, ()) for _ in range(2))
    assert first.keys() == second.keys()
    assert not set(first.values()) & set(second.values())
    assert planted_secrets({"HOME": "/no/such/home"}, ()) == {}


def test_the_work_folders_are_the_current_one_and_those_that_are_named(tmp_path: Path) -> None:
    for name in ("work", "data"):
        (tmp_path / name).mkdir()
    options = SandboxOptions(work=str(tmp_path / "work"))
    spec = specification(("server", str(tmp_path / "data"), "word", "/"), {}, options)
    assert spec["work"] == [str(tmp_path / "work"), str(tmp_path / "data")]
    assert spec["cwd"] == str(tmp_path / "work")


def test_what_a_command_needs_of_places_that_begin_empty_stays(tmp_path: Path) -> None:
    for name in ("venv/bin", "lib", "unused"):
        (tmp_path / name).mkdir(parents=True)
    program = tmp_path / "venv" / "bin" / "server"
    program.touch()
    environment = {"PYTHONPATH": f"/nowhere:{tmp_path}/lib"}
    found = needed((str(program), "missing"), environment, [str(tmp_path)], "/")
    assert found == [str(tmp_path / "lib"), str(tmp_path / "venv")]


def test_allowed_hosts_have_addresses_of_their_own() -> None:
    rows = allowed_hosts(["api.example.com", "API.example.com:8443", "192.0.2.7:25"])
    assert [(row["host"], row["port"], row["address"]) for row in rows] == [
        ("api.example.com", 443, "11.0.0.1"),
        ("api.example.com", 80, "11.0.0.1"),
        ("api.example.com", 8443, "11.0.0.1"),
        ("192.0.2.7", 25, "192.0.2.7"),
    ]


def test_a_host_that_programs_find_in_a_list_keeps_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("::1 db\n# 10.0.0.1 db\n10.0.0.9 other DB  # here\n")
    monkeypatch.setattr("mcp_assay.client.sandbox.specification.HOSTS", str(hosts))
    assert [row["address"] for row in allowed_hosts(["db:5432", "web:1"])] == [
        "10.0.0.9",
        "11.0.0.2",
    ]


def test_a_host_that_is_allowed_twice_is_allowed_once() -> None:
    rows = allowed_hosts(["a.example:443", "a.example", "[2001:db8::1]:443"])
    assert [(row["host"], row["port"]) for row in rows] == [
        ("a.example", 443),
        ("a.example", 80),
        ("2001:db8::1", 443),
    ]


@pytest.mark.parametrize(
    "text", ["", ":443", "host:", "host:port", "host:0", "host:65536", "::1", "a b", "http://a"]
)
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="HOST"):
        allowed_hosts([text])


def test_folders_are_taken_apart_where_something_is_mounted(tmp_path: Path) -> None:
    for name in ("usr/bin", "home/one", "home/two", "proc", "tmp"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bin").symlink_to("usr/bin")
    (tmp_path / "home" / "file").touch()
    found = list(layout(str(tmp_path), ["/", "/proc", "/home/two"], lambda path: path == "/tmp"))
    assert found == [
        ("link", "/bin"),
        ("folder", "/home"),
        ("overlay", "/usr"),
        ("file", "/home/file"),
        ("overlay", "/home/one"),
        ("overlay", "/home/two"),
    ]


def test_a_small_folder_is_copied_as_it_is(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "inner").mkdir(parents=True)
    target.mkdir()
    (source / "inner" / "program").write_text("#!/bin/sh\n")
    (source / "inner" / "program").chmod(0o750)
    (source / "link").symlink_to("/etc/passwd")
    (source / "secret").write_text("secret")
    os.mkfifo(source / "pipe")
    os.utime(source / "inner", (1, 1))
    copy_tree(str(source), str(target), {str(source / "secret")})
    assert sorted(path.name for path in target.iterdir()) == ["inner", "link"]
    assert os.readlink(target / "link") == "/etc/passwd"
    assert (target / "inner" / "program").stat().st_mode & 0o777 == 0o750
    assert (target / "inner").stat().st_mtime == 1


def test_a_large_folder_is_noticed_early(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for number in range(5):
        (tmp_path / "inner" / str(number)).write_bytes(bytes(100))
    folder = str(tmp_path)
    assert is_small(folder, 500, 6)
    assert not is_small(folder, 499, 6)
    assert not is_small(folder, 500, 5)
    assert is_small(folder, 400, 5, {str(tmp_path / "inner" / "0")})


def test_bytes_pass_to_an_allowed_host_and_back() -> None:
    counted: list[tuple[str, int]] = []
    with (
        socket.create_server(("127.0.0.1", 0)) as outside,
        socket.create_server(("127.0.0.1", 0)) as inside,
    ):
        threading.Thread(target=_echo, args=(outside,), daemon=True).start()
        port = outside.getsockname()[1]
        row = {"host": "127.0.0.1", "port": port, "address": "11.0.0.1"}
        listener = os.dup(inside.fileno())
        Relay(
            [row], {"relay0": listener}, lambda host, _, port, size: counted.append((host, size))
        ).start()
        with socket.create_connection(inside.getsockname(), timeout=10) as link:
            link.sendall(b"hello")
            link.shutdown(socket.SHUT_WR)
            assert link.recv(100) == b"hello"
            assert link.recv(100) == b""
    assert counted == [("127.0.0.1", 5), ("127.0.0.1", 5)]


@pytest.mark.parametrize(
    ("host", "address", "may"),
    [
        ("api.example.com", "203.0.113.7", True),
        ("git.example.com", "10.0.0.5", True),
        ("rebound.example.com", "127.0.0.1", False),
        ("rebound.example.com", "169.254.169.254", False),
        ("rebound.example.com", "0.0.0.0", False),
        ("rebound.example.com", "::1", False),
        ("rebound.example.com", "::ffff:127.0.0.1", False),
        ("rebound.example.com", "fe80::1%2", False),
        ("localhost", "127.0.0.1", True),
        ("169.254.169.254", "169.254.169.254", True),
    ],
)
def test_a_name_does_not_lead_to_this_machine(host: str, address: str, may: bool) -> None:
    assert may_lead_to(host, address) is may


def test_a_name_that_leads_here_is_not_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as here:
        row = (socket.AF_INET, socket.SOCK_STREAM, 6, "", here.getsockname())
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [row])
        with pytest.raises(ConnectionRefusedError):
            connected("rebound.example.com", here.getsockname()[1], "11.0.0.1")
        connected("localhost", here.getsockname()[1], "11.0.0.1").close()
        connected("listed.example.com", here.getsockname()[1], "127.0.0.1").close()


def _echo(listener: socket.socket) -> None:
    link, _ = listener.accept()
    with link:
        while piece := link.recv(100):
            link.sendall(piece)


def test_the_interpreter_is_needed_where_it_lies_in_an_empty_place() -> None:
    top = "/" + os.path.realpath(sys.executable).split("/")[1]
    assert any(path.startswith(top) for path in needed(("true",), {}, [top], "/"))


def test_what_every_world_has_of_its_own_is_no_folder_to_work_in(tmp_path: Path) -> None:
    command = ("ls", "/proc/self/fd", "/sys/", "/dev", str(tmp_path), "/devices")
    spec = specification(command, {}, SandboxOptions(work="/usr"))
    assert spec["work"] == ["/usr", str(tmp_path)]
