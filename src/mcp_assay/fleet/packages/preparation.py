"""A package -> a program that can be started: from the cache, or installed into it."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.client.deadline import Deadline
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.availability import try_backends
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.fleet.entry import FleetEntry, Package
from mcp_assay.fleet.job import JobOptions, Reason
from mcp_assay.fleet.package_names import VERSION, why_wrong
from mcp_assay.fleet.packages.failures import reason_of
from mcp_assay.fleet.packages.installer_run import (
    InstallerSaid,
    run_installer,
    stream_in,
    why_not_started,
    world_for,
)
from mcp_assay.fleet.packages.linked_hosts import KNOWN, new_hosts
from mcp_assay.fleet.packages.package_cache import FILES, Installed, NoCache, PackageCache
from mcp_assay.fleet.packages.package_tar import WrongStream, unpack
from mcp_assay.fleet.packages.programs import program_of
from mcp_assay.fleet.packages.python_environment import is_ours, make_environment
from mcp_assay.fleet.packages.registries import NoRegistry, Registries, registries_for

PLACE: Final = "package"
PROGRAM: Final = r"[\w.-]+"
PATH: Final = r"(?!.*(?:^|/)\.\.?(?:/|$))[^/\x00][^\x00]*"
NEEDS_IMAGE: Final = "it is an image, and no images are run here: name a command that starts it"
NOT_KNOWN: Final = "packages of this kind are not prepared; those of PyPI and npm are"


class PreparedPackage(Struct, frozen=True, kw_only=True):
    """A package that is ready to be started."""

    program: tuple[str, ...]
    """The words that start its server, without arguments."""
    version: str
    folder: str
    """Where all its files are; a world shows them as it shows the rest of the machine."""


async def prepare(
    entry: FleetEntry, options: JobOptions, deadline: Deadline
) -> PreparedPackage | Reason:
    """Have the package of an entry ready on this machine; where that cannot be, say why.

    Nothing of the package is run for it, and no process is left, also where this is cancelled.
    """
    package = entry.origin
    if not isinstance(package, Package):
        raise TypeError(f"{entry.name} is no package")
    found = _refused(package) or await _installed(package, options, deadline)
    if isinstance(found, Reason):
        return found
    program = program_of(found, package)
    if isinstance(program, Reason):
        return program
    return PreparedPackage(program=program, version=found.version, folder=found.folder)


async def _installed(
    package: Package, options: JobOptions, deadline: Deadline
) -> Installed | Reason:
    """The package in the cache; every fault is a reason."""
    try:
        async with asyncio.timeout(min(deadline.left(), options.limits.seconds)):
            return await _Preparation(package, options).installed()
    except TimeoutError:
        return Reason(kind="over_time", text=f"{package.name} was not installed in time")
    except (NoCache, NoRegistry) as why:
        return Reason(kind="not_prepared", text=str(why))
    except NotReached as fault:
        return why_not_started(fault)


def _refused(package: Package) -> Reason | None:
    """Why no registry is asked for a package at all."""
    if package.registry == "oci":
        return Reason(kind="needs_image", text=NEEDS_IMAGE)
    if package.registry == "other":
        return Reason(kind="not_prepared", text=NOT_KNOWN)
    why = why_wrong(package)
    return Reason(kind="wrong_entry", text=why) if why else None


class _Preparation:
    """One package on its way into the cache."""

    def __init__(self, package: Package, options: JobOptions) -> None:
        self._package: Final = package
        self._options: Final = options
        self._cache: Final = PackageCache(options.cache)

    async def installed(self) -> Installed | Reason:
        """The package from the cache, or from a registry."""
        package = self._package
        found = self._cache.find(package, package.version) if package.version else None
        if found:
            return found
        has_world = await self._has_world()
        registries = await asyncio.to_thread(registries_for, package)
        known = KNOWN.get(registries.indexes, ())
        registries = replace(registries, linked=(*registries.linked, *known))
        outcome = await self._install(registries, has_world=has_world)
        if isinstance(outcome, Reason) and outcome.is_passing:
            more = await self._linked(registries, has_world=has_world)
            if more:
                KNOWN[registries.indexes] = (*known, *more)
                registries = replace(registries, linked=(*registries.linked, *more))
                outcome = await self._install(registries, has_world=has_world)
        return outcome

    async def _has_world(self) -> bool:
        """Whether packages are installed in a world; raises NoSandbox where they must be."""
        try:
            (await asyncio.to_thread(try_backends)).required()
        except NoSandbox:
            if self._options.has_sandbox:
                raise
            return False
        return True

    async def _install(self, registries: Registries, *, has_world: bool) -> Installed | Reason:
        package = self._package
        order = {
            "registry": package.registry,
            "name": package.name,
            "version": package.version,
            "known": self._cache.versions(package),
            "npmrc": registries.npmrc,
        }
        with self._cache.begun() as begun:
            said = await self._run(order, registries, begun, has_world=has_world)
            if said.reason:
                return said.reason
            if said.head.get("is_known"):
                found = self._cache.find(package, str(said.head.get("version")))
                if found:
                    return found
            failed = _why_failed(package.name, said)
            if failed:
                return failed
            try:
                return await asyncio.to_thread(self._keep, begun, said.head)
            except WrongStream as why:
                text = f"{package.name} was installed, and is not used: {why}"
                return Reason(kind="not_prepared", text=text)

    async def _linked(self, registries: Registries, *, has_world: bool) -> tuple[str, ...]:
        """Hosts that the indexes link the files of this package to, and that were not allowed."""
        order = {
            "links": registries.pages(self._package),
            "certificates": registries.certificates,
        }
        with self._cache.begun() as begun:
            said = await self._run(order, registries, begun, has_world=has_world)
        return await new_hosts(said.head.get("hosts"), registries)

    async def _run(
        self, order: Mapping[str, Any], registries: Registries, begun: str, *, has_world: bool
    ) -> InstallerSaid:
        limits = self._options.limits
        world: SandboxOptions | None = world_for(registries.hosts, limits) if has_world else None
        return await run_installer(order, registries.environment, world, begun, limits.disk_bytes)

    def _keep(self, begun: str, head: Mapping[str, Any]) -> Installed:
        """Make of the stream what is kept; nothing that the installer says is believed unread."""
        package, place = self._package, os.path.join(begun, PLACE)
        made = _read(package, head)
        files = os.path.join(place, FILES)
        os.makedirs(files)
        is_python = package.registry == "pypi"
        if is_python:
            make_environment(files)
        most = self._options.limits.disk_bytes
        unpack(stream_in(begun), files, most, is_ours if is_python else lambda _: False)
        return self._cache.keep(package, package.version or made.version, made, place)


def _why_failed(name: str, said: InstallerSaid) -> Reason | None:
    """Why there is no package, by what the installer says."""
    kind, output = said.head.get("failed"), str(said.head.get("output", ""))
    if kind == "build":
        return _needs_build(name, output)
    if kind == "tool":
        text = f"{output} is not installed on this worker, and {name} needs it"
        return Reason(kind="not_prepared", text=text)
    if kind is not None:
        return reason_of(name, output)
    if not said.head:
        return reason_of(name, said.complaints)
    built = said.head.get("needs_build")
    return _needs_build(name, str(built)) if built else None


def _needs_build(name: str, what: str) -> Reason:
    whose = name if what == name else f"{name} needs {what}, which"
    text = f"{whose} would have to be built on this machine, and nothing is built"
    return Reason(kind="needs_build", text=text[:300])


def _read(package: Package, head: Mapping[str, Any]) -> Installed:
    """What the installer says of the package; raises WrongStream where it makes no sense."""
    version, programs = head.get("version"), head.get("programs")
    if not isinstance(version, str) or not re.fullmatch(VERSION, version):
        raise WrongStream("its version makes no sense")
    found = programs.items() if isinstance(programs, dict) else ()
    for name, file in found:
        is_text = isinstance(name, str) and isinstance(file, str)
        if not is_text or not re.fullmatch(PROGRAM, name) or not re.fullmatch(PATH, file):
            raise WrongStream("its programs make no sense")
    return Installed(
        registry=package.registry, name=package.name, version=version, programs=dict(found)
    )
