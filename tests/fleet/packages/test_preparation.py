"""Packages are installed in a world, kept as a whole, and nothing of them is run for it."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.client.deadline import Deadline
from mcp_assay.client.sandbox.availability import Availability, TriedBackend, try_backends
from mcp_assay.fleet.entry import FleetEntry, Package
from mcp_assay.fleet.job import JobLimits, JobOptions, Reason
from mcp_assay.fleet.packages import installer_run, preparation
from mcp_assay.fleet.packages.installer_run import run_installer, world_for
from mcp_assay.fleet.packages.preparation import PreparedPackage, prepare
from tests.fleet.packages.registry import Registry as Loopback
from tests.fleet.packages.registry import forget, serving, use, wheel

HELLO = {"hello-1.0-py3-none-any.whl": wheel("hello", "1.0")}
SCRIPT = "#!/usr/bin/env node\nconsole.log('hello from', ...process.argv.slice(2))\n"


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Loopback]:
    if try_backends().backend is None:
        pytest.skip("no disposable world can be made here")
    with serving() as registry:
        use(registry, monkeypatch, tmp_path)
        yield registry
    forget()


def entry(registry: str, name: str, version: str = "", program: str = "") -> FleetEntry:
    known = {"pypi": Package(registry="pypi", name=name, version=version, program=program)}
    known |= {"npm": Package(registry="npm", name=name, version=version, program=program)}
    return FleetEntry(name="one", origin=known[registry])


def prepared(
    wanted: FleetEntry, folder: Path, limits: JobLimits | None = None
) -> PreparedPackage | Reason:
    options = JobOptions(cache=str(folder / "cache"), limits=limits or JobLimits())
    return asyncio.run(prepare(wanted, options, Deadline(120)))


def said(found: PreparedPackage | Reason) -> str:
    """What the program of a package says."""
    assert isinstance(found, PreparedPackage), found
    done = subprocess.run([*found.program, "a", "b"], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_package_from_pypi_is_installed_once_and_started_from_the_cache(
    registry: Loopback, tmp_path: Path
) -> None:
    registry.add_python("hello", HELLO)
    found = prepared(entry("pypi", "hello"), tmp_path)
    assert said(found) == "hello from a b\n"
    assert isinstance(found, PreparedPackage)
    assert found.version == "1.0"
    asked = len(registry.asked)
    assert prepared(entry("pypi", "Hello", "1.0"), tmp_path) == found
    assert len(registry.asked) == asked, "what is in the cache needs no registry"
    assert prepared(entry("pypi", "hello"), tmp_path) == found
    assert registry.asked[asked:] == ["/simple/hello/", "/files/hello-1.0-py3-none-any.whl"]
    home = tmp_path / "cache" / "packages"
    assert home.stat().st_mode & 0o777 == 0o700
    assert not list((home / "begun").iterdir())


def test_a_package_from_npm_is_installed_and_no_script_of_it_is_run(
    registry: Loopback, tmp_path: Path
) -> None:
    scripts = {"postinstall": "node -e \"fs.writeFileSync('ran', '')\""}
    files = {"cli.js": SCRIPT}
    registry.add_node("hello", "2.0.0", files, bin="cli.js", scripts=scripts)
    found = prepared(entry("npm", "hello"), tmp_path)
    assert said(found) == "hello from a b\n"
    assert isinstance(found, PreparedPackage)
    assert found.version == "2.0.0"
    assert not list(Path(found.folder).rglob("ran"))


def test_what_would_have_to_be_built_ends_with_that_reason(
    registry: Loopback, tmp_path: Path
) -> None:
    registry.add_python("source", {"source-1.0.tar.gz": b"never unpacked"})
    registry.add_node("native", "1.0.0", {"binding.gyp": "{}"}, scripts={"install": "node-gyp"})
    for wanted in (entry("pypi", "source"), entry("npm", "native", "1.0.0")):
        found = prepared(wanted, tmp_path)
        assert isinstance(found, Reason)
        assert (found.kind, found.is_passing) == ("needs_build", False), found
    assert "/files/source-1.0.tar.gz" not in registry.asked


def test_what_nobody_has_will_not_be_there_later_either(registry: Loopback, tmp_path: Path) -> None:
    found = prepared(entry("pypi", "nobody"), tmp_path)
    assert isinstance(found, Reason)
    assert (found.kind, found.is_passing) == ("not_prepared", False)
    assert "no registry has nobody" in found.text


def test_a_registry_that_is_away_may_be_back_later(
    registry: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as gone:
        use(gone, monkeypatch, tmp_path)
    found = prepared(entry("npm", "hello", "1.0.0"), tmp_path)
    assert isinstance(found, Reason)
    assert (found.kind, found.is_passing) == ("not_prepared", True), found


def test_the_host_that_an_index_links_files_to_is_reached_too(
    registry: Loopback, tmp_path: Path
) -> None:
    with serving() as files:
        registry.add_python("hello", HELLO, elsewhere=files)
        assert said(prepared(entry("pypi", "hello"), tmp_path)) == "hello from a b\n"


def test_two_workers_may_prepare_the_same_at_once(registry: Loopback, tmp_path: Path) -> None:
    registry.add_node("hello", "2.0.0", {"cli.js": SCRIPT}, bin="cli.js")
    options = JobOptions(cache=str(tmp_path / "cache"))

    async def both() -> list[PreparedPackage | Reason]:
        wanted = entry("npm", "hello", "2.0.0")
        return await asyncio.gather(*(prepare(wanted, options, Deadline(120)) for _ in range(2)))

    one, other = asyncio.run(both())
    assert one == other
    assert said(one) == "hello from a b\n"


def test_a_package_that_is_broken_is_installed_anew(registry: Loopback, tmp_path: Path) -> None:
    registry.add_node("hello", "2.0.0", {"cli.js": SCRIPT}, bin="cli.js")
    wanted = entry("npm", "hello", "2.0.0")
    found = prepared(wanted, tmp_path)
    assert isinstance(found, PreparedPackage)
    Path(found.folder).parent.joinpath("installed.json").write_text("{")
    assert said(prepared(wanted, tmp_path)) == "hello from a b\n"


def test_an_index_that_says_nothing_is_left_in_time(registry: Loopback, tmp_path: Path) -> None:
    found = prepared(entry("pypi", "slow"), tmp_path, JobLimits(seconds=4.0))
    assert isinstance(found, Reason)
    assert found.kind == "over_time"
    assert not list((tmp_path / "cache" / "packages" / "begun").iterdir())


def test_a_package_that_fills_the_disk_is_stopped(registry: Loopback, tmp_path: Path) -> None:
    big = {"hello-1.0-py3-none-any.whl": wheel("hello", "1.0", {"big.txt": "0" * (64 << 20)})}
    registry.add_python("hello", big)
    found = prepared(entry("pypi", "hello"), tmp_path, JobLimits(disk_bytes=24 << 20))
    assert isinstance(found, Reason)
    assert found.kind == "over_disk", found


def test_a_password_for_an_index_is_not_used_and_neither_is_another_index(
    registry: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://ada:swordfish@index.example.com/simple")
    forget()
    found = prepared(entry("pypi", "hello"), tmp_path)
    assert isinstance(found, Reason)
    assert "is set up with a password for index.example.com" in found.text
    assert "swordfish" not in found.text
    assert not registry.asked


PROBE = """
import json, os, socket, sys
def reached(port):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
        return True
    except OSError:
        return False
