"""The back office of a parcel depot on the official SDK, in surroundings that let it down.

DEPOT_STYLE chooses how its tools pass on an exception: see STYLES. Without it they raise, and the
SDK hides what happened from the caller and logs it. DEPOT_RICH_LOG keeps the SDK's way of logging.
"""

from __future__ import annotations

import asyncio
import fcntl
import functools
import json
import logging
import os
import resource
import shutil
import socket
import ssl
import struct
import tarfile
import traceback
import zipfile
import zlib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from inspect import isawaitable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import aiohttp
import httpx2
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

HOME = Path.cwd()
UPSTREAM = "http://127.0.0.1:8765"
NETWORK = {"Oslo": "Bergen", "Bergen": "Oslo", "Rome": "Milan"}
CARRIERS = {
    "swift": "http://127.0.0.1:9/v2/pickups",
    "heron": f"{UPSTREAM}/shop/basket",
    "kestrel": f"{UPSTREAM}/rates/forbidden",
    "merlin": "http://pickups.merlin.invalid/v1",
    "falcon": f"{UPSTREAM}/reports/2026/q1.html",
}
LEAVES_AT = 18

if "DEPOT_RICH_LOG" not in os.environ:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
server = MCPServer("depot", version="3.1.0")


class DepotError(Exception):
    """What the depot says itself."""


def worded(_: str, error: Exception) -> Any:
    """Pass on the message alone, in the words of the SDK."""
    raise ToolError(str(error)) from error


def named(_: str, error: Exception) -> Any:
    """Pass on the class and the message."""
    return failed(f"{type(error).__name__}: {error}")


def in_json(name: str, error: Exception) -> Any:
    """Pass on an object with the class and the message in it."""
    detail = {"type": type(error).__name__, "detail": str(error)}
    return failed(json.dumps({"ok": False, "operation": name, "error": detail}))


def coded(_: str, error: Exception) -> Any:
    """Answer with an error of JSON-RPC."""
    raise MCPError(-32603, f"Internal error: {error}") from error


def in_blocks(name: str, error: Exception) -> Any:
    """Say first what did not happen, then why."""
    return failed(f"{name} did not finish.", str(error))


def traced(_: str, error: Exception) -> Any:
    """Pass on the whole trace."""
    return failed("".join(traceback.format_exception(error)))


def bare(_: str, error: Exception) -> Any:
    """Pass on the message and nothing else."""
    return failed(str(error))


def numbered(_: str, error: Exception) -> Any:
    """Pass on a number that only the depot understands."""
    return failed(json.dumps({"ok": False, "code": len(type(error).__name__)}))


def shy(_: str, __: Exception) -> Any:
    """Regret."""
    return failed("Sorry, that did not work. Please try again later.")


def mute(_: str, __: Exception) -> Any:
    """Report an error without any content."""
    return CallToolResult(content=[], is_error=True)


STYLES: dict[str, Callable[[str, Exception], Any]] = {
    "worded": worded,
    "named": named,
    "json": in_json,
    "coded": coded,
    "blocks": in_blocks,
    "traced": traced,
    "bare": bare,
    "numbered": numbered,
    "shy": shy,
    "mute": mute,
}
STYLE = STYLES.get(os.environ.get("DEPOT_STYLE", ""))


def failed(*texts: str) -> CallToolResult:
    """A result that is flagged as an error."""
    content: list[Any] = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=content, is_error=True)


