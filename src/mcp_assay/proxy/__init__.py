"""The proxy: bytes go through unchanged, a copy goes to an inspector that reports on it."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.client.children import NotStarted
    from mcp_assay.proxy.inspector_process import Settings
    from mcp_assay.proxy.run import Ending, proxy_http, proxy_stdio, server_name, session_name

__all__ = [
    "Ending",
    "NotStarted",
    "Settings",
    "proxy_http",
    "proxy_stdio",
    "server_name",
    "session_name",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Ending": "proxy.run",
        "NotStarted": "client.children",
        "Settings": "proxy.inspector_process",
        "proxy_http": "proxy.run",
        "proxy_stdio": "proxy.run",
        "server_name": "proxy.run",
        "session_name": "proxy.run",
    },
)


def __dir__() -> list[str]:
    return __all__
