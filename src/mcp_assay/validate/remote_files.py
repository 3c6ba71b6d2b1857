"""Files in object stores and on web servers, through fsspec: found, and read in pieces."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import has_magic
from io import BufferedReader
from typing import Any, Final
from urllib.parse import urlsplit

import fsspec
from msgspec import Struct

from mcp_assay.client.target_secrets import shown_url
from mcp_assay.validate.lines import BLOCK, Unreadable

SCHEMES: Final = ("s3", "gs", "gcs", "az", "abfs", "abfss", "http", "https", "memory", "file")
ON_THE_WEB: Final = ("http", "https")
"""Where there are no folders, and a question mark is no pattern."""
PIECE: Final = 1 << 22
"""Bytes that are asked for at a time."""
PATIENCE: Final = 60
"""Seconds in which a web server must answer, and go on; all of a file may take any time."""
LONGEST_REASON: Final = 200
_QUERY: Final = re.compile(r"\?\S+")
MARKS: Final = (
    *("ETag", "etag", "md5Hash", "md5", "content_hash", "Content-MD5"),
    *("LastModified", "last_modified", "Last-Modified", "updated", "mtime", "created"),
)
"""What stores say of a file that changes when the file does."""


class RemoteFile(Struct, frozen=True):
    """A file as its store lists it."""

    url: str
    size: int | None = None
    stamp: str | None = None
    """What changes when the file does; None where the store does not say."""


def require_url(url: str) -> None:
    """Raise ValueError for an address that is not read, with the reason."""
    parts = urlsplit(url)
    if parts.scheme.lower() not in SCHEMES:
        known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise ValueError(f"{parts.scheme}:// is not read; choose one of {known}")
    if "@" in parts.netloc and parts.scheme.lower() not in ("az", "abfs", "abfss"):
        raise ValueError(
            "an address must not hold a user name or password; set them where the store's own "
            "tools look for them"
        )
    try:
        fsspec.get_filesystem_class(parts.scheme.lower())
    except ImportError as fault:
        raise ValueError(f"{parts.scheme}:// cannot be read here: {fault}") from None


def remote_files(url: str) -> list[RemoteFile]:
    """The files that an address names: itself, those that match it, or those below it."""
    scheme = urlsplit(url).scheme.lower()
    try:
        files = _store(scheme)
        path = files._strip_protocol(url)
        if scheme in ON_THE_WEB:
            return [_listed(url, files.info(path))]
        if has_magic(path):
            found = files.glob(path, detail=True)
        else:
            info = files.info(path)
            if info.get("type") != "directory":
                return [_listed(url, info)]
            found = files.find(path, detail=True)
    except Exception:  # noqa: BLE001  why it cannot be read is said when it is
        return [RemoteFile(url)]
    named = ((files.unstrip_protocol(name), info) for name, info in found.items())
    listed = [_listed(name, info) for name, info in named if info.get("type") != "directory"]
    return listed or [RemoteFile(url)]


@contextmanager
def opened_url(url: str) -> Iterator[BufferedReader]:
    """The bytes of a remote file, as they are; raises Unreadable."""
    try:
        require_url(url)
        files = _store(urlsplit(url).scheme.lower())
        path = files._strip_protocol(url)
        file = files.open(path, "rb", block_size=_piece(files, path))
    except FileNotFoundError:
        raise Unreadable(f"{shown_url(url)} does not exist; check the address") from None
    except Exception as fault:  # noqa: BLE001  every store has exceptions of its own
        raise Unreadable(f"{shown_url(url)} cannot be read: {_reason(fault)}") from None
    pieces: Any = _Pieces(file)
    with BufferedReader(pieces, BLOCK) as stream:
        yield stream


def _store(scheme: str) -> Any:
    """What reads files by such addresses."""
    if scheme not in ON_THE_WEB:
        return fsspec.filesystem(scheme)
    from aiohttp import ClientTimeout  # noqa: PLC0415  seldom needed

    patience = ClientTimeout(total=None, sock_connect=PATIENCE, sock_read=PATIENCE)
    return fsspec.filesystem(scheme, client_kwargs={"timeout": patience})


def _piece(files: Any, path: str) -> int:
    """How much is asked for at a time; 0, all in one stream, of servers that know no pieces."""
    is_web = isinstance(files, fsspec.get_filesystem_class("http"))
    return 0 if is_web and not files.info(path).get("partial") else PIECE


class _Pieces(io.RawIOBase):
    """A file of a store; however that fails to read on, it is an OSError."""

    def __init__(self, file: Any) -> None:
        self._file: Final = file

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next piece."""
        try:
            data: bytes = self._file.read(len(buffer))
        except Exception as fault:  # noqa: BLE001  every store has exceptions of its own
            raise OSError(f"the store failed: {_reason(fault)}") from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file of the store, too."""
        with suppress(Exception):
            self._file.close()
        super().close()


def _listed(url: str, info: Mapping[str, Any]) -> RemoteFile:
    size = info.get("size")
    marks = [str(info[name]) for name in MARKS if info.get(name)]
    stamp = f"{size} {' '.join(marks)}" if marks else None
    return RemoteFile(url, size if isinstance(size, int) else None, stamp)


def _reason(fault: Exception) -> str:
    """What a store says, in one line."""
    words = _QUERY.sub("?…", " ".join(str(fault).split())) or type(fault).__name__
    return words[:LONGEST_REASON].rstrip(".")