order = json.loads(sys.argv[1])
print(json.dumps({
    "ports": list(map(reached, order["ports"])),
    "variables": sorted(os.environ),
    "secret": os.path.exists(order["secret"]) and open(order["secret"]).read(),
}))
"""


def test_the_installer_has_no_secret_and_reaches_registries_only(
    registry: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installer_run, "INSTALLER", ("-I", "-c", PROBE))
    monkeypatch.setenv("OUR_SECRET", "swordfish")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".npmrc").write_text("//example.com/:_authToken=swordfish")
    with serving() as other:
        ports = [int(one.url.rpartition(":")[2]) for one in (registry, other)]
        order = {"ports": ports, "secret": str(tmp_path / ".npmrc")}
        world = world_for((f"127.0.0.1:{ports[0]}",), JobLimits())
        run = run_installer(order, {}, world, str(tmp_path), 1 << 20)
        head = asyncio.run(run).head
    assert head["ports"] == [True, False]
    assert "OUR_SECRET" not in head["variables"]
    assert not head["secret"]


@pytest.mark.parametrize(
    ("package", "kind"),
    [
        (Package(registry="oci", name="docker.io/a/b:1"), "needs_image"),
        (Package(registry="other", name="nuget:A"), "not_prepared"),
        (Package(registry="npm", name="../../x"), "wrong_entry"),
    ],
)
def test_what_no_registry_is_asked_for_has_a_reason(package: Package, kind: str) -> None:
    wanted = FleetEntry(name="one", origin=package)
    found = asyncio.run(prepare(wanted, JobOptions(), Deadline()))
    assert isinstance(found, Reason)
    assert found.kind == kind


def test_a_cache_that_others_may_open_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache" / "packages").mkdir(parents=True)
    os.chmod(tmp_path / "cache" / "packages", 0o755)
    found = prepared(entry("npm", "hello"), tmp_path)
    assert isinstance(found, Reason)
    assert "is not a folder that only this user may open" in found.text


def test_without_a_world_nothing_is_prepared_unless_none_is_wanted(
    registry: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Availability(attempts=(TriedBackend(backend="namespaces", works=False, why="failed"),))
    monkeypatch.setattr(preparation, "try_backends", lambda: none)
    registry.add_node("hello", "2.0.0", {"cli.js": SCRIPT}, bin="cli.js")
    wanted = entry("npm", "hello", "2.0.0")
    refused = prepared(wanted, tmp_path)
    assert isinstance(refused, Reason)
    assert refused.kind == "no_sandbox"
    options = JobOptions(cache=str(tmp_path / "cache"), has_sandbox=False)
    assert said(asyncio.run(prepare(wanted, options, Deadline(120)))) == "hello from a b\n"


@pytest.mark.parametrize("registry_of", ["pypi", "npm"])
def test_a_real_package_is_prepared(tmp_path: Path, registry_of: str) -> None:
    if try_backends().backend is None:
        pytest.skip("no disposable world can be made here")
    real = {
        "pypi": entry("pypi", "mcp-server-time", "2026.10.19"),
        "npm": entry("npm", "@modelcontextprotocol/server-memory", "0.6.2"),
    }
    forget()
    found = prepared(real[registry_of], tmp_path)
    if isinstance(found, Reason) and found.is_passing:
        pytest.skip(found.text)
    assert isinstance(found, PreparedPackage), found
    asked = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05",'
        '"capabilities":{},"clientInfo":{"name":"tests","version":"1"}}}\n'
    )
    done = subprocess.run(
        found.program, check=False, input=asked, capture_output=True, text=True, timeout=60
    )
    assert '"protocolVersion":"2024-11-05"' in done.stdout, done.stderr
