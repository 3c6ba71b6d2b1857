"""Archives: files of traces, indexed, cut into batches, and judged on any engine."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.archive.files import ArchiveFile, archive_files
    from mcp_assay.archive.run import ArchiveRun, Progress

__all__ = ["ArchiveFile", "ArchiveRun", "Progress", "archive_files"]

__getattr__ = lazy_names(
    __name__,
    {
        "ArchiveFile": "archive.files",
        "ArchiveRun": "archive.run",
        "Progress": "archive.run",
        "archive_files": "archive.files",
    },
)


def __dir__() -> list[str]:
    return __all__
