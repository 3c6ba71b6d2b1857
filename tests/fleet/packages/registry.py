"""Registries of our own on loopback: an index as pip reads it, and one as npm does."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.fleet.packages import linked_hosts, registries

SAYS = "import sys\n\n\ndef main():\n    print('hello from', *sys.argv[1:])\n"


class Registry:
    """Pages by their paths, and the paths that somebody asked for."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.pages: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.waits = threading.Event()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def add_python(
        self, name: str, files: Mapping[str, bytes], elsewhere: Registry | None = None
    ) -> None:
        """List the files of a package, which another server may have."""
        home = elsewhere or self
        links = [f'<a href="{home.url}/files/{file}">{file}</a>' for file in files]
        self.pages[f"/simple/{name}/"] = f"<!DOCTYPE html>{''.join(links)}".encode()
        home.pages |= {f"/files/{file}": content for file, content in files.items()}

    def add_node(self, name: str, version: str, files: Mapping[str, str], **about: Any) -> None:
        """List a package of npm."""
        package = {"name": name, "version": version, **about}
        content = node_archive({**files, "package.json": json.dumps(package)})
        path = f"/files/{name}-{version}.tgz"
        self.pages[path] = content
        digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
        dist = {"tarball": self.url + path, "integrity": f"sha512-{digest}"}
        versions = {version: {**package, "dist": dist}}
        listed = {"name": name, "dist-tags": {"latest": version}, "versions": versions}
        self.pages[f"/{name}"] = json.dumps(listed).encode()


@contextmanager
def serving() -> Iterator[Registry]:
    """A registry that answers, until this is left."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            registry.asked.append(self.path)
            if self.path == "/simple/slow/":
                registry.waits.wait(60)
            page = registry.pages.get(self.path.partition("?")[0])
            self.send_response(404 if page is None else 200)
            kind = "text/html" if self.path.startswith("/simple") else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(page or b"")))
            self.end_headers()
            self.wfile.write(page or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    registry = Registry(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield registry
    finally:
        registry.waits.set()
        server.shutdown()
        thread.join()
        server.server_close()


def use(registry: Registry, patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have pip and npm set up for a registry, and for nothing else."""
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS", "CERT", "NO_INDEX"):
        patch.delenv(f"PIP_{name}", raising=False)
    patch.setenv("PIP_CONFIG_FILE", "/dev/null")
    patch.setenv("PIP_INDEX_URL", f"{registry.url}/simple")
    patch.setenv("npm_config_registry", registry.url)
    patch.setenv("npm_config_userconfig", str(folder / "npmrc"))
    forget()


def forget() -> None:
    """Let pip and npm be asked anew."""
    registries.for_pip.cache_clear()
    registries.for_npm.cache_clear()
    linked_hosts.KNOWN.clear()


def wheel(name: str, version: str, more: Mapping[str, str] | None = None) -> bytes:
    """A wheel with one program that says hello."""
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": SAYS,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        f"{about}/entry_points.txt": f"[console_scripts]\n{name} = {name}:main\n",
        **(more or {}),
    }
    rows = [f"{path},," for path in (*files, f"{about}/RECORD")]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in {**files, f"{about}/RECORD": "\n".join(rows)}.items():
            archive.writestr(path, text)
    return content.getvalue()


def node_archive(files: Mapping[str, str]) -> bytes:
    """An archive as npm has them."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size, member.mode = len(text.encode()), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return content.getvalue()
