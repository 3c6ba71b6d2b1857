"""A canteen's ordering system on FastMCP, with the mistakes that such code really has.

CANTEEN_LIBRARIES is a folder with `requests` in it, looked into after everything else.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import date
from importlib import import_module
from typing import Annotated, Any, Literal

import httpx2
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from mcp_types import TextContent
from pydantic import BaseModel, Field

sys.path.append(os.environ.get("CANTEEN_LIBRARIES", "."))

UPSTREAM = "http://127.0.0.1:8765"
SUPPLIERS = {
    "greens": "http://127.0.0.1:9/v1/orders",
    "bakery": f"{UPSTREAM}/reports/2026/q1.html",
    "dairy": f"{UPSTREAM}/rates/forbidden",
    "fish": f"{UPSTREAM}/shop/basket",
    "spices": "http://orders.spices.invalid/v1",
    "mill": "https://127.0.0.1:8766/orders",
    "butcher": f"{UPSTREAM}/books/moby-dick.html",
}
MEALS: dict[str, dict[str, Any]] = {
    "soup": {"price": 320, "allergens": ["celery"], "sold": 0, "stock": "12"},
    "curry": {"price": None, "sold": 40, "stock": "n/a"},
    "toast": {"price": 150, "allergens": [], "sold": 7, "stock": "3"},
}
WEEK = ["soup", "curry", "toast"]

server = FastMCP("canteen", version="2.4.0")


class Table(BaseModel):
    """Where a guest sits."""

    number: int


class Order(BaseModel):
    """What a table orders."""

    table: Annotated[int, Field(ge=1, le=30)]
    meal: str
    size: Literal["small", "large"] = "small"


GUESTS = {"ada": Table(number=2), "timeout": None}


def menu_of(weekday: int) -> dict[str, Any]:
    """The meal of a weekday, counted from 0."""
    return MEALS[WEEK[weekday]]


@server.tool
def place_order(order: Order) -> str:
    """Place an order for a table."""
    if order.meal not in MEALS:
        raise ToolError(f"'{order.meal}' is not on the menu. Today: {', '.join(MEALS)}.")
    if order.size == "large" and order.meal == "soup":
        raise ValueError("soup comes in one size only: size must be 'small'")
    return f"{order.meal} for table {order.table}"


@server.tool
def book_table(guests: int, day: date, note: str = "") -> str:
    """Book a table for some guests."""
    if guests <= 0:
        raise ValueError(f"guests must be a positive number, got {guests}")
    if day.isoweekday() > len("Monday"):
        raise ToolError(f"The canteen is closed on {day}: we crashed the oven and rest on Sundays.")
    return f"table for {guests}{note}"


@server.tool
def get_menu(weekday: int) -> str:
    """The meal of a weekday, 0 for Monday."""
    return json.dumps(menu_of(weekday))


@server.tool
def list_allergens(weekday: int) -> str:
    """The allergens in the meal of a weekday, 0 for Monday."""
    return ", ".join(menu_of(weekday)["allergens"])


@server.tool
def quote_party(weekday: int, guests: int) -> str:
    """The price of a party that eats the meal of a weekday."""
    return str(menu_of(weekday)["price"] * guests // 100 + 5)


@server.tool
def average_price(meals: list[str]) -> str:
    """The average price of some meals in cents."""
    return str(sum(MEALS[meal]["price"] for meal in meals) / len(meals))


@server.tool
def render_bill(guest_name: str, tip: str = "0") -> str:
    """Render the bill of a guest, with a tip in whole euros."""
    table: Any = GUESTS.get(guest_name)
    return f"Table {table.number}, tip {int(tip)}"


@server.tool
def count_stock(meal: str) -> str:
    """How many portions of a meal are left."""
    return str(int(MEALS[meal]["stock"]))


@server.tool
def split_bill(amounts: str) -> str:
    """Split a bill, given as lines of name and amount."""
    shares = []
    for line in amounts.splitlines():
        name, amount = line.split(":")
        shares.append(f"{name} pays {amount}")
    return ", ".join(shares)


@server.tool
def export_menu(format: Literal["text", "pdf", "braille", "html"]) -> str:
    """Export this week's menu."""
    if format == "pdf":
        import_module("canteen_pdf")
    if format == "braille":
        raise NotImplementedError("export to braille is not implemented yet")
    if format == "html":
        return str(subprocess.run(["pandoc-canteen", "-t", "html"], check=True).stdout)
    return ", ".join(WEEK)