def tool(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offer the function as a tool whose exceptions are passed on in the chosen style."""

    @functools.wraps(function)
    async def told(**arguments: Any) -> Any:
        try:
            result = function(**arguments)
            return await result if isawaitable(result) else result
        except Exception as error:
            if STYLE is None:
                raise
            return STYLE(function.__name__, error)

    return server.tool(structured_output=False)(told)


@tool
def read_manifest(path: str) -> str:
    """Read a manifest from the depot's share."""
    return Path(path).read_text("utf-8")


@tool
def import_manifest(document: str) -> str:
    """Import a manifest that is given as JSON."""
    return f"{len(json.loads(document))} parcels imported"


@tool
def make_folder(path: str) -> str:
    """Make a folder on the depot's share."""
    Path(path).mkdir()
    return path


@tool
def remove_folder(path: str) -> str:
    """Remove an empty folder from the depot's share."""
    Path(path).rmdir()
    return path


@tool
def get_stock(warehouse: str) -> str:
    """The stock of a warehouse, as of last night."""
    if not warehouse.isalpha():
        raise DepotError(f"A warehouse is named by letters only, not by {warehouse!r}.")
    return str(json.loads((HOME / "stock.json").read_text("utf-8")))


@tool
def print_label(parcel: int, recipient: str) -> str:
    """Print the label of a parcel."""
    return f"{parcel}: {len(recipient.encode('latin-1'))} bytes sent to the printer"


@tool
def search_log(words: str) -> str:
    """Search the depot's log for words."""
    return str((HOME / "depot.log").read_bytes().decode("utf-8").count(words))


def stops(start: str, goal: str) -> list[str]:
    """The stops between two depots, both included."""
    return [start] if start == goal else [start, *stops(NETWORK[start], goal)]


@tool
def find_route(start: str, goal: str) -> str:
    """Find a route between two depots."""
    return " > ".join(stops(start, goal))


@tool
def quote_price(weight: str, distance: str) -> str:
    """The price of sending a weight in kilograms over a distance in kilometres."""
    return str(Decimal("4.90") / Decimal(weight) * Decimal(distance))


@tool
def split_load(parcels: int, share: str) -> str:
    """How many parcels a share of the load is, such as 2/3."""
    return str(int(parcels * Fraction(share)))


@tool
def unpack_archive(path: str) -> str:
    """Unpack a zip archive that was handed in."""
    with zipfile.ZipFile(path) as archive:
        return str(archive.read(archive.namelist()[0]))


@tool
def restore_folder(path: str) -> str:
    """Restore a folder from a tar archive that was handed in."""
    with tarfile.open(path) as archive:
        archive.extractall(HOME / "restored", filter="data")
    return "restored"


@tool
def add_entry(text: str) -> str:
    """Add an entry to the ledger."""
    with Path(os.environ["DEPOT_LEDGER"]).open("a", encoding="utf-8") as ledger:
        ledger.write(text)
    return "added"


@tool
def close_ledger() -> str:
    """Close the ledger for today."""
    with (HOME / "ledger.txt").open("a") as here, (HOME / "ledger.txt").open("a") as there:
        fcntl.flock(there, fcntl.LOCK_EX)
        fcntl.flock(here, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "closed"


@tool
def count_shelves() -> str:
    """Count the shelves by asking each of its sensors."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
    sensors = [(HOME / "shelf").open("w") for _ in range(100)]
    return str(len(sensors))


@tool
async def ask_carrier(carrier: str, seconds: float = 5) -> str:
    """Ask a carrier for its next pick-up."""
    patience = aiohttp.ClientTimeout(total=seconds)
    async with (
        aiohttp.ClientSession(timeout=patience, raise_for_status=True) as session,
        session.get(CARRIERS[carrier]) as response,
    ):
        return await response.text()


@tool
def get_rates(edition: str) -> str:
    """The carriers' rates of an edition."""
    response = httpx2.get(f"{UPSTREAM}/rates/{edition}", timeout=2)
    return response.raise_for_status().text


@tool
def track_parcel(parcel: int, host: str = "tracking.depot.invalid", port: int = 80) -> str:
    """Track a parcel at a tracking station."""
    with socket.create_connection((host, port), timeout=1) as station:
        station.sendall(f"GET /reports/2026/q1.html?{parcel} HTTP/1.0\r\n\r\n".encode())
        return station.recv(100).decode()


@tool
def check_customs(country: str) -> str:
    """Check the customs rules of a country at the customs gateway."""
    context = ssl.create_default_context()
    with (
        socket.create_connection(("127.0.0.1", 8766), timeout=2) as plain,
        context.wrap_socket(plain, server_hostname=f"{country}.customs.example"),
    ):
        return "no rules"


@tool
def draw_map(width: int, height: int) -> str:
    """Draw a map of the depot."""
    return f"{len(bytearray(width * height))} points drawn"


@tool
async def call_courier(name: str) -> str:
    """Call a courier and wait until the call is taken."""
    await asyncio.wait_for(asyncio.Event().wait(), timeout=0.2)
    return f"{name} is on the line"


@tool
def book_slot(parcel: int, hour: int) -> str:
    """Book an hour at which a parcel leaves."""
    if hour > LEAVES_AT:
        raise DepotError(f"The last van leaves at {LEAVES_AT}:00, so hour {hour} cannot be booked.")
    if parcel % 2:
        raise DepotError(f"Parcel {parcel} has already left. Timeout of the claim period: 14 days.")
    return f"{parcel} leaves at {hour}:00"


@tool
async def close_day(note: str) -> str:
    """Close the ledger and the day."""
    await server.call_tool("add_entry", {"text": note})
    return "closed"


@tool
def restore_backup(day: str) -> str:
    """Restore the depot's own backup of a day."""
    return str(len(zlib.decompress((HOME / "backup.z").read_bytes())) + len(day))


@tool
def read_scale(number: int) -> str:
    """The weight that a scale shows."""
    return str(struct.unpack(">d", b"\x00\x00\x00")[number])


@tool
def get_contract(customer: str) -> str:
    """The contract of a customer."""
    return str(ET.parse(HOME / "contracts.xml").findtext(customer))


@tool
def scan_barcode(image: str) -> str:
    """Read the barcode on a picture."""
    if shutil.which("zbarimg") is None:
        raise DepotError(
            "zbarimg was not found on this machine; barcodes cannot be read without it."
        )
    return image


@tool
def send_invoice(customer: str, amount: float) -> str:
    """Send an invoice to a customer."""
    if not os.environ.get("DEPOT_BILLING_KEY"):
        raise DepotError("DEPOT_BILLING_KEY is not set: the billing service was never configured.")
    return f"{amount} to {customer}"


if __name__ == "__main__":
    server.run(transport="stdio")