@server.tool
def close_till(counted: int) -> str:
    """Close the till with the money that was counted."""
    expected = sum(meal["sold"] * (meal["price"] or 0) for meal in MEALS.values())
    assert expected >= counted
    return "closed"


@server.tool
def rename_meal(old: str, new: str) -> str:
    """Rename a meal on the menu."""
    for meal in MEALS:
        if meal == old:
            MEALS[new] = MEALS.pop(old)
    return new


@server.tool
def find_guest(name: str) -> str:
    """Find the table of a guest."""
    if name not in GUESTS:
        raise ToolError(f"No guest called '{name}' is here.")
    if GUESTS[name] is None:
        raise ToolError(f"Guest '{name}' has left.")
    return str(GUESTS[name])


@server.tool
def best_seller(minimum: int) -> str:
    """The meal that sold best, if it sold at least that often."""
    for meal, facts in MEALS.items():
        if facts["sold"] >= minimum:
            best = meal
    return best


@server.tool
def order_supplies(supplier: str, seconds: float = 2) -> str:
    """Send today's order to a supplier."""
    requests = import_module("requests")
    if supplier not in SUPPLIERS:
        raise ToolError(f"There is no supplier '{supplier}'; choose one of {sorted(SUPPLIERS)}.")
    response = requests.get(SUPPLIERS[supplier], timeout=seconds)
    response.raise_for_status()
    return str(response.text)


@server.tool
def import_recipe(url: str) -> str:
    """Import a recipe from a web page."""
    response = import_module("requests").get(url, timeout=2)
    response.raise_for_status()
    return str(response.text)


@server.tool
def ping_supplier(supplier: str) -> str:
    """See whether a supplier's system answers, without trying twice."""
    urllib3 = import_module("urllib3")
    return str(urllib3.PoolManager().request("GET", SUPPLIERS[supplier], retries=False).status)


@server.tool
def check_rates(edition: str) -> str:
    """The wholesale rates of an edition."""
    return httpx2.get(f"{UPSTREAM}/rates/{edition}", timeout=1).raise_for_status().text


@server.tool
def read_report(quarter: str) -> str:
    """The auditor's report of a quarter."""
    return httpx2.get(f"{UPSTREAM}/reports/2026/{quarter}.html", timeout=0.5).text


@server.tool
def pay_by_card(table: int, cents: int, card: str) -> ToolResult:
    """Pay the bill of a table by card."""
    if not card.isdigit():
        return refused({"code": "invalid_card", "message": f"Not a card number: {card}"})
    if cents > 50_000:
        return refused({"code": "limit_exceeded", "limit": 50_000, "message": "internal limit"})
    if table > 30:
        return refused({"code": "terminal_offline", "message": "The card terminal is offline."})
    return ToolResult(content=[TextContent(type="text", text="paid")])


@server.tool
def print_receipt(table: int, copies: int = 1) -> ToolResult:
    """Print the receipt of a table."""
    if shutil.which("lpr-canteen") is None:
        texts = [f"Receipt of table {table} was not printed.", "lpr-canteen: command not found"]
        return ToolResult(
            content=[TextContent(type="text", text=text) for text in texts], is_error=True
        )
    return ToolResult(content=[TextContent(type="text", text=str(copies))])


@server.tool
def run_till_check(mode: str) -> str:
    """Run the till's own check."""
    if mode == "deep":
        command = ["sleep", "5"]
        return str(subprocess.run(command, check=True, timeout=0.2))
    return str(subprocess.run(["sh", "-c", "exit 3"], check=True))


@server.tool
def send_newsletter(subject: str) -> str:
    """Send the newsletter to all guests."""
    if not os.environ.get("CANTEEN_MAIL_TOKEN"):
        raise ToolError("The mail service is not configured (CANTEEN_MAIL_TOKEN is empty).")
    return subject


@server.tool
def ask_kitchen(question: str) -> str:
    """Ask the kitchen something."""
    if "allergy" in question:
        raise ToolError("")
    raise ToolError("Something went wrong in the kitchen." if "?" in question else "Error")


def refused(detail: dict[str, Any]) -> ToolResult:
    """An error with its detail as JSON."""
    text = json.dumps({"status": "error", "error": detail})
    return ToolResult(content=[TextContent(type="text", text=text)], is_error=True)


if __name__ == "__main__":
    server.run(transport="stdio", show_banner=False)
